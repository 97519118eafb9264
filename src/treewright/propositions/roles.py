"""Which role a name has in a sentence: what the text calls it, and what it does."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from treewright.errors import DataError, Problems
from treewright.parsing import open_parser, parse_each
from treewright.propositions.classes import CALENDAR
from treewright.propositions.contexts import features_of
from treewright.propositions.instances import extract_from
from treewright.propositions.items import RoleItem
from treewright.propositions.learner import general_classes
from treewright.propositions.model import PropositionModel
from treewright.propositions.sentence import ParsedSentence
from treewright.trees import Tree

_PRIOR = 2.0
"""How many uses of nouns for a name the shares of classes count for."""
_CONTEXT = 0.6
"""How much this context weighs beside what the text calls a name, and beside its other contexts."""
_TINY = 1e-12
_BATCH = 500
_NEVER = 1e-3
"""The share of a class that other contexts do not suggest."""


@dataclass
class RoleFinder:
    """Ranks the classes of a name that stands at given positions of a sentence."""

    model: PropositionModel

    def __post_init__(self) -> None:
        table = self.model.lexicon.table
        self._general = general_classes(table)
        self._totals: dict[str, float] = defaultdict(float)
        for classes in table.counts.values():
            for noun, number in classes.items() if not CALENDAR.keys() & classes else ():
                self._totals[self._general.get(noun, noun)] += number
        self._whole = sum(self._totals.values()) or 1.0

    def rank(self, tree: Tree, first: int, last: int, number: int = 10) -> list[str]:
        """Return classes, best first; positions count tokens from 0, `last` is included."""
        sentence = ParsedSentence(tree)
        table = self.model.lexicon.table
        name = table.name("_".join(sentence.words[first : last + 1]))
        counts: dict[str, float] = defaultdict(float)
        for noun, times in table.classes(name).items():
            counts[self._general.get(noun, noun)] += times
        scores = self._by_context(sentence, first, last)
        if not scores:
            scores = dict.fromkeys(self._totals, 0.0)
        elsewhere = self.model.leanings.get(name)
        lowest, whole = min(scores.values(), default=0.0), sum(counts.values())
        for noun in {*scores, *counts}:
            score = scores.get(noun, lowest)
            if whole or self.model.contexts is None:
                share = (counts[noun] + _PRIOR * self._share(noun)) / (whole + _PRIOR)
                score = _CONTEXT * score + math.log(max(share, _TINY))
            if elsewhere is not None:
                score += _CONTEXT * math.log(elsewhere.get(noun, _NEVER))
            scores[noun] = score
        return sorted(scores, key=lambda noun: (-scores[noun], noun))[:number]

    def _share(self, noun: str) -> float:
        return self._totals[noun] / self._whole

    def _by_context(self, sentence: ParsedSentence, first: int, last: int) -> dict[str, float]:
        classifier = self.model.contexts
        if classifier is None:
            return {}
        instances = extract_from(sentence, self.model.shapes)
        logs = classifier.log_probabilities(features_of(sentence, instances, first, last))
        return dict(zip(classifier.classes, logs.tolist(), strict=True))


def rank_roles(
    model: PropositionModel,
    items: Iterable[RoleItem],
    parser: str,
    problems: Problems,
    *,
    number: int = 10,
) -> Iterator[tuple[RoleItem, list[str]]]:
    """Yield items with the classes of their names, best first."""
    finder, opened = RoleFinder(model), open_parser(parser)
    rest = iter(items)
    while batch := list(islice(rest, _BATCH)):
        trees = parse_each(opened, [item.words for item in batch])
        for item, tree in zip(batch, trees, strict=True):
            if isinstance(tree, DataError):
                problems.add(DataError(tree.message, where=item.where))
            else:
                yield item, finder.rank(tree, item.first, item.last, number)
