"""Penn brackets: a streaming reader with exact error positions, and the writer.

Words are kept as the file has them (`-LRB-` remains `-LRB-`). The writer escapes brackets that a
caller put into a word, so whatever is written can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from treewright.errors import DataError, ParseError, Problems, check_type
from treewright.files import FORBIDDEN, check_text, open_text
from treewright.trees.tree import Tree

MAX_TOKENS = 1_000_000
"""The most brackets and words in one tree; more means a bracket that was never closed."""

MAX_DEPTH = 250
"""Deeper nesting is rejected: no parser produces it, and hostile input must not exhaust the
machine.
"""

TOPS = ("", "ROOT", "TOP", "S1")
"""Labels that treebanks give to the top of a tree and to nothing else."""

BRACKETS = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
"""Brackets, and what Penn writes for a token that is one."""

_UNESCAPES = {penn: plain for plain, penn in BRACKETS.items()}
_PIECE = 1 << 20
_TOKEN = re.compile(
    r"""
    \( (?P<tag>[^\s()]+) [^\S\n]+ (?P<leaf>[^\s()]+) [^\S\n]* \)  # a preterminal on one line
    | \( \s* (?P<open>[^\s()]*)
    | (?P<close>\))
    | (?P<word>[^\s()]+)
    """,
    re.VERBOSE,
)
_UNSAFE = re.compile(r"[\s()]")


class Scanned(NamedTuple):
    """One item of a bracket file: where it began, and the tree or the error."""

    line: int
    tree: Tree | ParseError


def escape(word: str) -> str:
    """Return `word` with round brackets as Penn writes them."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def escape_token(token: str) -> str:
    """Return a token as Penn writes it: a bracket of any kind, and round ones inside words."""
    return BRACKETS.get(token) or escape(token)


def unescape(word: str) -> str:
    """Return `word` with Penn's bracket escapes undone (round, square and curly)."""
    return _UNESCAPES.get(word, word)


def format_tree(tree: Tree) -> str:
    """Write a tree on one line; a frontier node is written `(LABEL)`."""
    return write_brackets(tree, _safe, lambda label: f"({label})")


def write_brackets(tree: Tree, name: Callable[[str], str], frontier: Callable[[str], str]) -> str:
    """Write a tree or fragment on one line; `name` writes labels and words, `frontier` frontier
    nodes.

    Frontier nodes come from left to right, with their labels already written by `name`.
    """
    parts: list[str] = []
    stack: list[Tree | None] = [tree]
    while stack:
        node = stack.pop()
        if node is None:
            parts.append(")")
            continue
        space = " " if parts else ""
        label = name(node.label)
        if node.word is not None:
            parts.append(f"{space}({label} {name(node.word)})")
        elif node.children:
            parts.append(f"{space}({label}")
            stack.append(None)
            stack.extend(reversed(node.children))
        else:
            parts.append(f"{space}{frontier(label)}")
    return "".join(parts)


def _safe(text: str) -> str:
    if not _UNSAFE.search(text):
        return text
    if any(character.isspace() for character in text):
        raise DataError(f"a label or word may not contain white space, found {text!r}")
    return escape(text)


def parse_tree(
    text: str, *, max_depth: int = MAX_DEPTH, where: str = "<text>", line: int = 1
) -> Tree:
    """Read exactly one tree from a string that begins on `line` of `where`.

    A `ParseError` is at `where:line:column`; an error about the number of trees has no column.
    """
    check_type(text, str, "a tree in brackets", "a string")
    tree = _parse_plain(text, max_depth)
    if tree is not None:
        return tree
    trees: list[Tree] = []
    for scanned in _scan(_lines_of(text, line), where, max_depth, many=False):
        if isinstance(scanned.tree, ParseError):
            raise scanned.tree
        trees.append(scanned.tree)
    if len(trees) != 1:
        place = f"{where}:{line}" if where else ""
        raise ParseError(f"expected one tree, found {len(trees)}", where=place)
    return trees[0]


def _parse_plain(text: str, max_depth: int) -> Tree | None:
    """Read one flawless tree three times as fast; return `None` to leave anything else to the
    automaton.
    """
    if FORBIDDEN.search(text):
        return None
    labels: list[str] = []
    children: list[list[Tree]] = [[]]
    for tag, leaf, label, close, word in _TOKEN.findall(text):
        if leaf:
            children[-1].append(Tree(tag, word=leaf))
        elif close:
            if not labels or not children[-1]:
                return None
            tree = Tree(labels.pop(), children.pop())
            children[-1].append(tree)
        elif word or len(labels) >= max_depth:
            return None
        else:
            labels.append(label)
            children.append([])
    return children[0][0] if not labels and len(children[0]) == 1 else None


def scan_trees(path: str | Path, *, stream: TextIO | None = None) -> Iterator[Scanned]:
    """Stream the trees of a bracket file (`-` is standard input), with errors in place of bad ones.

    After an error, reading continues at the next line that has a bracket in the first column. If
    anything but a new tree follows a tree on its line (an extra bracket or word), the tree counts
    as bad, so a bad line is one error, not a tree and an error. A tree that is never closed ends
    where a line opens the same top label again (`(ROOT`, `( (S`) in the first column, so one
    missing bracket costs one tree; with other labels it costs the rest of the file.
    """
    with open_text(path, stream=stream) as handle:
        yield from _scan(_pieces(handle), str(path), MAX_DEPTH)


def read_trees(path: str | Path, *, problems: Problems | None = None) -> Iterator[Tree]:
    """Stream the good trees of a bracket file; bad ones go to `problems` (without it, they are
    raised).
    """
    problems = problems or Problems(strict=True)
    return problems.good(scanned.tree for scanned in scan_trees(path))


def read_tree_lines(path: str | Path, *, problems: Problems | None = None) -> Iterator[Tree | None]:
    """Stream one tree per line, `None` for a blank line or (unless strict) a bad one.

    This keeps line positions, which matter for files that are parallel to others.
    """
    problems = problems or Problems(strict=True)
    with open_text(path) as handle:
        for number, line in enumerate(handle, start=1):
            try:
                tree = None
                if line.strip():
                    tree = parse_tree(line, where=str(path), line=number)
            except ParseError as error:
                problems.add(error)
            yield tree


class _Piece(NamedTuple):
    line: int
    column: int
    text: str
    fault: str = ""


def _lines_of(text: str, first: int) -> Iterator[_Piece]:
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=first):
        yield _Piece(number, 1, line)


def _pieces(handle: TextIO) -> Iterator[_Piece]:
    """Yield lines, cutting very long ones between tokens so that memory stays bounded."""
    number, column, rest = 1, 1, ""
    while chunk := handle.readline(_PIECE):
        text = rest + chunk
        ended = chunk.endswith("\n")
        cut = len(text) if ended else max(text.rfind(c) for c in "() \t") + 1
        fault = ""
        if cut == 0 and len(text) > _PIECE:
            fault, cut = f"a word of more than {_PIECE} characters", len(text)
        yield _Piece(number, column, text[:cut], fault)
        column, rest = column + cut, text[cut:]
        if ended:
            number, column = number + 1, 1
    if rest:
        yield _Piece(number, column, rest)


class _Open(NamedTuple):
    label: str
    children: list[Tree]
    words: list[str]
    line: int
    column: int


def _scan(
    pieces: Iterator[_Piece], path: str, max_depth: int, *, many: bool = True
) -> Iterator[Scanned]:
    """Run the bracket automaton over pieces of text, recovering after each error.

    `many` says whether a line may start a new tree while the one before it is still open.
    """
    stack: list[_Open] = []
    start, size = 1, 0
    skipping = False
    finished: Scanned | None = None
    for piece in pieces:
        if piece.column == 1 and piece.text.startswith("("):
            skipping = False
            if many and stack and _reopens(stack[0], piece.text):
                yield Scanned(start, _unclosed(stack, path, "the next tree begins"))
                stack.clear()
        if skipping:
            continue
        try:
            check_text(piece.text, path, piece.line, piece.column)
            if piece.fault:
                raise _FaultError(piece.fault, 0)
            for match in _TOKEN.finditer(piece.text):
                if not stack:
                    start, size = piece.line, 0
                size += 1
                if size > MAX_TOKENS:
                    raise _FaultError(f"a tree of more than {MAX_TOKENS} tokens", match.start())
                tree = _step(stack, match, piece, max_depth)
                if finished is not None:
                    yield finished
                finished = None if tree is None else Scanned(start, tree)
        except (_FaultError, ParseError) as error:
            if isinstance(error, _FaultError):
                error = error.at(path, piece)
            spoilt = start if stack else finished.line if finished else piece.line
            yield Scanned(spoilt, error)
            finished = None
            stack.clear()
            skipping = True
        if finished is not None and piece.text.endswith("\n"):
            yield finished
            finished = None
    if finished is not None:
        yield finished
    if stack:
        yield Scanned(start, _unclosed(stack, path, "the text ends"))


def _reopens(root: _Open, text: str) -> bool:
    """Whether a line starts a new tree while `root` is still open."""
    match = _TOKEN.match(text)
    return (
        root.column == 1
        and root.label in TOPS
        and match is not None
        and (match["open"] == root.label)
    )


def _unclosed(stack: list[_Open], path: str, event: str) -> ParseError:
    top = stack[-1]
    brackets = "1 bracket" if len(stack) == 1 else f"{len(stack)} brackets"
    return ParseError(
        f"{event} inside ({top.label}, {brackets} still open; add the missing ')'",
        where=f"{path}:{top.line}:{top.column}",
    )


class _FaultError(Exception):
    """An error at an offset of the current piece, before it knows its file."""

    def __init__(self, message: str, offset: int) -> None:
        self.message = message
        self.offset = offset

    def at(self, path: str, piece: _Piece) -> ParseError:
        """Return the same error with its place in the file."""
        where = f"{path}:{piece.line}:{piece.column + self.offset}"
        return ParseError(self.message, where=where)


def _step(stack: list[_Open], match: re.Match[str], piece: _Piece, max_depth: int) -> Tree | None:
    """Advance by one token; return the tree that it completes at the top level, if any."""
    kind = match.lastgroup
    if kind == "leaf":
        tree = Tree(match["tag"], word=match["leaf"])
        if not stack:
            return tree
        if stack[-1].words:
            raise _beside(stack[-1], match)
        stack[-1].children.append(tree)
        return None
    if kind == "open":
        if len(stack) >= max_depth:
            raise _FaultError(f"nesting deeper than the limit of {max_depth}", match.start())
        if stack and stack[-1].words:
            raise _beside(stack[-1], match)
        stack.append(_Open(match["open"], [], [], piece.line, piece.column + match.start()))
        return None
    if kind == "close":
        if not stack:
            raise _FaultError("')' without a matching '('", match.start())
        tree = _close(stack.pop(), match)
        if stack:
            stack[-1].children.append(tree)
            return None
        return tree
    if not stack:
        raise _FaultError(
            f"expected '(' at the start of a tree, found {match['word']!r}", match.start()
        )
    top = stack[-1]
    if top.children or top.words:
        raise _beside(top, match)
    if not top.label:  # the line, or a piece of a very long one, ended after the bracket
        stack[-1] = top._replace(label=match["word"])
    else:
        top.words.append(match["word"])
    return None


def _beside(node: _Open, match: re.Match[str]) -> _FaultError:
    return _FaultError(
        f"{match[0].strip()!r} stands beside other content of ({node.label}; "
        "a node holds either one word or bracketed nodes",
        match.start(),
    )


def _close(node: _Open, match: re.Match[str]) -> Tree:
    if node.words:
        return Tree(node.label, word=node.words[0])
    if not node.children:
        raise _FaultError(
            f"({node.label}) is empty; a node needs a word or children", match.start()
        )
    return Tree(node.label, node.children)
