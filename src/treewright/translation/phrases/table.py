"""`PhraseTable`: translations of source phrases with their features, in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Ints, Longs, Singles
from treewright.corpora import Alignment, Vocabulary
from treewright.errors import ModelFileError
from treewright.modelfile import Part, read_mapped_model, write_model
from treewright.translation.phrases._kernels import match
from treewright.translation.phrases.trie import PhraseTrie

KIND = "phrases"
ORIENTATIONS = ("monotone", "swap", "discontinuous")
"""Columns of `reordering`: these to the previous phrase, then these to the following one."""


class Spans(NamedTuple):
    """The spans of a sentence that are source phrases: start, end (excluded) and node in the trie,
    sorted by start, then end.
    """

    start: Ints
    end: Ints
    node: Ints


@dataclass(frozen=True)
class Option:
    """A translation of a source phrase, as people read it; values are natural logs."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    features: Mapping[str, float]
    reordering: tuple[float, ...]
    links: Alignment
    counts: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Phrase pairs by source phrase; the rows of a phrase are together, the best p(e|f) first.

    Row `r` translates by `target_words[target_start[r] : target_start[r + 1]]`. `features` and
    `reordering` are natural logs. Links are positions inside the phrases; `counts` are those of
    the pair, of its source and of its target.
    """

    source: Vocabulary
    target: Vocabulary
    trie: PhraseTrie
    target_start: Longs
    target_words: Ints
    features: Singles
    feature_names: tuple[str, ...]
    reordering: Singles
    link_start: Longs
    links: NDArray[np.uint8]
    counts: Singles
    max_length: int
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.target_start.size - 1

    def parts(self) -> dict[str, bytes]:
        """Return the table as parts of a model file."""
        from treewright.translation.phrases.storage import table_parts

        return table_parts(self)

    @classmethod
    def from_parts(
        cls, parts: Mapping[str, Part], metadata: Mapping[str, Any] | None = None
    ) -> PhraseTable:
        """Undo `parts`; a `ValueError` if they are damaged."""
        from treewright.translation.phrases.storage import table_from_parts

        return table_from_parts(parts, metadata)

    def save(self, path: str | Path) -> None:
        """Write the table to a model file of its own (`-`: standard output)."""
        write_model(path, kind=KIND, parts=self.parts(), metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> PhraseTable:
        """Read a table from its file; large arrays are mapped into memory."""
        parts, metadata = read_mapped_model(path, kind=KIND, known=("phrases/*",))
        try:
            return cls.from_parts(parts, metadata)
        except ValueError as error:
            raise ModelFileError(
                f"damaged: {error}; build the table again", where=str(path)
            ) from None

    def write_moses(self, path: str | Path, reordering: str | Path | None = None) -> None:
        """Write the table as lines of `|||`, and orientations to a file of their own.

        A file whose name ends in `.gz` is compressed.
        """
        from treewright.translation.phrases.moses import write_moses

        write_moses(self, path, reordering)

    @classmethod
    def read_moses(cls, path: str | Path, reordering: str | Path | None = None) -> PhraseTable:
        """Read such files, their lines in the same order; without the second one, every
        orientation has the same probability.
        """
        from treewright.translation.phrases.moses import read_moses

        return read_moses(path, reordering)

    def spans(self, words: Ints) -> Spans:
        """Find the spans of a sentence that have translations; unknown words are -1."""
        return Spans(*match(self.trie, words, self.max_length))

    def rows(self, phrase: Ints) -> range:
        """Return the rows of a source phrase, none if it is unknown."""
        node = self.trie.find(phrase)
        start = self.trie.option_start
        return range(int(start[node]), int(start[node + 1])) if node > 0 else range(0)

    def options(self, phrase: str) -> list[Option]:
        """Return the translations of a phrase, its words between spaces."""
        words = tuple(phrase.split())
        return [self._option(words, row) for row in self.rows(self.source.numbers(words))]

    def __iter__(self) -> Iterator[Option]:
        """Yield all phrase pairs."""
        for node, words in self.phrases():
            start = self.trie.option_start
            for row in range(int(start[node]), int(start[node + 1])):
                yield self._option(words, row)

    def phrases(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the node and the words of each source phrase that has translations."""
        parent, last = self.trie.parents()
        names = self.source.words
        for node in np.flatnonzero(np.diff(self.trie.option_start)).tolist():
            words, at = [], node
            while at:
                words.append(names[last[at]])
                at = int(parent[at])
            yield node, tuple(reversed(words))

    def links_of(self, row: int) -> Alignment:
        """Return the links between the words of a phrase pair, as positions inside it."""
        links = self.links[self.link_start[row] : self.link_start[row + 1]]
        return tuple([(int(i), int(j)) for i, j in links])

    @cached_property
    def _target_names(self) -> tuple[str, ...]:
        return self.target.words

    def _option(self, source: tuple[str, ...], row: int) -> Option:
        names = self._target_names
        words = self.target_words[self.target_start[row] : self.target_start[row + 1]]
        joint, of_source, of_target = self.counts[row].tolist()
        return Option(
            source,
            tuple([names[word] for word in words]),
            dict(zip(self.feature_names, self.features[row].tolist(), strict=True)),
            tuple(self.reordering[row].tolist()),
            self.links_of(row),
            (joint, of_source, of_target),
        )
