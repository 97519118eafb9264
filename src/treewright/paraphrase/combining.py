"""`CombinedModel`: several models ranked together.

By scores, that of a paraphrase is log-linear over the models: Σ_m w_m log s_m, where s_m is its
score as a share of the best one of model m, and a model that does not name it gives it a small
share. By ranks, it is Σ_m w_m / (c + r_m), where r_m is its rank in model m (Cormack et al. 2009).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import islice
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

from treewright.errors import ModelFileError, UsageError, choose
from treewright.modelfile import read_kind, read_mapped_model, under, within, write_model
from treewright.paraphrase.antonyms import Antonyms
from treewright.paraphrase.model import Paraphrase, ParaphraseModel, says_the_same
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.pivoting import PivotModel
from treewright.paraphrase.settings import HarvestSettings
from treewright.paraphrase.storage import PARTS, load_model, parts_of, read_parts

COMBINED = "combined-paraphrases"
MISSING = 0.1
"""The share of the best score that a model gives to what it does not name."""
SAME_VERB = 0.7
"""How much of a verb's best share another phrase with this verb has."""
BY = ("scores", "ranks")
"""How models are put together."""
_FAR = 60
"""The constant that is added to ranks, which keeps the first ones from ruling alone."""
_DEPTH = 400
"""Candidates of a model that are compared."""
_ABOUT = "combination.json"
Part = ParaphraseModel | PivotModel


@dataclass(frozen=True, eq=False)
class CombinedModel:
    """Models, each with its weight; the first that knows a phrase says how to read it."""

    models: tuple[Part, ...]
    weights: tuple[float, ...]
    by: str = BY[0]

    @classmethod
    def of(
        cls, models: Sequence[Any], weights: Sequence[float] | None = None, by: str = BY[0]
    ) -> CombinedModel:
        """Put models together; by default each has half the weight of the one before."""
        choose(by, BY, "way to combine")
        weights = [0.5**place for place in range(len(models))] if weights is None else weights
        if len(models) < 2 or len(models) != len(weights) or min(weights) <= 0:
            raise UsageError(
                f"a combination has two models or more, and a weight above 0 for each; found "
                f"{len(models)} models and the weights {list(weights)}"
            )
        if any(isinstance(model, CombinedModel) for model in models):
            raise UsageError("a combination cannot be part of another; name its parts instead")
        return cls(tuple(models), tuple(weights), by)

    @cached_property
    def settings(self) -> HarvestSettings:
        """Those of the first model, but all paraphrases have the voice of the phrase."""
        return replace(self.models[0].settings, same_voice=True)

    @cached_property
    def antonyms(self) -> Antonyms:
        """What any of the models knows."""
        return reduce(or_, (model.antonyms for model in self.models))

    def read(self, text: str) -> Phrase | None:
        """Return a phrase as the first model that knows it reads it."""
        readings = (model.read(text) for model in self.models)
        return next((phrase for phrase in readings if phrase is not None), None)

    def candidates(self, phrase: Phrase) -> Iterator[Paraphrase]:
        """Yield what any model names, with the score of all."""
        named: dict[str, Phrase] = {}
        shares = []
        for model in self.models:
            found = _shares(model, phrase)
            named.update((item.text, item.phrase) for item in found.values())
            shares.append(Shares.of(found if self.by == "scores" else _ranked(found)))
        for other in named.values():
            yield Paraphrase(other, self._score([found.of_phrase(other) for found in shares]))

    def _score(self, shares: Sequence[float]) -> float:
        total = sum(self.weights)
        pairs = zip(self.weights, shares, strict=True)
        if self.by == "ranks":
            return sum(weight * share for weight, share in pairs) / total
        return math.exp(sum(weight * math.log(share) for weight, share in pairs) / total)

    def reasons(self, phrase: Phrase, other: Phrase) -> list[tuple[str, float]]:
        """Return what each model says."""
        found = []
        for model in self.models:
            known = other.text in _shares(model, phrase)
            found += model.reasons(phrase, other) if known else []
        return found

    def summary(self) -> str:
        """Say what it holds."""
        return "; ".join(model.summary() for model in self.models)

    def save(self, path: str | Path) -> None:
        """Write all models to one file."""
        parts: dict[str, bytes] = {}
        kinds = []
        for number, model in enumerate(self.models):
            kind, packed = parts_of(model)
            kinds.append(kind)
            parts |= under(f"{number}/", packed)
        parts[_ABOUT] = json.dumps(
            {"kinds": kinds, "weights": list(self.weights), "by": self.by}
        ).encode()
        write_model(path, kind=COMBINED, parts=parts, metadata={})


class Shares(NamedTuple):
    """The share of each phrase that a model names, and the best share of each main verb."""

    by_text: dict[str, float]
    by_verb: dict[str, float]

    @classmethod
    def of(cls, found: Mapping[str, Paraphrase]) -> Shares:
        """Take the shares of candidates."""
        by_verb: dict[str, float] = {}
        for item in found.values():
            verb = item.phrase.lemma
            by_verb[verb] = max(by_verb.get(verb, 0.0), item.score)
        return cls({text: item.score for text, item in found.items()}, by_verb)

    def of_phrase(self, phrase: Phrase) -> float:
        """The share of a phrase, or some of that of the same verb in another phrase."""
        share = self.by_text.get(phrase.text)
        return (
            max(SAME_VERB * self.by_verb.get(phrase.lemma, 0.0), MISSING)
            if share is None
            else share
        )


def _shares(model: Part, phrase: Phrase) -> dict[str, Paraphrase]:
    """The candidates of a model with their shares of its best score."""
    found: dict[str, Paraphrase] = {}
    for item in islice(model.candidates(phrase), _DEPTH):
        known = found.get(item.text)
        better = known is None or known.score < item.score
        if better and item.text != phrase.text and says_the_same(phrase, item.phrase):
            found[item.text] = item
    others = {text: item for text, item in found.items() if item.phrase.lemma != phrase.lemma}
    best = max((item.score for item in others.values()), default=1.0)
    # The same verb in another form is a certain paraphrase: it does not say how good others are.
    return {text: item._replace(score=min(item.score / best, 1.0)) for text, item in found.items()}


def _ranked(found: Mapping[str, Paraphrase]) -> dict[str, Paraphrase]:
    """The same candidates with what their ranks are worth, 1 for the first."""
    ordered = sorted(found.values(), key=lambda item: (-item.score, item.text))
    return {
        item.text: item._replace(score=_FAR / (_FAR + rank)) for rank, item in enumerate(ordered)
    }


def open_model(path: str | Path) -> Part | CombinedModel:
    """Read any model of paraphrases from its file."""
    if read_kind(path) != COMBINED:
        return load_model(path)
    known = [_ABOUT, *(f"*/{name}" for name in PARTS)]
    parts, _ = read_mapped_model(path, kind=COMBINED, known=known)
    try:
        about = json.loads(bytes(parts[_ABOUT]))
        kinds, weights = list(about["kinds"]), tuple(map(float, about["weights"]))
        by = choose(about["by"], BY, "way to combine")
    except (KeyError, TypeError, ValueError, UsageError) as error:
        raise ModelFileError(f"its combination cannot be read ({error})", where=str(path)) from None
    models = [
        read_parts(within(f"{number}/", parts), kind, {}, where=str(path))
        for number, kind in enumerate(kinds)
    ]
    return CombinedModel.of(models, weights, by)
