"""What the learners of linear models share: their settings, their examples, and the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.arrays import Floats
from treewright.corpora import Pair
from treewright.errors import Problems, UsageError, check_type
from treewright.grammar import Extraction, Grammar, Rule, Unseen
from treewright.grammar.features import Frequencies, LinearUnseen, RuleFeatures
from treewright.learning.checks import check_whole, good_pairs
from treewright.learning.learner import Learner
from treewright.learning.linear.examples import FREE, ExampleSet, Preparation
from treewright.progress import SILENT, Progress
from treewright.pruning import Model
from treewright.pruning.features import GapPruning, KeyMaker, templates_without

SMALLEST = 1e-4
"""Weights below this share of the largest are left out: they change no choice."""

NOTHING = 1e-9
"""Weights up to this are left out too: if all are, nothing has been learned."""


@dataclass(kw_only=True)
class LinearLearner(Learner[ExampleSet, Model]):
    """Learns weights of features of rules (`rules`) and of gaps (`open`).

    With `rules`, rules are extracted from the pairs and take part as in the large-margin paper;
    with `open`, any children of any node may be dropped. `without` names groups of features to
    leave out, separated by commas. Features of gaps and nodes seen fewer than `min_count` times,
    and rules seen fewer than `min_rule_count` times, are left out. After `fit`: `model_` and
    `weights_`.
    """

    extraction: Extraction = field(default_factory=Extraction)
    rules: bool = False
    open: bool = True
    without: str = ""
    min_count: int = 3
    min_rule_count: int = 2

    def __post_init__(self) -> None:
        if not (self.rules or self.open):
            raise UsageError("a model needs rules or open deletions; both are switched off")
        for name in ("min_count", "min_rule_count"):
            check_whole(name, getattr(self, name))
        check_type(self.without, str, "without", "names of feature groups")
        templates_without(self._left_out)

    @property
    def _left_out(self) -> list[str]:
        return [name.strip() for name in self.without.split(",") if name.strip()]

    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> ExampleSet:
        """Extract rules, build forests and list features: what several runs may share."""
        pairs = good_pairs(pairs, problems)
        grammar = Grammar.from_counts({})
        rule_templates, key_templates = templates_without(self._left_out)
        if self.rules:
            counts = self.extraction(pairs, problems=problems, progress=progress)
            grammar = Grammar.from_counts(
                {rule: count for rule, count in counts.items() if self._takes(rule, count)}
            )
        else:
            rule_templates = ()
        features = RuleFeatures(Frequencies.of(grammar), rule_templates)
        preparation = Preparation(grammar, features, KeyMaker.of(key_templates), open=self.open)
        for pair in progress.track(pairs, "building forests", len(pairs)):
            preparation.add(pair.source)
        return preparation.finish(pairs, self.min_count)

    def _takes(self, rule: Rule, count: float) -> bool:
        """Whether a rule takes part.

        What is dropped is dropped whole, so rules that delete are not needed. And a rule from only
        one pair explains that pair too well: nothing is learned about others like it.
        """
        return rule.target is not None and count >= self.min_rule_count

    def finish(self, data: ExampleSet, weights: Floats, about: dict[str, Any]) -> Model:
        """Make the model from learned weights."""
        of_rules, of_gaps = np.split(weights, [len(data.index.names)])
        largest = np.abs(weights).max(initial=0.0)
        matters = np.abs(of_gaps) > max(NOTHING, SMALLEST * largest)
        pruning = GapPruning(
            data.keys[matters],
            of_gaps[matters].astype(np.float32).astype(np.float64),
            data.maker.names,
            self.open,
        )
        grammar = data.grammar
        unseen: Unseen = FREE
        if self.rules:
            scores = np.asarray(data.index.matrix @ of_rules)[: len(grammar)]
            grammar = Grammar(grammar.rules, scores, grammar.counts)
            unseen = LinearUnseen.of(data.features, data.index.named(of_rules))
        metadata = self.about(
            len(data.examples),
            data.fingerprint,
            unreached=len(data.unreached),
            features=data.rows.num_features,
            **about,
        )
        return Model(grammar, unseen, metadata, pruning)
