"""Scoring systems against the targets of a corpus.

Relations are compared on words, `(label, head word, dependent word)`, as a bag for each sentence,
and counts are summed over sentences (micro average). Copying the source scores high on them, so
every result carries the compression rates too: of all tokens, and of words without punctuation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from treewright.corpora import Pair, is_word
from treewright.counts import Counts, compare, signature
from treewright.errors import DataError, UsageError
from treewright.evaluation.result import COLUMNS, Evaluation
from treewright.trees import Tree, format_tree

RELATION_SET = "stanford-basic"

Extractor = Callable[[Tree], Iterable[tuple[str, int, int]]]
"""Gives a tree's relations as (label, head, dependent) with positions from 1."""


def evaluate(
    system: Iterable[Tree | None],
    pairs: Iterable[Pair],
    *,
    name: str = "system",
    target: int | None = None,
    relations: Extractor | None = None,
) -> Evaluation:
    """Score one system's outputs, in the order of the pairs; `None` is a missing output.

    A missing output counts as empty. `target` only goes into the signature: it says which of the
    corpus's targets the pairs hold.
    """
    [evaluation] = evaluate_all({name: system}, pairs, target=target, relations=relations)
    return evaluation


def evaluate_all(
    systems: Mapping[str, Iterable[Tree | None]],
    pairs: Iterable[Pair],
    *,
    target: int | None = None,
    relations: Extractor | None = None,
) -> list[Evaluation]:
    """Score several systems on the same pairs in one pass over all of them."""
    if not systems:
        raise UsageError("no system to evaluate")
    extract = _default_extractor() if relations is None else relations
    rows: list[list[list[int]]] = [[] for _ in systems]
    ids: list[str] = []
    digest = hashlib.sha256()
    for outputs, pair in _in_step(systems, pairs):
        ids.append(pair.id)
        digest.update(
            f"{pair.id}\n{format_tree(pair.source)}\n{format_tree(pair.target_tree)}\n".encode()
        )
        gold = bag_of_relations(pair.target_tree, extract)
        for table, output in zip(rows, outputs, strict=True):
            table.append(_row(output, pair, gold, extract))
    if not ids:
        raise DataError("no pairs to evaluate against")
    which = "?" if target is None else str(target)
    measured = signature(len(ids), digest.hexdigest(), relations=RELATION_SET, target=which)
    return [
        Evaluation(name, tuple(ids), np.array(table, dtype=np.int64), measured)
        for name, table in zip(systems, rows, strict=True)
    ]


def bag_of_relations(tree: Tree | None, extract: Extractor) -> list[tuple[str, str, str]]:
    """Return a tree's relations with words instead of positions; `None` has no relations."""
    if tree is None:
        return []
    words = tree.words()
    return [
        (label, words[head - 1], words[dependent - 1])
        for label, head, dependent in extract(tree)
        if head > 0
    ]


def _row(
    output: Tree | None, pair: Pair, gold: Sequence[tuple[str, str, str]], extract: Extractor
) -> list[int]:
    system = () if output is None else output.words()
    reference, source = pair.target_words, pair.source.words()
    relations = compare(bag_of_relations(output, extract), gold)
    words = compare(filter(is_word, system), filter(is_word, reference))
    row = {
        **_three("relations", relations),
        **_three("words", words),
        "words_source": sum(map(is_word, source)),
        "tokens_system": len(system),
        "tokens_reference": len(reference),
        "tokens_source": len(source),
        "exact": int(system == reference),
        "missing": int(output is None),
        "sentences": 1,
    }
    return [row[name] for name in COLUMNS]


def _three(what: str, counts: Counts) -> dict[str, int]:
    return {
        f"{what}_matched": counts.matched,
        f"{what}_system": counts.system,
        f"{what}_reference": counts.reference,
    }


def _in_step(
    systems: Mapping[str, Iterable[Tree | None]], pairs: Iterable[Pair]
) -> Iterator[tuple[list[Tree | None], Pair]]:
    """Walk through all systems and the pairs together; different lengths are an error that names
    both.
    """
    streams = {name: iter(outputs) for name, outputs in systems.items()}
    rest: Iterator[Any] = iter(pairs)
    done = 0
    for pair in rest:
        outputs: list[Tree | None] = []
        for name, stream in streams.items():
            output = next(stream, _END)
            if output is _END:
                total = done + 1 + sum(1 for _ in rest)
                raise _unlike(name, done, total)
            assert output is None or isinstance(output, Tree)
            outputs.append(output)
        yield outputs, pair
        done += 1
    for name, stream in streams.items():
        more = sum(1 for _ in stream)
        if more:
            raise _unlike(name, done + more, done)


_END: Any = object()


def _unlike(name: str, outputs: int, pairs: int) -> DataError:
    return DataError(
        f"{outputs} outputs for {pairs} pairs; give one line for each pair, in order, "
        "and an empty line for a missing output",
        where=name,
    )


def _default_extractor() -> Extractor:
    from treewright.trees.relations import relations

    return relations
