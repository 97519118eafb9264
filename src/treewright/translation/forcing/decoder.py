"""`ForcedDecoder`: how a phrase model would translate a sentence into a given one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UsageError
from treewright.translation.decoding import Features
from treewright.translation.forcing._kernels import (
    Prices,
    TableRows,
    blocks_of,
    index_rows,
    own_counts,
)
from treewright.translation.forcing._search_kernels import Effort, search
from treewright.translation.forcing.arrays import FREE
from treewright.translation.phrases import PhraseTable

Ints = NDArray[np.int32]
RELAXATIONS = ("none", "phrases", "words")
"""Steps by which a pair is reached: as settings say; with the longest phrases and any jump; with
words dropped and inserted."""
_FIRST_BEAM = 10


@dataclass(frozen=True)
class Forcing:
    """How derivations are scored and searched for.

    `length` words and jumps of `distortion` words are tried first (-1: any jump in the next 62),
    then the longest phrases of the table and any jump, then words dropped or inserted, each at
    `word_price`; with `free_words`, these from the start. `beam` states are kept for each number of
    target words. `weights` are those of a model for the table's features, phrases and distance,
    where they are not those that tuning begins with.

    Leaving one out, a pair's own counts are subtracted: p(e|f) = (c(f,e) - own) / (c(f) - own), and
    p(f|e) likewise. Phrase pairs seen only here have probability exp(`floor`) for each of their
    words on both sides (Wuebker, Mauser and Ney 2010).
    """

    leave_one_out: bool = True
    floor: float = -5.0
    length: int = 5
    distortion: int = 6
    beam: int = 100
    word_price: float = -10.0
    free_words: bool = False
    weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if self.length < 1 or self.beam < 1 or self.distortion < -1:
            raise UsageError(
                "length and beam are at least 1, distortion at least -1; found "
                f"{self.length}, {self.beam}, {self.distortion}"
            )
        if not (self.floor < 0 and self.word_price < 0):
            raise UsageError(
                "floor and word_price are logs of probabilities, below 0; found "
                f"{self.floor}, {self.word_price}"
            )


class SpanStep(NamedTuple):
    """A step of a derivation: which source words become which target words, ends excluded.

    The source is empty where a target word is inserted, the target where a source word is dropped.
    """

    source: tuple[int, int]
    target: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Forced:
    """The best derivation found of a pair, in the order of the target; rows are source start and
    end, target start and end, and a number that is negative where words are dropped or inserted.

    `relaxation` is one of `RELAXATIONS`. A derivation that is `exact` is the best there is.
    """

    rows: Ints
    score: float
    relaxation: str
    exact: bool

    @property
    def steps(self) -> list[SpanStep]:
        """The steps, words dropped and inserted included."""
        return [SpanStep((i1, i2), (j1, j2)) for i1, i2, j1, j2, _ in self.rows.tolist()]

    @property
    def spans(self) -> Ints:
        """The span pairs: source start and end, target start and end."""
        return self.rows[self.rows[:, 4] >= 0, :4]


class ForcedDecoder:
    """Finds the best derivations of sentence pairs under a phrase table."""

    def __init__(self, table: PhraseTable, settings: Forcing | None = None) -> None:
        self.table = table
        self.settings = settings or Forcing()
        features = Features(table.feature_names, 0)
        weights = features.named(features.start()) | dict(self.settings.weights)
        features.weights(weights)
        names = table.feature_names
        for name in ("p(f|e)", "p(e|f)"):
            if name not in names:
                raise UsageError(f"the table has no feature {name}; its features are {names}")
        self._prices = Prices(
            np.array([weights[name] for name in names]),
            weights["phrases"],
            names.index("p(f|e)"),
            names.index("p(e|f)"),
            self.settings.floor,
        )
        self._distance = weights["distance"]
        slots = np.full(1 << max(4, (2 * len(table)).bit_length()), FREE, np.int32)
        start, words = table.target_start, table.target_words
        options = table.trie.option_start
        index_rows(options, start, words, slots)
        self._rows = TableRows(options, start, words, table.features, table.counts, slots)

    def decode(
        self, source: Ints, target: Ints, own_links: tuple[Ints, Ints] | None = None
    ) -> Forced:
        """Derive a pair of sentences of numbered words, each of at least one.

        `own_links` are the pair's links, source positions in ascending order and their target
        positions, if the table was made from them; they are needed to leave it out.
        """
        settings = self.settings
        none = np.zeros(0, np.int32)
        links = own_links if own_links and settings.leave_one_out else (none, none)
        longest = self.table.max_length
        own = own_counts(source, target, *links, longest)
        price = settings.word_price
        at_first = price if settings.free_words else -np.inf
        attempts = (
            (min(settings.length, longest), settings.distortion, at_first),
            (longest, -1, at_first),
            (longest, -1, price),
        )
        blocks = blocks_of(self.table.trie, self._rows, source, target, longest, own, self._prices)
        size = np.maximum(blocks["i2"] - blocks["i1"], blocks["j2"] - blocks["j1"])
        for relaxation, (length, distortion, of_word) in zip(RELAXATIONS, attempts, strict=True):
            steps, score, exact = self._search(
                source.size, target.size, blocks[size <= length], distortion, of_word
            )
            if score > -np.inf:
                return Forced(steps, score, relaxation, exact)
        raise AssertionError("dropping and inserting words reaches every pair")

    def _search(
        self, n: int, m: int, blocks: NDArray[np.void], distortion: int, of_word: float
    ) -> tuple[Ints, float, bool]:
        """Search with a narrow beam; what it finds bounds the search with the wide one."""
        effort = Effort(
            min(_FIRST_BEAM, self.settings.beam), distortion, self._distance, of_word, of_word
        )
        found: tuple[Ints, float, bool] = search(n, m, blocks, effort, -np.inf)
        if not found[2] and self.settings.beam > effort.beam:
            again = search(n, m, blocks, effort._replace(beam=self.settings.beam), found[1])
            # With the bound, a beam that overflows may lose what the narrow one found.
            found = again if again[1] >= found[1] else (*found[:2], again[2])
        return found
