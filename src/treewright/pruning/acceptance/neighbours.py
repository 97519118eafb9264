"""`Neighbours`: how often words and parts of speech stand side by side in running text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from treewright.modelfile import Part, pack_array, unpack_array
from treewright.pruning.acceptance.losses import Bonds
from treewright.text import is_word

Ints = NDArray[np.int32]

EDGE = 0
"""The class before the first and after the last token."""
LEAST = 5
"""Triples seen less often are not worth their room."""
WEAKEST_BOND, FEWEST = 0.2, 20
"""How often a word must be followed by a preposition, and occur at all, to be bound to it."""
_PREPOSITIONS = frozenset({"IN", "TO", "RP"})
_GOVERNORS = frozenset({"VB", "NN", "JJ"})
DISCOUNT = 0.75
"""What is taken from every count for what was not seen (absolute discounting)."""


class Table(NamedTuple):
    """Log-probabilities of a class after one and after two others, as kernels read them.

    `pair[b, c]` is that of `c` after `b`. What follows `a` and `b` in particular is row
    `a * size + b` of a sparse table: `classes` and `values` from `row[k]` to `row[k + 1]`, in
    ascending order; anything else is `rest[k] + pair[b, c]`.
    """

    pair: NDArray[np.float32]
    row: Ints
    classes: Ints
    values: NDArray[np.float32]
    rest: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """A trigram model over classes of tokens: frequent words as such, others by their tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    table: Table
    bonds: Bonds = field(default_factory=dict)

    @cached_property
    def _of_word(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(self.tags) + 1)}

    @cached_property
    def _of_tag(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, start=1)}

    def classes(self, words: Sequence[str], tags: Sequence[str]) -> Ints:
        """Return the class of each token, with two edges before and after them."""
        noun = self._of_tag["NN"]
        of_word, of_tag = self._of_word.get, self._of_tag.get
        found = [
            of_word(word.lower()) or of_tag(tag, noun)
            for word, tag in zip(words, tags, strict=True)
        ]
        return np.array([EDGE, EDGE, *found, EDGE, EDGE], dtype=np.int32)

    @classmethod
    def learn(
        cls, sentences: Sequence[tuple[Sequence[str], Sequence[str]]], *, num_words: int = 300
    ) -> Self:
        """Estimate from sentences of words and tags, with the most frequent words as classes."""
        tokens = Counter(word.lower() for words, _ in sentences for word in words)
        frequent = [word for word, _ in tokens.most_common() if is_word(word) and word != "<unk>"]
        tags = sorted({tag for _, tags in sentences for tag in tags} | {"NN"})
        counted = cls.count(sentences, frequent[:num_words], tags, least=LEAST)
        return replace(counted, bonds=_bonds(sentences, tokens))

    @classmethod
    def count(
        cls,
        sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
        words: Sequence[str],
        tags: Sequence[str],
        *,
        least: int,
    ) -> Self:
        """Estimate from sentences of words and tags, in which `words` are the frequent ones.

        Interpolated absolute discounting, with Kneser and Ney's counts of contexts for pairs.
        Triples seen fewer than `least` times are left to pairs.
        """
        empty = Table(*[np.empty(0, np.float32)] * 5)  # type: ignore[arg-type]
        coder = cls(tuple(words), tuple(tags), empty)
        size = len(words) + len(tags) + 1
        triples: list[NDArray[np.int64]] = []
        for tokens, labels in sentences:
            # One of the two edges behind the sentence is enough.
            line = coder.classes(tokens, labels)[:-1].astype(np.int64)
            triples.append((line[:-2] * size + line[1:-1]) * size + line[2:])
        keys, counts = np.unique(np.concatenate(triples), return_counts=True)
        return cls(tuple(words), tuple(tags), _estimate(keys, counts, size, least))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        bonds = [[*pair, share] for pair, share in self.bonds.items()]
        return {"words": list(self.words), "tags": list(self.tags), "bonds": bonds}

    def parts(self, folder: str) -> dict[str, bytes]:
        """Return the arrays for a model file, in half precision."""
        table = self.table
        lengths = np.diff(table.row)
        seen = lengths > 0
        arrays: dict[str, NDArray[Any]] = {
            "pair": table.pair.astype(np.float16),
            "lengths": lengths[seen].astype(np.uint16),
            "contexts": np.flatnonzero(seen).astype(np.uint32),
            "classes": table.classes.astype(np.uint16),
            "values": table.values.astype(np.float16),
            "rest": table.rest[seen].astype(np.float16),
        }
        return {f"{folder}/{name}.npy": pack_array(array) for name, array in arrays.items()}

    @classmethod
    def restore(cls, values: Mapping[str, Any], parts: Mapping[str, Part], folder: str) -> Self:
        """Undo `as_dict` and `parts`."""
        names = ("pair", "lengths", "contexts", "classes", "values", "rest")
        found = {name: unpack_array(parts[f"{folder}/{name}.npy"]) for name in names}
        words, tags = tuple(values["words"]), tuple(values["tags"])
        size = len(words) + len(tags) + 1
        lengths = np.zeros(size * size, dtype=np.int64)
        rest = np.zeros(size * size, dtype=np.float32)
        contexts = found["contexts"].astype(np.int64)
        lengths[contexts] = found["lengths"]
        rest[contexts] = found["rest"]
        row = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        table = Table(
            found["pair"].astype(np.float32),
            row,
            found["classes"].astype(np.int32),
            found["values"].astype(np.float32),
            rest,
        )
        _check(table, size)
        if "NN" not in tags:
            raise ValueError("neighbours need the tag NN, for tokens of unknown tags")
        bonds = {(str(word), str(next_)): float(share) for word, next_, share in values["bonds"]}
        return cls(words, tags, table, bonds)


def _bonds(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]], tokens: Mapping[str, int]
) -> dict[tuple[str, str], float]:
    """Return which prepositions often follow a word, with their shares of its occurrences."""
    pairs: Counter[tuple[str, str]] = Counter()
    for words, tags in sentences:
        lower = [word.lower() for word in words]
        for place, tag in enumerate(tags[1:], start=1):
            if tag in _PREPOSITIONS and tags[place - 1][:2] in _GOVERNORS:
                pairs[lower[place - 1], lower[place]] += 1
    shares = {pair: round(number / tokens[pair[0]], 2) for pair, number in pairs.items()}
    return {
        pair: share
        for pair, share in sorted(shares.items())
        if share >= WEAKEST_BOND and tokens[pair[0]] >= FEWEST
    }


def _check(table: Table, size: int) -> None:
    """Refuse what a kernel would read beyond its ends."""
    whole = table.pair.shape == (size, size) and table.row[-1] == len(table.classes)
    inside = table.classes.min(initial=0) >= 0 and table.classes.max(initial=0) < size
    if not (whole and inside and len(table.values) == len(table.classes)):
        raise ValueError("the table of neighbours does not fit its words and tags")


def _estimate(keys: NDArray[np.int64], counts: NDArray[np.int64], size: int, least: int) -> Table:
    pairs, contexts_of_pair = np.unique(keys % size**2, return_counts=True)
    single = np.bincount(pairs % size, minlength=size) + 0.5
    single = single / single.sum()
    before = pairs // size
    total = np.maximum(np.bincount(before, contexts_of_pair, minlength=size), 1)
    rest_of_pair = DISCOUNT * np.bincount(before, minlength=size) / total
    rest_of_pair[rest_of_pair == 0] = 1.0
    pair = rest_of_pair[:, None] * single[None, :]
    pair[before, pairs % size] += (contexts_of_pair - DISCOUNT) / total[before]
    context = keys // size
    seen = np.bincount(context, counts, minlength=size**2)
    share = (counts - DISCOUNT) / seen[context]
    chosen = counts >= least
    rest = 1.0 - np.bincount(context[chosen], share[chosen], minlength=size**2)
    keys, context, share = keys[chosen], context[chosen], share[chosen]
    values = share + rest[context] * pair[keys // size % size, keys % size]
    row = np.searchsorted(context, np.arange(size**2 + 1))
    return Table(
        np.log(pair).astype(np.float32),
        row.astype(np.int32),
        (keys % size).astype(np.int32),
        np.log(values).astype(np.float32),
        np.log(rest).astype(np.float32),
    )
