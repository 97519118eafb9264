"""Tuning a model on a dev set: decoding, and scores of what was found."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from treewright.arrays import Floats
from treewright.corpora import Vocabulary, Words
from treewright.errors import Problems, check_least, choose
from treewright.evaluation.translation import Bleu
from treewright.files import atomic_write
from treewright.learning.tuning import Mert, Method, Mira, Pro, Round, SearchGraph, Tuned, tune
from treewright.progress import SILENT, Progress
from treewright.threads import in_order
from treewright.translation.model import PhraseModel
from treewright.translation.syntax.model import RuleModel
from treewright.translation.training.text import ParallelText

METHODS: dict[str, type[Method]] = {"mert": Mert, "mira": Mira, "pro": Pro}


@dataclass(frozen=True)
class TuningSettings:
    """How weights are tuned: `mira`, `mert` or `pro`, and for how many rounds of decoding."""

    method: str = "mira"
    iterations: int = 8

    def __post_init__(self) -> None:
        choose(self.method, METHODS, "method of tuning")
        check_least(self, "iterations")


Source = TypeVar("Source")
Model = TypeVar("Model", PhraseModel, RuleModel)


@dataclass(frozen=True, eq=False)
class DevSet(Generic[Source]):
    """Sources, such as sentences, with their reference translations.

    `lines` says where in its file each was, from 0.
    """

    sources: list[Source]
    references: list[Words]
    lines: list[int] = field(default_factory=list)


def read_dev(source: str, reference: str, problems: Problems) -> DevSet[Words]:
    """Read two parallel files; pairs that are bad or empty are left out."""
    text = ParallelText.read(source, reference, problems)
    lines = [line for line, words in enumerate(text.sources) if words]
    return DevSet([text.sources[n] for n in lines], [text.targets[n] for n in lines], lines)


class DevDecoder:
    """Decodes a dev set, giving words the numbers that its metric knows them by.

    Case does not count, so that tuning does not depend on how a model treats it.
    """

    def __init__(self, model: PhraseModel | RuleModel, dev: DevSet[Any], *, jobs: int) -> None:
        self.decode: Callable[..., tuple[SearchGraph, tuple[str, ...]]] = model.graphs()
        self.sources = dev.sources
        self.jobs = jobs
        self._vocabulary = Vocabulary()
        self._numbers = np.array(
            [self._vocabulary.add(word.lower()) for word in model.target_words], np.int32
        )
        self.metric = Bleu(
            [[[self._vocabulary.add(word.lower()) for word in e]] for e in dev.references]
        )

    def __call__(self, weights: Floats) -> list[SearchGraph]:
        """Return the search graph of each source."""

        def decode(source: Any) -> tuple[SearchGraph, tuple[str, ...]]:
            return self.decode(source, weights)

        graphs = []
        for graph, extra in in_order(decode, self.sources, self.jobs):
            own = [self._vocabulary.add(word.lower()) for word in extra]
            numbers = np.concatenate([self._numbers, np.array(own, np.int32)])
            graphs.append(replace(graph, words=numbers[graph.words]))
        return graphs


class Log:
    """The rounds of tuning so far, in a file, so that tuning can go on from the last weights.

    It starts empty unless the file is about the same `origin`. `best` is the round whose weights
    were chosen, once tuning is over.
    """

    def __init__(self, path: Path, origin: Mapping[str, Any]) -> None:
        self.path = path
        self.origin = json.loads(json.dumps(origin))
        self.rounds: list[Round] = []
        self.best: int | None = None
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["origin"] == self.origin:
                self.rounds = [
                    Round(**{**each, "weights": tuple(each["weights"])}) for each in found["rounds"]
                ]
                self.best = found["best"]

    def add(self, done: Round) -> None:
        """Write down a round."""
        self.rounds.append(done)
        self._write()

    def finish(self, why: str) -> Tuned:
        """Write down which round was best, of all, and return them."""
        self.best = max(range(len(self.rounds)), key=lambda place: self.rounds[place].rank)
        self._write()
        return Tuned(tuple(self.rounds), self.best, why)

    def _write(self) -> None:
        rounds = [each.as_dict() for each in self.rounds]
        with atomic_write(self.path) as handle:
            json.dump(
                {"origin": self.origin, "best": self.best, "rounds": rounds}, handle, indent=1
            )


def tune_model(
    model: Model,
    dev: DevSet[Any],
    stop: DevSet[Any] | None,
    settings: TuningSettings,
    log: Log,
    *,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> tuple[Model, Tuned]:
    """Return the model with better weights, found on `dev` and chosen by `stop` if given.

    If the log has rounds, tuning goes on from the weights of the last one, with what is left of the
    iterations.
    """
    if log.best is not None:
        progress.say(f"{log.path}: finished earlier, used again")
        done = Tuned(tuple(log.rounds), log.best, "it was finished earlier")
        return model.with_weights(done.weights), done
    decode = DevDecoder(model, dev, jobs=jobs)
    second = DevDecoder(model, stop, jobs=jobs) if stop is not None else None
    start, iterations = model.weights, settings.iterations
    if log.rounds:
        progress.say(f"{log.path}: {len(log.rounds)} rounds of tuning; going on from the last")
        # Its outputs are needed, so the last round is done again.
        start = np.array(log.rounds.pop().weights)
        iterations = max(1, iterations - len(log.rounds))
    tuned = tune(
        decode,
        decode.metric,
        start,
        method=METHODS[settings.method](),
        iterations=iterations,
        seed=seed,
        second=None if second is None else (second, second.metric),
        signs=model.features.signs,
        report=log.add,
        progress=progress,
    )
    tuned = log.finish(tuned.why)
    return model.with_weights(tuned.weights), tuned
