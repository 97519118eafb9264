"""Classes from context: what stands around a name, and what it does, tells what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING

import numpy as np

from treewright.arrays import Floats, Longs, Singles
from treewright.propositions.instances import Instance
from treewright.propositions.sentence import Kind, ParsedSentence

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_WINDOW = 3
_CONTENT = ("NN", "VB", "JJ", "RB")


def features_of(
    sentence: ParsedSentence,
    instances: Iterable[Instance],
    first: int,
    last: int,
    without: Collection[int] = (),
) -> list[str]:
    """Return what a name at these positions stands beside, the other words of the sentence, and
    the slots it fills; the words at the positions `without` are passed over.
    """
    before = [place for place in range(first - 1, -1, -1) if place not in without][:_WINDOW]
    after = range(last + 1, min(len(sentence.words), last + 1 + _WINDOW))
    words = sentence.lemmas
    found = {"name", f"words={last - first + 1}", f"begins={first == 0}"}
    for side, places in (("before", before), ("after", after)):
        for distance, place in enumerate(places, start=1):
            found |= {f"{side}={words[place]}", f"{side}{distance}={words[place]}"}
    if before and after:
        found.add(f"between={words[before[0]]}|{words[after[0]]}")
    for place, tag in enumerate(sentence.tags):
        if tag.startswith(_CONTENT) and place not in without and not first <= place <= last:
            found.add(f"in={words[place]}")
    for instance in instances:
        for slot, (start, end) in enumerate(instance.at):
            if start <= last and first <= end and instance.kinds[slot] is Kind.NAME:
                found |= _slots(instance, slot)
    return sorted(map(intern, found))


def _slots(instance: Instance, slot: int) -> set[str]:
    words = instance.words
    found = {f"{instance.shape}{slot}={words[1]}"}
    if slot == 0 and len(words) > 2:
        found.add(f"does={words[1]}|{words[2]}")
    if slot == len(words) - 1 and len(words) > 4:
        found.add(f"ends={words[1]}|{words[2]}|{words[3]}")
    return found


@dataclass
class ContextClassifier:
    """A multinomial logistic regression from contexts to classes."""

    classes: list[str]
    features: dict[str, int]
    weights: Singles
    """A row for each feature and one for the bias, a column for each class."""

    def log_probabilities(self, features: Iterable[str]) -> Floats:
        """Return the log-probability of each class."""
        from scipy.special import log_softmax

        rows = [self.features[name] for name in features if name in self.features]
        scores = self.weights[rows].sum(axis=0, dtype=np.float64) + self.weights[-1]
        return np.asarray(log_softmax(scores))


@dataclass
class ContextLearner:
    """Penalised maximum likelihood by L-BFGS."""

    penalty: float = 1.0
    least: int = 2
    """How often a feature must occur."""
    least_class: int = 5
    iterations: int = 60

    def fit(self, examples: Sequence[Sequence[str]], labels: Sequence[str]) -> ContextLearner:
        """Learn from the features and classes of mentions; the result is `classifier_`, `None` if
        there are fewer than two classes.
        """
        times = Counter(labels)
        classes = sorted(name for name, number in times.items() if number >= self.least_class)
        kept = [place for place, label in enumerate(labels) if label in set(classes)]
        self.classifier_: ContextClassifier | None = None
        if len(classes) > 1:
            self.classifier_ = self._fit(
                [examples[place] for place in kept], [labels[place] for place in kept], classes
            )
        return self

    def _fit(
        self, examples: Sequence[Sequence[str]], labels: Sequence[str], classes: list[str]
    ) -> ContextClassifier:
        from scipy.optimize import minimize

        counts = Counter(name for features in examples for name in features)
        names = sorted(name for name, number in counts.items() if number >= self.least)
        features = {name: place for place, name in enumerate(names)}
        matrix = _matrix(examples, features)
        target = np.array([classes.index(label) for label in labels])
        weights = np.zeros((len(features) + 1, len(classes)))
        weights[-1] = np.log(np.bincount(target, minlength=len(classes)) / len(target))
        found = minimize(
            _loss,
            weights.ravel(),
            args=(matrix, target, len(classes), self.penalty),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.iterations},
        )
        learned = found.x.reshape(weights.shape).astype(np.float32)
        return ContextClassifier(classes, features, learned)


def _matrix(examples: Sequence[Sequence[str]], features: dict[str, int]) -> csr_matrix:
    from scipy.sparse import csr_matrix

    rows = [[features[name] for name in one if name in features] for one in examples]
    ends = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.array([column for row in rows for column in row], np.int32)
    return csr_matrix((np.ones(len(columns)), columns, ends), (len(rows), len(features)))


def _loss(
    flat: Floats,
    matrix: csr_matrix,
    target: Longs,
    size: int,
    penalty: float,
) -> tuple[float, Floats]:
    from scipy.special import log_softmax

    weights = flat.reshape(-1, size)
    logs = log_softmax(matrix @ weights[:-1] + weights[-1], axis=1)
    rows = np.arange(len(target))
    error = np.exp(logs)
    error[rows, target] -= 1.0
    gradient = np.vstack([matrix.T @ error + penalty * weights[:-1], error.sum(axis=0)])
    loss = -logs[rows, target].sum() + 0.5 * penalty * (weights[:-1] ** 2).sum()
    return float(loss), gradient.ravel()
