"""Prose that stands in a document, and what the document demands of its sentences."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from treewright.compression.models import AnyForest
from treewright.pruning import CompressionForest, bind_tokens, hold, joined_nodes
from treewright.text import Kind, Sentence, is_word
from treewright.trees import TreeTable

if TYPE_CHECKING:
    from treewright.compression.result import Compression

Span = tuple[int, int]
Run = tuple[int, int]
"""Tokens of a sentence, from the first to before the second."""

_STOPS = frozenset({".", "?", "!", "…", "..."})


@dataclass(frozen=True)
class BoundSentence(Sentence):
    """A sentence some of whose tokens are bound: `runs` of them stay whole or go whole, and those
    that are `held` stay. If it is `needed`, it does not go altogether.
    """

    runs: tuple[Run, ...] = ()
    held: frozenset[int] = frozenset()
    needed: bool = False

    def settled(self, kept: Sequence[int], tree: TreeTable) -> tuple[int, ...]:
        """Return the tokens to keep if marks that lost nothing stay, and commas that lost an aside
        go.

        Marks cost no words, so that a search for words may drop them anywhere.
        """
        stays = set(kept)
        for place, word in enumerate(self.words[1:-1], start=1):
            if {place - 1, place + 1} <= stays and not is_word(word):
                stays.add(place)
        for before, after in pairwise(sorted(stays)):
            ends = (self.words[before], self.words[after - 1])
            if after - before > 2 and ends == (",", ",") and after - 1 not in self.held:
                one, other = tree.leaves[before], tree.leaves[after - 1]
                if tree.parent[one] == tree.parent[other] and before not in self.held:
                    stays.discard(before)
        return tuple(sorted(stays))

    def marks(self, kept: Sequence[int]) -> frozenset[int]:
        """Return the kept tokens of the runs, which lost nothing."""
        own = {place for start, end in self.runs for place in range(start, end)}
        return frozenset(own.intersection(kept))


@dataclass(frozen=True, kw_only=True)
class Prose:
    """The plain text of a document's prose, with demands on stretches of its characters.

    What is `whole` stays whole or goes whole, what is `held` stays, and sentences that touch what
    is `fixed` stay unchanged. Some sentences are shortened but never dropped: the first of each of
    the `parts`; the last one, if no full stop ends it, because it leads to what follows; and those
    that touch what is `needed`. `measure` returns the length of the document that a result gives;
    without it, the length of its plain text counts. If it is `strict`, grammar does not give way to
    a limit.
    """

    text: str
    whole: tuple[Span, ...] = ()
    held: tuple[Span, ...] = ()
    fixed: tuple[Span, ...] = ()
    parts: tuple[Span, ...] = ()
    needed: tuple[Span, ...] = ()
    measure: Callable[[Compression], int] | None = None
    strict: bool = False

    def bind(self, found: Sequence[tuple[Sentence, Kind]]) -> list[tuple[BoundSentence, Kind]]:
        """Return its sentences with what the document demands of each."""
        starts = [start for start, _ in self.parts]
        homes = [bisect_right(starts, sentence.start) for sentence, _ in found]
        bound = []
        for number, (sentence, kind) in enumerate(found):
            first = number == 0 or homes[number - 1] != homes[number]
            last = number + 1 == len(found) or homes[number + 1] != homes[number]
            leads = last and not _STOPS.intersection(sentence.words[-2:])
            held = {place for run in _runs(sentence, self.held) for place in range(*run)}
            if last and sentence.words[-1] == ":":
                held.add(len(sentence.tokens) - 1)
            each = BoundSentence(
                sentence.text,
                sentence.tokens,
                runs=tuple([run for run in _runs(sentence, self.whole) if run[1] - run[0] > 1]),
                held=frozenset(held),
                needed=first or leads or bool(_runs(sentence, self.needed)),
            )
            bound.append((each, kind))
        return bound

    def is_fixed(self, sentence: Sentence) -> bool:
        """Whether a sentence stays unchanged."""
        return any(start < sentence.end and sentence.start < end for start, end in self.fixed)

    def with_measure(self, measure: Callable[[Compression], int]) -> Prose:
        """Return the same prose, measured as part of a document."""
        return replace(self, measure=measure)


def _runs(sentence: Sentence, spans: Sequence[Span]) -> list[Run]:
    """Return the tokens of a sentence that each span touches, if any; spans come in order."""
    starts = [token.start for token in sentence.tokens]
    ends = [token.end for token in sentence.tokens]
    runs = []
    near = bisect_left(spans, sentence.start, key=lambda span: span[1])
    for start, end in spans[near:]:
        if start >= sentence.end:
            break
        run = (bisect_right(ends, start), bisect_left(starts, end))
        if run[0] < run[1]:
            runs.append(run)
    return runs


def bound_forest(forest: AnyForest, sentence: Sentence) -> AnyForest:
    """Leave out what breaks a run of a sentence that has any."""
    if not isinstance(sentence, BoundSentence) or not sentence.runs:
        return forest
    if isinstance(forest, CompressionForest):
        return hold(forest, joined_nodes(forest.source, sentence.runs))
    return bind_tokens(forest, [place for a, b in sentence.runs for place in range(a, b - 1)])
