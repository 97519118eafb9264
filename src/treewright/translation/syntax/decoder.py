"""`RuleDecoder`: the search for the best translations of a tree, with given weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.arrays import Bools, Floats, Ints, starts
from treewright.compiling import expect_work
from treewright.errors import DataError, UsageError, check_type
from treewright.forest import Forest, refine
from treewright.grammar import Grammar
from treewright.learning.tuning import SearchGraph
from treewright.lm import UNKNOWN, LanguageModel
from treewright.transduction import ContextModel, Yields
from treewright.translation.decoding.decoder import MAX_WORDS, UNKNOWNS
from treewright.translation.decoding.skeleton import check_skeleton
from treewright.translation.syntax import _kernels
from treewright.translation.syntax.features import SyntaxFeatures
from treewright.translation.syntax.forest import Deriver, TranslationForest
from treewright.translation.syntax.merging import merge
from treewright.translation.syntax.narrowing import narrow
from treewright.translation.syntax.skeleton import with_crossings
from treewright.trees import Tree

LONG = 40
"""A sentence of more words is worth compiling the kernels for."""


@dataclass(frozen=True)
class RuleSearch:
    """How hard a decoder searches; 0 means without a limit.

    From each node of the forest, `beam` states of the language model go on, found among `pops`
    combinations of the best states below (by default, twice the beam). Words without a rule are
    copied or dropped.
    """

    beam: int = 100
    pops: int | None = None
    unknown: str = "copy"

    def __post_init__(self) -> None:
        for name in ("beam", "pops"):
            value = getattr(self, name)
            check_type(value, int if name == "beam" else int | None, name, "a whole number")
            if value is not None and value < 0:
                raise UsageError(f"{name} must be at least 0, found {value}")
        if self.unknown not in UNKNOWNS:
            raise UsageError(f"unknown must be one of {', '.join(UNKNOWNS)}")


@dataclass(frozen=True, eq=False)
class FoundByRules:
    """All translations of a tree that a search found, packed, with their features."""

    forest: TranslationForest
    graph: SearchGraph
    edge: Ints
    """The edge of `forest` that each edge of the graph stands for; -1 for words."""

    @property
    def extra(self) -> tuple[str, ...]:
        """The words beyond those of the grammar."""
        return self.forest.extra


class RuleDecoder:
    """Translates trees with rules and a language model, by weighted features."""

    def __init__(
        self,
        grammar: Grammar,
        model: LanguageModel,
        search: RuleSearch | None = None,
        *,
        skeleton: bool = False,
    ) -> None:
        self.search = search or RuleSearch()
        self.features = SyntaxFeatures(grammar.feature_names, skeleton)
        self.deriver = Deriver(grammar, copy=self.search.unknown == "copy")
        self.model = model

    @cached_property
    def _context(self) -> ContextModel:
        return ContextModel(self.model)

    @cached_property
    def _numbers(self) -> Ints:
        """The number of each word of the grammar in the language model."""
        words = self.deriver.grammar.packed.words.words
        return self.model.vocabulary.numbers(words, UNKNOWN)

    def decode(
        self,
        trees: Tree | Sequence[Tree],
        weights: Floats,
        *,
        spelled: tuple[str, ...] | None = None,
        kept: Bools | None = None,
    ) -> FoundByRules:
        """Search for translations of a sentence, given its tree, or several to choose from.

        Words without a rule are copied as they are `spelled`. `kept` marks the words of the
        skeleton, for a model that scores it.
        """
        trees = [trees] if isinstance(trees, Tree) else trees
        size = len(trees[0].words())
        if not 0 < size <= MAX_WORDS:
            raise DataError(f"a sentence of {size} words; expected 1 to {MAX_WORDS}")
        if size > LONG:
            expect_work()
        check_skeleton(kept, size, scored=self.features.skeleton)
        derived = [self.deriver.forest(tree, spelled=spelled) for tree in trees]
        if kept is not None:
            derived = [with_crossings(each, kept) for each in derived]
        return self.search_forest(narrow(merge(derived)), weights)

    def search_forest(self, derived: TranslationForest, weights: Floats) -> FoundByRules:
        """Score the translations of a forest by the language model, too, and keep the best.

        With a beam, its edges must not be wide (`narrow`).
        """
        yields = self._spelled(derived)
        algebra = self._context.algebra(derived.forest, yields, weights[-1])
        scores = derived.features @ weights[:-1]
        beam = self.search.beam or None
        refined = refine(derived.forest, algebra, scores, beam, pops=self._pops, links=False)
        split = refined.forest
        arrays = split.head, split.tail_ptr, split.tail, refined.origin
        laid = _kernels.Graph(*_kernels.lay_out(split.num_nodes, *arrays, *derived.yields))
        forest = Forest(
            laid.head,
            laid.tail_ptr,
            laid.tail,
            starts(np.bincount(laid.head, minlength=laid.num_nodes)),
            np.append(refined.origin, -1)[laid.origin].astype(np.int32),
        )
        features = np.zeros((forest.num_edges, weights.size))
        ruled = laid.origin >= 0
        features[ruled, :-1] = derived.features[refined.origin]
        features[ruled, -1] = self._context.gains(refined, yields)
        graph = SearchGraph(forest, features, laid.word_start, laid.words)
        return FoundByRules(derived, graph, forest.label)

    @property
    def _pops(self) -> int | None:
        """How many combinations a node looks at; `None` without a limit."""
        beam, pops = self.search.beam, self.search.pops
        if not beam:
            return None
        return 2 * beam if pops is None else pops or None

    def _spelled(self, derived: TranslationForest) -> Yields:
        """Return what edges write, words as the language model numbers them."""
        extra = self.model.vocabulary.numbers(derived.extra, UNKNOWN)
        numbers = np.concatenate([self._numbers, extra])
        ptr, item = derived.yields
        return Yields(ptr, np.where(item < 0, item, numbers[np.maximum(item, 0)]).astype(np.int32))
