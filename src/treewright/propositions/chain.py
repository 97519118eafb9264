"""The hidden Markov model over classes: emissions fixed, transitions learned by EM."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs, starts

STRUCTURES = ("slots", "chain")
_PREDICATES = {"VNPN": 0}
Candidates = Sequence[tuple[str, float]]
"""The states that a word may come from, each with the probability that it emits the word."""
_TINY = 1e-12
"""The share of a state that was never seen; it keeps logarithms finite."""


def sequences_of(
    structure: str, shape: str, symbols: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield sequences of symbols, each with the position that its last one has in the instance.

    In a chain each word follows the one before it. With slots, each word follows its verb and
    preposition, so a subject no longer tells what the object is only through the verb's own state.
    """
    if structure == "chain":
        yield tuple(symbols), len(symbols) - 1
        return
    verb = _PREDICATES.get(shape, 1)
    yield (symbols[verb],), verb
    for place, symbol in enumerate(symbols):
        if place != verb:
            yield (f"{symbols[verb]}/{_slot(symbols, verb, place)}", symbol), place


def _slot(symbols: Sequence[str], verb: int, place: int) -> str:
    if place < verb:
        return "subject"
    if place == verb + 1:
        return "object"
    # `throw pass to receiver`: the preposition fills a slot, and makes one.
    return "preposition" if place == len(symbols) - 2 else symbols[place - 1]


class Paths(NamedTuple):
    """Distinct sequences, and every state path they allow.

    Sequence `i` has the positions `starts[i]` to `starts[i + 1] - 1`; position `p` the candidates
    `offsets[p]` to `offsets[p + 1] - 1`. The edges into position `p` begin at `edges[p]`, those
    from one candidate before it together.
    """

    starts: Longs
    offsets: Longs
    states: Ints
    """The state of each candidate."""
    emissions: Floats
    """How likely it is to emit the word."""
    edges: Longs
    pairs: Ints
    """The pair of states of each edge."""
    weights: Floats
    """How often each sequence occurs."""


@dataclass
class Lattices:
    """The paths of all sequences, and what the numbers in them stand for."""

    paths: Paths
    labels: list[str]
    """The states by number."""
    sources: Ints
    targets: Ints
    """The states of each pair that may follow one another."""


def build_lattices(
    sequences: Mapping[tuple[str, ...], float], candidates: Mapping[str, Candidates]
) -> Lattices:
    """Number the states, and the pairs of them that occur on some path.

    A word without candidates is its own state.
    """
    numbers: dict[str, int] = {}
    of_word: dict[str, tuple[Ints, Floats]] = {}

    def look_up(word: str) -> tuple[Ints, Floats]:
        if word not in of_word:
            found = candidates.get(word) or ((word, 1.0),)
            places = [numbers.setdefault(state, len(numbers)) for state, _ in found]
            chances = [chance for _, chance in found]
            of_word[word] = (np.array(places, np.int32), np.array(chances, np.float64))
        return of_word[word]

    begins, sizes, states, emissions = [0], [], [], []
    keys: list[Longs] = []
    counts: list[int] = []
    for words in sequences:
        before: Ints | None = None
        for word in words:
            here, chances = look_up(word)
            states.append(here)
            emissions.append(chances)
            sizes.append(len(here))
            if before is None:
                counts.append(0)
            else:
                keys.append(((before[:, None].astype(np.int64) << 32) | here[None, :]).ravel())
                counts.append(len(keys[-1]))
            before = here
        begins.append(len(sizes))
    empty = np.zeros(0, np.int64)
    every = np.concatenate(keys) if keys else empty
    unique, pairs = np.unique(every, return_inverse=True)
    paths = Paths(
        starts=np.array(begins, np.int64),
        offsets=starts(sizes),
        states=np.concatenate(states) if states else empty.astype(np.int32),
        emissions=np.concatenate(emissions) if emissions else np.zeros(0),
        edges=starts(counts),
        pairs=pairs.astype(np.int32),
        weights=np.fromiter(sequences.values(), np.float64, len(sequences)),
    )
    return Lattices(
        paths,
        labels=list(numbers),
        sources=(unique >> 32).astype(np.int32),
        targets=(unique & 0xFFFFFFFF).astype(np.int32),
    )


@dataclass
class Chain:
    """Probabilities of states at the beginning and after one another, smoothed by their shares.

    Equation 1 of the paper multiplies `P(p1)` with a product that begins with `P(p1 | p0)`; as
    meant, the first class is counted once, by `P(p1)`.
    """

    initial: dict[str, float] = field(default_factory=dict)
    after: dict[str, float] = field(default_factory=dict)
    """The expected number of times that something follows each state."""
    moves: dict[tuple[str, str], float] = field(default_factory=dict)
    """The expected number of times that one state follows another."""
    shares: dict[str, float] = field(default_factory=dict)
    smoothing: float = 1.0

    def start(self, state: str) -> float:
        """Return the log-probability that a sequence begins with a state."""
        return math.log(max(self.initial.get(state, 0.0), _TINY * self.shares.get(state, 1.0)))

    def move(self, source: str, target: str) -> float:
        """Return the log-probability that one state follows another."""
        share = self.shares.get(target, _TINY)
        number = self.moves.get((source, target), 0.0) + self.smoothing * share
        total = self.after.get(source, 0.0) + self.smoothing
        return math.log(max(number / total, _TINY * share)) if total else math.log(_TINY * share)

    def best(
        self, words: Sequence[str], candidates: Mapping[str, Candidates], number: int = 1
    ) -> list[tuple[float, tuple[str, ...]]]:
        """Return the most probable state sequences, best first, with their log-probabilities."""
        paths: dict[str, list[tuple[float, tuple[str, ...]]]] = {}
        for place, word in enumerate(words):
            found = candidates.get(word) or ((word, 1.0),)
            step: dict[str, list[tuple[float, tuple[str, ...]]]] = {}
            for state, chance in found:
                emitted = math.log(max(chance, _TINY))
                if place == 0:
                    step[state] = [(self.start(state) + emitted, (state,))]
                    continue
                extended = [
                    (score + move + emitted, (*path, state))
                    for before, kept in paths.items()
                    for move in (self.move(before, state),)
                    for score, path in kept
                ]
                step[state] = heapq.nsmallest(number, extended, key=_order)
            paths = step
        return heapq.nsmallest(
            number, [path for kept in paths.values() for path in kept], key=_order
        )


def _order(path: tuple[float, tuple[str, ...]]) -> tuple[float, tuple[str, ...]]:
    return -path[0], path[1]


@dataclass
class ChainLearner:
    """EM: repeat expected counts and new transitions until the likelihood hardly rises."""

    iterations: int = 30
    tolerance: float = 1e-4
    """The least rise of the log-likelihood for each sequence that is worth another round."""
    smoothing: float = 1.0
    """Prior counts after each state, spread by the shares of states (a Dirichlet prior)."""

    def fit(
        self, sequences: Mapping[tuple[str, ...], float], candidates: Mapping[str, Candidates]
    ) -> ChainLearner:
        """Learn from counted sequences; results are `chain_` and `log_likelihoods_`."""
        lattices = build_lattices(sequences, candidates)
        shares = _shares(lattices.paths, len(lattices.labels))
        self.log_likelihoods_: list[float] = []
        # At first, every state has its share, whatever came before.
        first, moves = self._expect(lattices, shares, shares[lattices.targets])
        worth = self.tolerance * max(lattices.paths.weights.sum(), 1.0)
        for _ in range(self.iterations):
            initial, transitions = self._maximise(lattices, shares, first, moves)
            first, moves = self._expect(lattices, initial, transitions)
            if self.log_likelihoods_[-1] - self.log_likelihoods_[-2] < worth:
                break
        self.chain_ = self._chain(lattices, shares, first, moves)
        return self

    def _expect(
        self, lattices: Lattices, initial: Floats, transitions: Floats
    ) -> tuple[Floats, Floats]:
        from treewright.propositions._kernels import expected_counts

        first, moves = np.zeros(len(lattices.labels)), np.zeros(len(lattices.sources))
        likelihood = expected_counts(lattices.paths, initial, transitions, first, moves)
        self.log_likelihoods_.append(float(likelihood))
        return first, moves

    def _maximise(
        self,
        lattices: Lattices,
        shares: Floats,
        first: Floats,
        moves: Floats,
    ) -> tuple[Floats, Floats]:
        total = np.bincount(lattices.sources, moves, len(lattices.labels)) + self.smoothing
        prior = self.smoothing * shares[lattices.targets]
        with np.errstate(invalid="ignore"):
            transitions = np.nan_to_num((moves + prior) / total[lattices.sources])
        return first / max(first.sum(), _TINY), transitions

    def _chain(
        self,
        lattices: Lattices,
        shares: Floats,
        first: Floats,
        moves: Floats,
    ) -> Chain:
        labels = lattices.labels
        after = np.bincount(lattices.sources, moves, len(labels))
        whole = max(first.sum(), _TINY)
        kept = np.flatnonzero(moves > _TINY)
        return Chain(
            initial={labels[i]: float(first[i] / whole) for i in np.flatnonzero(first > _TINY)},
            after={labels[i]: float(after[i]) for i in np.flatnonzero(after > _TINY)},
            moves={
                (labels[lattices.sources[k]], labels[lattices.targets[k]]): float(moves[k])
                for k in kept
            },
            shares={label: float(share) for label, share in zip(labels, shares, strict=True)},
            smoothing=self.smoothing,
        )


def _shares(paths: Paths, states: int) -> Floats:
    """Return the share of each state if every word were each of its candidates by emission."""
    sizes = np.diff(paths.offsets)
    positions = np.repeat(np.arange(len(sizes)), sizes)
    of_sequence = np.repeat(paths.weights, np.diff(paths.starts))
    mass = np.bincount(positions, paths.emissions, len(sizes))
    spread = paths.emissions / np.maximum(mass[positions], _TINY) * of_sequence[positions]
    counts = np.bincount(paths.states, spread, states)
    shares: Floats = counts / max(counts.sum(), _TINY)
    return shares
