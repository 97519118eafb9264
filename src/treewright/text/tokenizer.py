"""Text → tokens as in the Wall Street Journal treebank, each with its position in the text.

One regular expression finds the pieces; then contractions are cut and abbreviations get their full
stop. Every repetition in the expression is possessive, bounded, or consumes what it read, so time
grows linearly with the length of the text.
"""

from __future__ import annotations

import re

from treewright.text.abbreviations import gives_up_stop, owns_stop
from treewright.text.characters import APOSTROPHE, CLOSERS, GAP, HYPHEN, STRAIGHT, WORD
from treewright.text.contractions import CLITIC, FUSED, cut_contraction, drops_g
from treewright.text.tokens import Token

_DOMAINS = "com|org|net|edu|gov|info|io|co|uk|de|fr|eu|ca|au|us|ru|jp|cn|in|tv|me|ai|app|dev|biz"
_IN_URL = rf"[^{GAP}()<>\"“”„«»‘{APOSTROPHE}{{}}|\\^`\u3000-\u303f\uff00-\uffef]"
_URL_BODY = rf"(?:{_IN_URL}|\([^{GAP}()]{{0,100}}\))*(?<=[\w/=&#%~$+*)\-])"
_PICTURE = (
    r"(?:[\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u25aa-\u27bf\u2934-\u2b55"
    r"\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
    r"[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*+)"
)
_JOINT = rf"""(?:
    \.?[{HYPHEN}–/]            # well-known, 1990–95, and/or, U.S.-based
    | %-                       # 62%-owned
    | [.&+=\\@_{APOSTROPHE}]   # main.py, AT&T, O'Brien
    | \*{{1,8}}
    | (?<=\d)[,:](?=\d)        # 1,000 and 3:30
)"""

_TOKEN = re.compile(
    rf"""
    (?: (?P<plain> [^\W\d_]++ (?= [\s,;!?)"”] | \.(?:\s|\Z) | \Z ) )
  | (?P<whole>
        [\w.+%\-]{{1,64}}@[\w\-]{{1,63}}(?:\.[\w\-]{{1,63}}){{1,8}}         # an e-mail address
      | (?: (?:https?|ftp):// | www\.
          | [\w\-]{{1,63}}+(?:\.[\w\-]{{1,63}}+){{0,5}}\.(?:{_DOMAINS})/ ) {_URL_BODY}
      | (?<![\w@])@\w++
      | (?<![\w#])\#[^\W\d]\w*+
      | (?<![^{GAP}(])(?: [:;=]['’]?-?[)(\[\]DPpOo/\\|*3]{{1,3}} | [xX]D | <3 )(?![^\s.,!?)])
      | [\U0001f1e6-\U0001f1ff]{{2}}
      | [0-9\#*]\ufe0f?\u20e3
      | {_PICTURE}(?:\u200d{_PICTURE})*+
      | (?:US|HK|NZ|NT|Can|Aus|[ACRS])?\$
      | ``|''|\.\.\.(?=\.(?!\.))|\.{{2,}}+|…++|-{{2,}}+|[—―]++|[?!‼⁇⁈⁉]++|[？！]++
      | ={{2,}}+|\*{{2,}}+|~{{2,}}+
      | (?<!\w) {CLITIC} (?![\w{APOSTROPHE}])
      | [{APOSTROPHE}‘] (?: \d\ds? | \d0[sS] | [eE]m | [cC]ause | [tT]il | [rR]ound | [bB]out
            | [cC]uz | [nN][{APOSTROPHE}]? ) (?!\w)
    )
  | (?P<tis> [{APOSTROPHE}‘][tT](?=(?:is|was|were|will)(?!\w)) )
  | (?P<word>
        (?: (?<![^{GAP}(\[“"]) [.\-+−] )?+                                   # .NET, -5
        {WORD}++ (?:{_JOINT}{WORD}++)*+
        (?: \+{{1,2}}(?!\w) | \#(?!\w) | °(?:[CFK](?!\w))? | -(?=[\s,;)]|\Z) )?
    )
  | (?P<stop> \. )
  | (?P<mark> [^{GAP}] )
    ) [ ]?
    """,
    re.VERBOSE,
)
_MARK = re.compile(rf"[{APOSTROPHE}]")


def tokenize(text: str) -> tuple[Token, ...]:
    """Split one sentence, or any string, into tokens; only invisible characters lie between them.

    An abbreviation that ends the string gives its full stop to the sentence (`Corp` `.`), as in
    treebanks; only `U.S.` and the like and `etc.` stay whole. Running text should go through
    `split_sentences`, which knows where sentences end.
    """
    tokens = scan(text)
    release_stop(tokens)
    return tuple(tokens)


def scan(text: str) -> list[Token]:
    """Split a text into tokens, leaving every abbreviation whole."""
    tokens: list[Token] = []
    add = tokens.append
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        assert kind is not None, "every alternative has a name"
        word = match[kind]
        start, end = match.span(kind)
        if kind == "plain":
            cut = FUSED.get(word)
            if cut is not None:
                add(Token(word[:cut], start, start + cut))
                word, start = word[cut:], start + cut
        elif kind == "word":
            if _MARK.search(word):
                begin = start
                for cut in cut_contraction(word):
                    add(Token(text[start : begin + cut], start, begin + cut))
                    start = begin + cut
                word = text[start:end]
        elif tokens and tokens[-1].end == start and _belongs(tokens[-1], kind, word, text):
            last = tokens.pop()
            word, start = last.text + word, last.start
        add(Token(word, start, end))
    return tokens


def release_stop(tokens: list[Token]) -> None:
    """Cut off, in place, the full stop of an abbreviation that ends a sentence, apart from closing
    marks.
    """
    for place in range(len(tokens) - 1, -1, -1):
        text, start, end = tokens[place]
        if text in CLOSERS or text in STRAIGHT:
            continue
        if text[-1] == "." and text[-2:-1].isalnum() and gives_up_stop(text):
            halves = (Token(text[:-1], start, end - 1), Token(".", end - 1, end))
            tokens[place : place + 1] = halves
        return


def _belongs(last: Token, kind: str, mark: str, text: str) -> bool:
    """Whether a full stop or an apostrophe right after a token belongs to it."""
    if kind == "stop":
        return last.text[-1].isalnum() and owns_stop(last.text, text, last.end)
    return kind == "mark" and mark in APOSTROPHE and drops_g(last.text)
