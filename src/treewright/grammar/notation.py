r"""The text form of rules: canonical, readable, and exact both ways.

    S/S -> (S (PP (IN Like) NP[ε]) NP[1] VP[2]) / (S NP[1] VP[2])
    NP/"" -> (NP DT[1] (NN Haus) PP[2]) / "[1] [2] house"
    NP/"" -> (NP (DT das) (NN Haus)) / "the house" @ 0-0 1-1

Linked variables are numbered in source order, the others carry `[ε]`. A string target stands in
double quotes, its variables without a label. A word alignment may follow `@`: pairs of the source
fragment's words and the target's, counted from 0. Inside labels and words a backslash stands before
`/ ( ) [ ] " ε` and itself, white space is written `\u{20}`, and a name without characters (the root
label of some treebanks) `\u{}`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache

from treewright.corpora import format_pharaoh, parse_pharaoh
from treewright.errors import ParseError, check_type
from treewright.grammar.rule import EPSILON, STRING, UNLINKED, Rule, TargetString, frontier
from treewright.trees import Tree, write_brackets

_SPECIAL = re.compile(r'[/()\[\]"ε\\]|\s')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]*)\}|\\(.)", re.DOTALL)
_EMPTY = r"\u{}"
_SURROGATES = range(0xD800, 0xE000)
_NAME = r'(?:[^\s/()\[\]"ε\\]|\\u\{[0-9a-f]*\}|\\[/()\[\]"ε\\])+'
_TOKEN = re.compile(
    rf"""\s*(?:
      \((?P<tag>{_NAME})\s+(?P<word>{_NAME})\)
    | \((?P<open>{_NAME})
    | (?P<close>\))
    | (?P<frontier>{_NAME})\[(?P<link>ε|[0-9]+)\]
    | (?P<slash>/)
    | (?P<epsilon>ε)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | @(?P<alignment>[\s0-9-]*)$
    )""",
    re.VERBOSE,
)
_ITEM = re.compile(rf"\[(?P<link>ε|[0-9]+)\]|(?P<word>{_NAME})")
_ROOT = re.compile(rf"\s*(?P<source>ε|{_NAME})/(?P<target>ε|{STRING}|{_NAME})\s+->")


def format_rule(rule: Rule, *, alignment: bool = False) -> str:
    """Write a rule in its canonical text form, on request with its word alignment."""
    numbers: dict[int, int] = {}
    marks = []
    for link in rule.links:
        if link != UNLINKED:
            numbers[link] = len(numbers) + 1
        marks.append(str(numbers[link]) if link != UNLINKED else EPSILON)
    target_marks = [str(numbers.get(j, EPSILON)) for j in range(len(rule.target_frontier))]
    text = (
        f"{format_root(rule)} -> "
        f"{_format_side(rule.source, marks)} / {_format_side(rule.target, target_marks)}"
    )
    if not alignment or rule.alignment is None:
        return text
    return f"{text} @ {format_pharaoh(rule.alignment)}".rstrip()


def format_root(rule: Rule) -> str:
    """Write a rule's root pair."""
    sides = (rule.source, rule.target)
    return "/".join([EPSILON if side is None else _format_label(side) for side in sides])


def _format_label(side: Tree | TargetString) -> str:
    return STRING if isinstance(side, TargetString) else escape(side.label)


def format_fragment(fragment: Tree | TargetString | None) -> str:
    """Write a side alone, its variables as `NP[]` or `[]`: what they are linked to is left out."""
    return _format_side(fragment, [""] * len(frontier(fragment)))


def _format_side(side: Tree | TargetString | None, marks: list[str]) -> str:
    if side is None:
        return EPSILON
    mark = iter(marks)
    if isinstance(side, TargetString):
        items = [f"[{next(mark)}]" if item is None else escape(item) for item in side.items]
        return f'"{" ".join(items)}"'
    return write_brackets(side, escape, lambda label: f"{label}[{next(mark)}]")


def parse_rule(text: str, *, where: str = "<rule>") -> Rule:
    """Read a rule from its text form; numbers may come in any order, roots must agree."""
    check_type(text, str, "a rule in its text form", "a string")
    try:
        return _parse(text)
    except ValueError as error:
        raise ParseError(f"{error} in the rule {text.strip()!r}", where=where) from None


def _parse(text: str) -> Rule:
    head = _ROOT.match(text)
    if head is None:
        raise ValueError("expected 'X/Y -> …' at the start")
    tokens = _tokens(text, head.end())
    source, source_marks = _parse_side(tokens)
    kind, _ = next(tokens, ("end", None))
    if kind != "slash":
        raise ValueError("expected '/' between source and target")
    target, target_marks = _parse_side(tokens)
    kind, match = next(tokens, ("end", None))
    if kind not in ("alignment", "end"):
        raise ValueError("found more text after the target")
    alignment = None if match is None else parse_pharaoh(match["alignment"], where="")
    if isinstance(source, TargetString):
        raise ValueError("the source is a string; only a target can be one")
    for side, stated in ((source, head["source"]), (target, head["target"])):
        if not _agrees(side, stated):
            rooted = EPSILON if side is None else _format_label(side)
            raise ValueError(f"the root says {stated} but the fragment is rooted in {rooted}")
    return Rule(source, target, _links(source_marks, target_marks), alignment)


def _agrees(side: Tree | TargetString | None, stated: str) -> bool:
    if isinstance(side, Tree):
        return stated not in (EPSILON, STRING) and _unescape(stated) == side.label
    return stated == (EPSILON if side is None else STRING)


def _tokens(text: str, start: int) -> Iterator[tuple[str, re.Match[str]]]:
    behind = len(text.rstrip())
    while start < behind:
        match = _TOKEN.match(text, start)
        if match is None:
            raise ValueError(f"cannot read {text[start : start + 20]!r} at column {start + 1}")
        yield _kind(match), match
        start = match.end()


def _kind(match: re.Match[str]) -> str:
    last = match.lastgroup
    assert last is not None
    return last


def _parse_side(
    tokens: Iterator[tuple[str, re.Match[str]]],
) -> tuple[Tree | TargetString | None, list[str]]:
    marks: list[str] = []
    open_nodes: list[tuple[str, list[Tree]]] = []
    for kind, match in tokens:
        if kind == "epsilon" and not open_nodes:
            return None, marks
        if kind == "string" and not open_nodes:
            return _parse_string(match["string"][1:-1])
        if kind == "open":
            open_nodes.append((_unescape(match["open"]), []))
            continue
        if kind == "word":
            tree = Tree(_unescape(match["tag"]), word=_unescape(match["word"]))
        elif kind == "link":
            tree = Tree(_unescape(match["frontier"]))
            marks.append(match["link"])
        elif kind == "close" and open_nodes:
            label, children = open_nodes.pop()
            if not children:
                raise ValueError(f"({label}) is empty")
            tree = Tree(label, children)
        else:
            raise ValueError(f"unexpected {match[0].strip()!r}")
        if not open_nodes:
            return tree, marks
        open_nodes[-1][1].append(tree)
    raise ValueError("the text ends inside a fragment")


def _parse_string(text: str) -> tuple[TargetString, list[str]]:
    items: list[str | None] = []
    marks: list[str] = []
    for item in text.split():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise ValueError(f"cannot read {item!r} in a string")
        items.append(None if match["link"] else _unescape(match["word"]))
        if match["link"]:
            marks.append(match["link"])
    return TargetString(tuple(items)), marks


def _links(source_marks: list[str], target_marks: list[str]) -> tuple[int, ...]:
    positions = {mark: j for j, mark in enumerate(target_marks) if mark != EPSILON}
    numbered = [mark for mark in source_marks if mark != EPSILON]
    if len(positions) != sum(mark != EPSILON for mark in target_marks):
        raise ValueError("a number occurs twice in the target")
    if sorted(numbered) != sorted(positions):
        raise ValueError("source and target do not carry the same numbers")
    return tuple(UNLINKED if mark == EPSILON else positions[mark] for mark in source_marks)


@lru_cache(maxsize=1 << 16)
def escape(name: str) -> str:
    """Write a label or word without marks of the notation and without white space."""
    return _SPECIAL.sub(_escape_one, name) if name else _EMPTY


def _escape_one(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\u{{{ord(character):x}}}" if character.isspace() else f"\\{character}"


def _unescape(name: str) -> str:
    if "\\" not in name:
        return name
    return _ESCAPED.sub(lambda match: match[2] or _character(match[1]), name)


def _character(digits: str) -> str:
    if not digits:
        return ""
    number = int(digits, 16)
    if number > sys.maxunicode or number in _SURROGATES:
        raise ValueError(f"\\u{{{digits}}} is not a character")
    return chr(number)
