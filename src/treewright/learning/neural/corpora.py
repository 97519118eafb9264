"""Corpora as the network learns from them: every target in a style, with the trees of a parser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treewright.alignment import align_pairs, reparse
from treewright.corpora import Pair, read_pairs, read_records
from treewright.errors import Problems
from treewright.parsing import Parser


def styled_pairs(
    path: str | Path,
    name: str,
    *,
    parser: Parser | None = None,
    target: int | None = None,
    problems: Problems | None = None,
) -> Iterator[tuple[Pair, str]]:
    """Yield the aligned pairs of a corpus, each with its style.

    Each of several targets is a style, `name#0`, `name#1`, …; with one `target`, the style is just
    the name. Without a parser, the corpus's own trees are used.
    """
    styles: dict[str, str] = {}

    def read() -> Iterator[Pair]:
        if target is not None:
            yield from read_pairs(path, target=target, problems=problems)
            return
        for record in read_records(path, problems=problems):
            for number, pair in enumerate(record.pairs()):
                if len(record.targets) > 1:
                    styles[pair.id] = f"{name}#{number}"
                yield pair

    pairs = align_pairs(read(), problems)
    if parser is not None:
        pairs = reparse(pairs, parser, problems=problems)
    for pair in pairs:
        yield pair, styles.get(pair.id, name)
