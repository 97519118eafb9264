"""What goes into every translator and comes out of it, and streams of both."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from treewright.arrays import Floats, Ints
from treewright.errors import DataError, Problems
from treewright.forest import best_derivations
from treewright.learning.tuning import SearchGraph
from treewright.threads import in_order
from treewright.translation.decoding.options import Fixed
from treewright.translation.skeletons.files import Skeleton
from treewright.trees import Tree


@dataclass(frozen=True)
class Input:
    """A sentence to translate: its words, spans with given translations, and where it is from.

    Translators of trees take its trees, if it has any, instead of parsing it. Those that score
    skeletons take its skeletons instead of finding one.
    """

    words: tuple[str, ...]
    fixed: tuple[Fixed, ...] = ()
    where: str = ""
    trees: tuple[Tree, ...] = ()
    skeletons: tuple[Skeleton, ...] = ()


@dataclass(frozen=True)
class Translation:
    """A translation, its score, the features that the score sums up, and the steps that made it.

    Steps are phrases in order (`Step`), or rules from the root down (`RuleStep`). Only rules whose
    targets are trees give a tree. `skeleton` has the positions of the source words that were taken
    for the skeleton.
    """

    words: tuple[str, ...]
    score: float
    features: Mapping[str, float]
    steps: tuple[Any, ...]
    tree: Tree | None = None
    skeleton: tuple[int, ...] | None = None


class Streaming(ABC):
    """A translator of single inputs that translates streams of them.

    `takes_fixed` says whether the translations of spans can be given.
    """

    takes_fixed = False

    @abstractmethod
    def translate(self, given: Input, nbest: int) -> list[Translation]:
        """Return up to `nbest` different translations of an input."""

    def completed(self, given: Input, problems: Problems) -> Input:
        """Return an input with what must be found before, in one thread."""
        return given

    def stream(
        self,
        inputs: Iterable[Input],
        *,
        nbest: int = 1,
        jobs: int = 1,
        problems: Problems | None = None,
    ) -> Iterator[tuple[Input, list[Translation]]]:
        """Translate sentences in order, in `jobs` threads; a bad one is reported and has no
        translation.
        """
        problems = problems or Problems(strict=True)
        inputs = (self.completed(given, problems) for given in inputs)

        def work(given: Input) -> tuple[Input, list[Translation] | DataError]:
            try:
                return given, self.translate(given, nbest)
            except DataError as error:
                return given, DataError(error.message, where=given.where)

        for given, result in in_order(work, inputs, jobs):
            if isinstance(result, DataError):
                problems.add(result)
                yield given, []
            else:
                yield given, result


def best_edges(graph: SearchGraph, scores: Floats, nbest: int) -> list[tuple[float, Ints]]:
    """Return the scores and the edges of the best derivations with different words."""
    symbols = (graph.word_start, graph.words)
    listed = best_derivations(graph.forest, scores, nbest, symbols=symbols)
    edges = [listed.edges[first:last] for first, last in pairwise(listed.start)]
    return list(zip(listed.scores.tolist(), edges, strict=True))
