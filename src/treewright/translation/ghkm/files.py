"""Files of pairs to extract rules from, and files of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from treewright.corpora import (
    MAX_SENTENCE,
    Alignment,
    Pair,
    check_alignment,
    check_size,
    scan_links,
    scan_plain,
    scan_tokens,
)
from treewright.errors import DataError, ModelFileError, Problems, choose
from treewright.evaluation import GoldAlignment
from treewright.grammar import PART, Grammar, grammar_parts, read_grammar
from treewright.modelfile import read_mapped_model, write_model
from treewright.translation.ghkm.building import KINDS
from treewright.trees import Tree, parse_tree, unescape, with_words

KIND = "translation-rules"


def read_tree_pairs(
    trees: str | Path,
    target: str | Path,
    links: str | Path,
    *,
    kind: str = "strings",
    problems: Problems | None = None,
) -> Iterator[Pair]:
    """Stream pairs from three files with a line for each: a tree, its translation, their links.

    A translation is tokenised, or a tree, too. Pairs are left out if a line cannot be read or a
    sentence has no tree; files of different length end in an error, whatever `problems` allows.
    """
    choose(kind, KINDS, "kind of target")
    problems = problems or Problems(strict=True)
    targets = scan_tokens(target) if kind == "strings" else scan_tree_lines(target)
    for row in in_step((trees, target, links), scan_tree_lines(trees), targets, scan_links(links)):
        errors = [value for _, value in row if isinstance(value, DataError)]
        if errors:
            problems.add(errors[0])
        else:
            yield _pair(row)


def read_aligned_trees(
    trees: str | Path, links: str | Path, *, reverse: bool = False, problems: Problems | None = None
) -> Iterator[tuple[Tree, Alignment]]:
    """Stream trees with links, of gold ones those that are sure; in `reverse`, trees are of the
    links' target side.
    """
    problems = problems or Problems(strict=True)
    columns = (scan_tree_lines(trees), scan_plain(links))
    for (_, tree), (where, line) in in_step((trees, links), *columns):
        try:
            for value in (tree, line):
                if isinstance(value, DataError):
                    raise value
            sure = GoldAlignment.parse(line, where=where).sure
            alignment = tuple(sorted((j, i) if reverse else (i, j) for i, j in sure))
            most = 1 + max((j for _, j in alignment), default=0)
            check_alignment(alignment, len(tree.words()), most, where=where)
        except DataError as error:
            problems.add(error)
        else:
            yield tree, alignment


def in_step(
    paths: Sequence[str | Path], *columns: Iterator[tuple[str, Any]]
) -> Iterator[tuple[Any, ...]]:
    """Yield the lines of several files together; all must have as many."""
    for number, row in enumerate(zip_longest(*columns)):
        if None in row:
            ended, other = row.index(None), next(k for k, item in enumerate(row) if item)
            raise DataError(
                f"it ends after {number} lines, but {paths[other]} goes on; each line must have "
                "its partner",
                where=str(paths[ended]),
            )
        yield row


def _pair(row: tuple[Any, ...]) -> Pair:
    (_, source), (_, target), (where, alignment) = row
    return Pair(where, source, target if isinstance(target, Tree) else tuple(target), alignment)


def scan_tree_lines(path: str | Path) -> Iterator[tuple[str, Tree | DataError]]:
    """Stream where each line of a file is, and its tree or why there is none."""
    for where, trees in scan_line_trees(path):
        if isinstance(trees, DataError):
            yield where, trees
        elif len(trees) > 1:
            yield where, DataError(f"{len(trees)} trees; expected one", where=where)
        else:
            yield where, trees[0]


def scan_line_trees(path: str | Path) -> Iterator[tuple[str, tuple[Tree, ...] | DataError]]:
    """Stream where each line of a file is, and its trees: of one sentence, separated by tabs."""
    for number, (where, line) in enumerate(scan_plain(path), start=1):
        try:
            if isinstance(line, DataError):
                raise line
            if not line.strip():
                raise DataError("no tree; the sentence was not parsed", where=where)
            trees = [
                _unescaped(parse_tree(text, where=str(path), line=number))
                for text in line.split("\t")
                if text.strip()
            ]
            check_size(trees[0].words(), MAX_SENTENCE, what="the tree", where=where)
            if any(tree.words() != trees[0].words() for tree in trees):
                raise DataError(
                    "trees of different sentences; expected the same words", where=where
                )
        except DataError as error:
            yield where, error
        else:
            yield where, tuple(trees)


def _unescaped(tree: Tree) -> Tree:
    """Return a tree whose words are as text has them: brackets are not escaped."""
    words = tree.words()
    plain = [unescape(word).replace("-LRB-", "(").replace("-RRB-", ")") for word in words]
    return tree if plain == list(words) else with_words(tree, plain)


def save_rules(grammar: Grammar, path: str | Path, metadata: Mapping[str, Any]) -> None:
    """Write rules to a model file; `metadata` says how they were made."""
    write_model(path, kind=KIND, parts=grammar_parts(grammar), metadata=metadata)


def load_rules(path: str | Path) -> tuple[Grammar, dict[str, Any]]:
    """Read rules and how they were made; large arrays are mapped into memory."""
    parts, metadata = read_mapped_model(path, kind=KIND, known=(PART,))
    try:
        return read_grammar(parts), metadata
    except (ValueError, LookupError, TypeError) as error:
        raise ModelFileError(
            f"damaged: {error}; extract the rules again", where=str(path)
        ) from None
