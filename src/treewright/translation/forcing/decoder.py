"""`ForcedDecoder`: how a phrase model would translate a sentence into a given one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints
from treewright.errors import UsageError
from treewright.translation.decoding.features import Features
from treewright.translation.forcing._kernels import (
    FREE,
    OwnCounts,
    Prices,
    TableRows,
    blocks_of,
    index_rows,
    own_counts,
)
from treewright.translation.forcing._search_kernels import Effort, search
from treewright.translation.phrases.table import PhraseTable

RELAXATIONS = ("none", "phrases", "words")
"""Steps by which a pair is reached: as settings say; with the longest phrases and any jump; with
words dropped and inserted."""
_FIRST_BEAM = 10
_NOISE = 0.5


@dataclass(frozen=True)
class Forcing:
    """How derivations are scored and searched for.

    `length` words and jumps of `distortion` words are tried first (-1: any jump in the next 62),
    then the longest phrases of the table and any jump, then words dropped or inserted, each at
    `word_price`. `beam` states are kept for each number of target words. `weights` are those of a
    model for the table's features, phrases and distance, where they are not those that tuning
    begins with.

    Leaving one out, a pair's own counts are subtracted: p(e|f) = (c(f,e) - own) / (c(f) - own), and
    p(f|e) likewise. Phrase pairs seen only here have probability exp(`floor`) for each of their
    words on both sides (Wuebker, Mauser and Ney 2010).
    """

    leave_one_out: bool = True
    floor: float = -5.0
    length: int = 5
    distortion: int = 6
    beam: int = 100
    word_price: float = -3.0
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
    """The best derivation found of a pair, in the order of the target.

    Rows are source start and end, target start and end; those of words that were dropped or
    inserted have an empty side. `confidence` is the geometric mean of the probabilities of each
    row's phrase pair in both directions, 0 if it was seen only here. `relaxation` is one of
    `RELAXATIONS`. A derivation that is `exact` is the best there is, and no relaxation before its
    own would have done.
    """

    rows: Ints
    confidence: Floats
    score: float
    relaxation: str
    exact: bool

    @property
    def steps(self) -> list[SpanStep]:
        """The steps, words dropped and inserted included."""
        return [SpanStep((i1, i2), (j1, j2)) for i1, i2, j1, j2 in self.rows.tolist()]

    @property
    def spans(self) -> Ints:
        """The span pairs: the rows without an empty side."""
        i1, i2, j1, j2 = self.rows.T
        found: Ints = self.rows[(i1 < i2) & (j1 < j2)]
        return found

    def confident_links(self, least: float = 0.0) -> list[tuple[int, int]]:
        """Return the links of span pairs of one word each that have at least this confidence."""
        i1, i2, j1, j2 = self.rows.T
        chosen = (i2 - i1 == 1) & (j2 - j1 == 1) & (self.confidence >= least)
        return list(zip(i1[chosen].tolist(), j1[chosen].tolist(), strict=True))


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
        blocks = self._blocks(source, target, own_links)
        return self._derive(source.size, target.size, blocks, self.settings.beam)

    def sample(
        self,
        source: Ints,
        target: Ints,
        own_links: tuple[Ints, Ints] | None,
        number: int,
        rng: np.random.Generator,
    ) -> Iterator[Forced]:
        """Yield the best derivation, then others that are nearly as good, `number` in all.

        Each of these is the best one when Gumbel noise is added to the scores of phrases: without
        reordering and with noise of scale 1, about a sample of derivations by their probability
        (Papandreou and Yuille 2011). A narrow beam does for them.
        """
        blocks = self._blocks(source, target, own_links)
        yield self._derive(source.size, target.size, blocks, self.settings.beam)
        for _ in range(number - 1):
            noisy = blocks.copy()
            noisy["score"] += rng.gumbel(scale=_NOISE, size=blocks.size)
            beam = min(_FIRST_BEAM, self.settings.beam)
            yield self._derive(source.size, target.size, noisy, beam)

    def _blocks(
        self, source: Ints, target: Ints, own_links: tuple[Ints, Ints] | None
    ) -> NDArray[np.void]:
        """Return the phrase pairs of the table that are in a pair, with their scores."""
        none = np.zeros(0, np.int32)
        links = own_links if own_links and self.settings.leave_one_out else (none, none)
        longest = self.table.max_length
        own = OwnCounts(*own_counts(source, target, *links, longest))
        found: NDArray[np.void] = blocks_of(
            self.table.trie, self._rows, source, target, longest, own, self._prices
        )
        return found

    def _derive(self, n: int, m: int, blocks: NDArray[np.void], beam: int) -> Forced:
        """Return the best derivation from phrase pairs, relaxed as far as need be."""
        settings, longest = self.settings, self.table.max_length
        attempts = (
            (min(settings.length, longest), settings.distortion, -np.inf),
            (longest, -1, -np.inf),
            (longest, -1, settings.word_price),
        )
        size = np.maximum(blocks["i2"] - blocks["i1"], blocks["j2"] - blocks["j1"])
        sure = True
        for relaxation, (length, distortion, of_word) in zip(RELAXATIONS, attempts, strict=True):
            short = blocks[size <= length]
            steps, score, exact = self._search(n, m, short, beam, distortion, of_word)
            # A narrow beam may have missed what an earlier step could reach.
            sure = sure and exact
            if score > -np.inf:
                chosen, confidence = steps[:, 4], np.zeros(len(steps))
                confidence[chosen >= 0] = short["confidence"][chosen[chosen >= 0]]
                return Forced(steps[:, :4].copy(), confidence, score, relaxation, sure)
        raise AssertionError("dropping and inserting words reaches every pair")

    def _search(
        self, n: int, m: int, blocks: NDArray[np.void], beam: int, distortion: int, of_word: float
    ) -> tuple[Ints, float, bool]:
        """Search with a narrow beam; what it finds bounds the search with the wide one."""
        narrow = min(_FIRST_BEAM, beam)
        effort = Effort(narrow, distortion, self._distance, of_word, of_word)
        found: tuple[Ints, float, bool] = search(n, m, blocks, effort, -np.inf)
        if not found[2] and beam > narrow:
            again = search(n, m, blocks, effort._replace(beam=beam), found[1])
            # With the bound, a beam that overflows may lose what the narrow one found.
            found = again if again[1] >= found[1] else (*found[:2], again[2])
        return found
