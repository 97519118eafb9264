"""What addresses and code look like in a text, however the tokeniser splits them.

Every repetition is bounded or possessive, so time grows linearly with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_BODY = r"(?:[^\s()<>\"“”„«»{}|\\^`]|\([^\s()]{0,100}\)){1,2000}+"
_TOP = (
    "com|org|net|edu|gov|mil|int|info|biz|io|co|ai|app|dev|uk|de|fr|eu|ca|au|ru|jp|cn|nl|ch|se|es"
    "|pl|dk|fi|br|mx|kr|tv|fm|gg|ly|xyz|news|online|site|shop|tech|blog|cloud|page|wiki"
)
# These are words, too: `the end.it was` contains no domain.
_TOP_BEHIND_TWO = f"{_TOP}|in|me|no|it|be|at|us|to|is"
_LABEL = r"[^\W_](?:[\w\-]{0,61}[^\W_])?+"

_ADDRESS = re.compile(
    rf"""
    (?<![\w@]) (?: [a-zA-Z][a-zA-Z0-9+.\-]{{1,15}}:// | mailto: | www\. ) {_BODY}
  | (?<![\w.+%\-]) [\w.+%\-]{{1,64}} @ {_LABEL} (?:\.{_LABEL}){{1,8}}
  | (?<![\w@./]) @\w++ (?:\.\w++){{0,3}}+
  | (?<![\w\#&/]) \#(?=\w{{0,100}}[^\W\d_])\w++
  | (?<![\w@.\-/]) (?: (?:{_LABEL}\.){{1,8}} (?:{_TOP})
        | (?:{_LABEL}\.){{2,8}} (?:{_TOP_BEHIND_TWO}) )
    (?![\w\-@]|\.\w) (?: :\d{{1,5}}+ )? (?: [/?\#] (?:{_BODY})? )?
  | (?<![\w.]) \d{{1,3}}(?:\.\d{{1,3}}){{3}} (?![\w]|\.\d) (?: :\d{{1,5}}+ )? (?: / (?:{_BODY})? )?
  | (?<![\w.]) localhost (?: :\d{{1,5}}+ )? (?: / (?:{_BODY})? )?
    """,
    re.VERBOSE,
)
_TRAILING = re.compile(r"[.,;:!?'’…*]+\Z")

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,80}+"
_ARGUMENTS = r"\((?:[^()\n]|\([^()\n]{0,40}\)){0,80}\)"
_PART = r"[\w.@+\-]{1,100}+"
_EXTENSION = (
    "py|pyi|js|mjs|ts|tsx|jsx|c|h|cc|cpp|hpp|rs|go|java|kt|rb|php|pl|sh|bash|ps1|bat|exe|dll|so"
    "|ya?ml|json|jsonl|toml|ini|cfg|conf|env|xml|html?|css|md|rst|txt|csv|tsv|log|sql|db|lock|png"
    "|jpe?g|gif|svg|pdf|docx?|xlsx?|pptx?|zip|tar|gz|bz2|xz|7z|whl|jar|ipynb|tex|bib|mp[34]|wav"
)
_CODE = re.compile(
    rf"""
    (?<![\w@\#]) (?: {_NAME} (?:(?:\.|::|->){_NAME}){{0,8}} \(\)
        | (?=[a-z]{{0,80}}[A-Z_.:\->]) {_NAME} (?:(?:\.|::|->){_NAME}){{0,8}} {_ARGUMENTS} )
  | (?<![\w@\#]) (?: {_NAME} (?:(?:::|->){_NAME}){{1,8}} (?:<[\w:,\ *&]{{1,60}}>)? )
  | (?<![\w@\#]) (?: \w{{0,60}}[^\W_]_{{1,4}}[^\W_]\w*+ | __\w{{1,60}}__ )         # snake_case
  | (?<![\w@\#]) [a-z]{{2,60}}[a-z0-9]{{0,20}}[A-Z][A-Za-z0-9]*+ (?!\w)            # camelCase
  | (?<![\w@\#./\-]) [A-Za-z_]\w{{1,60}} (?:\.[A-Za-z_]\w{{1,60}}){{2,8}} (?![\w@])
  | (?<![\w@\#./\-]) [A-Za-z_]\w{{1,60}} \.[a-z_]\w{{1,60}} (?![\w@])              # a dotted name
  | (?<![\w@\#]) [\w\-]{{1,80}} (?:\.[\w\-]{{1,30}}){{0,4}} \.(?:{_EXTENSION}) (?![\w@])
  | (?<![^\s(\"'“`/]) \.[a-z][\w\-]{{2,40}} (?!\w)                                # .bashrc
  | (?<![\w/:<]) (?: ~ | \.{{1,2}} | [A-Za-z]: | \$\{{?[A-Z_]{{2,40}}\}}? )?
        (?: [/\\]{_PART} ){{1,30}} [/\\]?                                         # /usr/bin
  | (?<![\w/.:\-]) [A-Za-z_][\w.\-]{{0,60}} (?: /[\w.@+\-]{{1,60}} ){{2,30}} /?    # a/b/c
  | (?<![\w/.:\-]) [A-Za-z_][\w.\-]{{0,60}} /[\w\-]{{0,60}}[._][\w.\-]{{1,60}}     # src/main.py
  | (?<![^\s(\"'“`\[]) (?: --[A-Za-z][\w\-]{{0,60}} (?:=[^\s,;)]{{1,200}})? | -[A-Za-z](?![\w\-]) )
  | \$\{{?[A-Z_][A-Z0-9_]{{2,60}}\}}? (?!\w) | %[A-Z_]{{3,40}}%                    # $HOME
  | (?<!\w) 0[xXbBoO][0-9a-fA-F]++ (?!\w)
  | (?<!\w) (?=[a-f]{{0,39}}[0-9])(?=[0-9]{{0,39}}[a-f]) [0-9a-f]{{7,40}} (?!\w)   # a hash
  | (?<![\w.]) (?: [vV]\d{{1,9}}(?:\.\d{{1,9}}){{0,3}} | \d{{1,9}}(?:\.\d{{1,9}}){{2,3}} )
        (?: [\-+][\w.]{{1,40}} | (?:a|b|rc|post|dev)\d{{1,4}} )? (?!\w)           # v1.2.3-rc1
  | [\w.\[\]]{{1,60}}\ ?(?:==|!=|<=|>=|&&|\|\||:=|\+=|-=|=>)\ ?[\w.\"'\[\]\-]{{1,60}}
  | </?[A-Za-z][\w\-]{{0,30}} (?:\s[\w\-]{{1,30}}=[^<>\n]{{0,80}})? \s?/?>          # a tag
    """,
    re.VERBOSE,
)
_BACKTICKS = re.compile(r"`+")


def find_addresses(text: str) -> Iterator[Span]:
    """Yield the spans of URLs, domains, e-mail and IP addresses, @handles and #tags."""
    for match in _ADDRESS.finditer(text):
        trailing = _TRAILING.search(match[0])
        end = match.end() - (len(trailing[0]) if trailing else 0)
        if end > match.start():
            yield match.start(), end


def find_code(text: str) -> Iterator[Span]:
    """Yield the spans of names, calls, paths, flags, versions and the like, and of backticks."""
    for match in _CODE.finditer(text):
        if not match[0].endswith(("(s)", "(es)", "(ies)")):
            yield match.start(), match.end() - (match[0][-1] in ".-" and len(match[0]) > 1)
    yield from _find_backticks(text)


def _find_backticks(text: str) -> Iterator[Span]:
    """Yield the text between two equal runs of backticks, including them.

    A Penn or TeX quotation (``so'', `so') opens the same way; there, what looks like the closing
    run has a space before it and none after.
    """
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
    following = [-1] * len(runs)
    latest: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        size = runs[number][1] - runs[number][0]
        following[number] = latest.get(size, -1)
        latest[size] = number
    number = 0
    while number < len(runs):
        closing = following[number]
        if closing >= 0:
            inside = text[runs[number][1] : runs[closing][0]]
            if inside[0].isspace() == inside[-1].isspace() and "''" not in inside:
                yield runs[number][0], runs[closing][1]
                number = closing
        number += 1
