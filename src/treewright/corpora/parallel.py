"""Corpora as two parallel bracket files, with an optional file of Pharaoh alignments.

Position ties the files together, so reading is by line, not by bracket: a new tree begins at each
bracket in the first column (or wherever the tree before it is complete), and indented lines
continue the tree above. A missing bracket thus costs its own pair and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from treewright.corpora.limits import MAX_LINE, MAX_WORDS, check_size, numbered_lines
from treewright.corpora.links import Alignment, check_alignment, scan_links
from treewright.corpora.pair import Pair
from treewright.errors import DataError, ParseError, Problems, UsageError
from treewright.files import check_text, open_text
from treewright.trees import Tree, parse_tree


def read_parallel(
    source_path: str | Path,
    target_path: str | Path,
    alignment_path: str | Path | None = None,
    *,
    problems: Problems | None = None,
) -> Iterator[Pair]:
    """Stream the good pairs; ids are "1", "2", … by position, including bad pairs."""
    problems = problems or Problems(strict=True)
    return problems.good(scan_parallel(source_path, target_path, alignment_path))


def scan_parallel(
    source_path: str | Path,
    target_path: str | Path,
    alignment_path: str | Path | None = None,
) -> Iterator[Pair | DataError]:
    """Stream the pairs, with errors in place of bad ones; files of different length end in an
    error.
    """
    paths = [str(p) for p in (source_path, target_path, alignment_path) if p is not None]
    if paths.count("-") > 1:
        raise UsageError("only one of the files can be standard input")
    columns: list[Iterator[Tree | Alignment | DataError]] = [
        scan_blocks(source_path),
        scan_blocks(target_path),
    ]
    if alignment_path is not None:
        columns.append(links for _, links in scan_links(alignment_path))
    counts = [0] * len(columns)
    for number, row in enumerate(zip_longest(*columns), start=1):
        counts = [n + (item is not None) for n, item in zip(counts, row, strict=True)]
        if None not in row:
            yield _pair(number, row, paths)
    if not any(counts):
        yield DataError("no pairs in it; expected one bracketed tree per line", where=paths[0])
    elif len(set(counts)) > 1:
        shortest = counts.index(min(counts))
        lengths = ", ".join(f"{path} has {n}" for path, n in zip(paths, counts, strict=True))
        yield DataError(
            f"it ends before the others: {lengths}; each line must have its partner",
            where=f"{paths[shortest]}:{counts[shortest]}",
        )


def _pair(
    number: int, row: tuple[Tree | Alignment | DataError, ...], paths: list[str]
) -> Pair | DataError:
    for item in row:
        if isinstance(item, DataError):
            return item
    source, target, alignment = row if len(row) == 3 else (*row, None)
    assert isinstance(source, Tree)
    assert isinstance(target, Tree)
    if isinstance(alignment, tuple):
        try:
            where = f"{paths[2]}:{number}"
            check_alignment(alignment, len(source.words()), len(target.words()), where=where)
        except DataError as error:
            return error
        return Pair(str(number), source, target, alignment)
    return Pair(str(number), source, target)


def scan_blocks(path: str | Path) -> Iterator[Tree | DataError]:
    """Stream one item for each tree of a file, with errors in place of bad ones.

    In a file with one tree per line, a blank line is an item too: a missing tree. If trees spread
    over indented lines, blank lines only separate them.
    """
    spread = False
    for start, blanks, lines in _blocks(path):
        spread = spread or len(lines) > 1
        if not spread:
            for line in range(start - blanks, start):
                yield DataError("a blank line where a tree should be", where=f"{path}:{line}")
        yield _block_tree(str(path), start, lines)


def _blocks(path: str | Path) -> Iterator[tuple[int, int, list[str | DataError]]]:
    """Yield, for each tree, its first line's number, the blank lines before it, and its lines."""
    start, blanks, pending, depth, size = 0, 0, 0, 0, 0
    lines: list[str | DataError] = []
    with open_text(path) as handle:
        for number, text in numbered_lines(handle, str(path)):
            plain = text if isinstance(text, str) else ""
            if isinstance(text, str) and not text.strip():
                pending += 1
                continue
            if depth <= 0 or plain.startswith("(") or size > MAX_LINE:
                if lines:
                    yield start, blanks, lines
                start, blanks, lines, depth, size = number, pending, [], 0, 0
            else:
                lines.extend([""] * pending)
            pending = 0
            lines.append(text)
            size += len(plain)
            depth += plain.count("(") - plain.count(")")
    if lines:
        yield start, blanks, lines


def _block_tree(path: str, start: int, lines: list[str | DataError]) -> Tree | DataError:
    texts = []
    for number, line in enumerate(lines, start=start):
        if isinstance(line, DataError):
            return line
        try:
            check_text(line, path, number)
        except ParseError as error:
            return error
        texts.append(line)
    try:
        tree = parse_tree("\n".join(texts), where="")
        check_size(tree.words(), MAX_WORDS, what="the tree", where=f"{path}:{start}")
    except ParseError as error:
        return ParseError(error.message, where=_place(path, start, error.where))
    except DataError as error:
        return error
    return tree


def _place(path: str, start: int, inside: str) -> str:
    """Turn the `:line:column` inside a block, if known, into a position in the file."""
    if not inside:
        return f"{path}:{start}"
    _, line, column = inside.split(":")
    return f"{path}:{start + int(line) - 1}:{column}"
