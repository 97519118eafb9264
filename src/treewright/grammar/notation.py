r"""The text form of rules: canonical, readable, and exact both ways.

    S/S -> (S (PP (IN Like) NP[ε]) NP[1] VP[2]) / (S NP[1] VP[2])

Linked frontier nodes are numbered in source order, the others carry `[ε]`. Inside labels and words
a backslash stands before `/ ( ) [ ] ε` and itself, white space is written `\u{20}`, and a name
without characters (the root label of some treebanks) `\u{}`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache

from treewright.errors import ParseError, check_type
from treewright.grammar.rule import EPSILON, UNLINKED, Rule
from treewright.trees import Tree
from treewright.trees.brackets import write_brackets

_SPECIAL = re.compile(r"[/()\[\]ε\\]|\s")
_ESCAPED = re.compile(r"\\u\{([0-9a-f]*)\}|\\(.)", re.DOTALL)
_EMPTY = r"\u{}"
_SURROGATES = range(0xD800, 0xE000)
_NAME = r"(?:[^\s/()\[\]ε\\]|\\u\{[0-9a-f]*\}|\\[/()\[\]ε\\])+"
_TOKEN = re.compile(
    rf"""\s*(?:
      \((?P<tag>{_NAME})\s+(?P<word>{_NAME})\)
    | \((?P<open>{_NAME})
    | (?P<close>\))
    | (?P<frontier>{_NAME})\[(?P<link>ε|[0-9]+)\]
    | (?P<slash>/)
    | (?P<epsilon>ε)
    )""",
    re.VERBOSE,
)
_ROOT = re.compile(rf"\s*(?P<source>ε|{_NAME})/(?P<target>ε|{_NAME})\s+->")


def format_rule(rule: Rule) -> str:
    """Write a rule in its canonical text form."""
    numbers: dict[int, int] = {}
    marks = []
    for link in rule.links:
        if link != UNLINKED:
            numbers[link] = len(numbers) + 1
        marks.append(str(numbers[link]) if link != UNLINKED else EPSILON)
    target_marks = [str(numbers.get(j, EPSILON)) for j in range(len(rule.target_frontier))]
    source_root, target_root = (
        EPSILON if side is None else escape(side.label) for side in (rule.source, rule.target)
    )
    return (
        f"{source_root}/{target_root} -> "
        f"{_format_side(rule.source, marks)} / {_format_side(rule.target, target_marks)}"
    )


def format_fragment(fragment: Tree | None) -> str:
    """Write only a fragment, with its frontier nodes as `NP[]`, without links."""
    return EPSILON if fragment is None else write_brackets(fragment, escape, "{}[]".format)


def _format_side(fragment: Tree | None, marks: list[str]) -> str:
    if fragment is None:
        return EPSILON
    mark = iter(marks)
    return write_brackets(fragment, escape, lambda label: f"{label}[{next(mark)}]")


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
    if next(tokens, None) is not None:
        raise ValueError("found more text after the target")
    for side, stated in ((source, head["source"]), (target, head["target"])):
        expected = None if stated == EPSILON else _unescape(stated)
        found = None if side is None else side.label
        if found != expected:
            rooted = EPSILON if found is None else escape(found)
            raise ValueError(f"the root says {stated} but the fragment is rooted in {rooted}")
    return Rule(source, target, _links(source_marks, target_marks))


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


def _parse_side(tokens: Iterator[tuple[str, re.Match[str]]]) -> tuple[Tree | None, list[str]]:
    marks: list[str] = []
    open_nodes: list[tuple[str, list[Tree]]] = []
    for kind, match in tokens:
        if kind == "epsilon" and not open_nodes:
            return None, marks
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
