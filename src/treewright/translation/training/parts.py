"""What models of phrases and of rules are both learned from and by: text, word links, tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treewright.alignment import SYMMETRIZATIONS, align_words
from treewright.corpora import Links, Words, read_links
from treewright.errors import Problems, UsageError, choose
from treewright.files import atomic_write
from treewright.lm import check_order, train_lm
from treewright.progress import Progress
from treewright.text import LANGUAGES
from treewright.translation.casing import CASINGS, Casing
from treewright.translation.training.text import ParallelText
from treewright.translation.training.tuning import DevSet, Log, Model, TuningSettings, tune_model
from treewright.translation.training.workshop import Workshop, fingerprint


@dataclass(frozen=True, kw_only=True)
class TextFiles:
    """Parallel text to learn from and to tune on.

    `texts` are further texts in the target language. `links` replace the step that would make
    them. `stop` is a second dev set, which decides when tuning ends.
    """

    source: str
    target: str
    dev: tuple[str, str]
    stop: tuple[str, str] | None = None
    texts: Sequence[str] = ()
    links: str | None = None

    def __post_init__(self) -> None:
        if "-" in self.paths:
            raise UsageError("training reads its files more than once; give files instead of -")

    @property
    def tuned_on(self) -> list[str]:
        """The files of the dev sets."""
        return [*self.dev, *(self.stop or ())]

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        named = (self.source, self.target, *self.tuned_on, *self.texts, self.links)
        return [path for path in named if path is not None]


@dataclass(frozen=True, kw_only=True)
class TextLearner:
    """The settings of every learner from parallel text."""

    languages: tuple[str, str] = ("whitespace", "whitespace")
    symmetrize: str = "posterior"
    casing: str = "lower"
    order: int = 5
    tuning: TuningSettings = field(default_factory=TuningSettings)
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        choose(self.symmetrize, SYMMETRIZATIONS, "symmetrization")
        choose(self.casing, CASINGS, "casing")
        check_order(self.order)
        for language in self.languages:
            choose(language, LANGUAGES, "language of a tokeniser")

    def about(self, text: ParallelText) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        return {
            "pairs": sum(bool(words) for words in text.sources),
            "symmetrize": self.symmetrize,
            "languages": list(self.languages),
            "casing": self.casing,
            "order": self.order,
            "seed": self.seed,
        }


@dataclass(frozen=True, eq=False)
class Training:
    """One run of a learner: what it has to work with, and the steps that all runs take."""

    learner: TextLearner
    files: TextFiles
    shop: Workshop
    problems: Problems
    progress: Progress

    @cached_property
    def text(self) -> ParallelText:
        """The text to learn from."""
        return ParallelText.read(self.files.source, self.files.target, self.problems)

    @cached_property
    def casings(self) -> tuple[Casing, Casing]:
        """The casings of both languages."""
        name = self.learner.casing
        return Casing.learn(name, self.text.sources), Casing.learn(name, self.text.targets)

    @cached_property
    def cased(self) -> ParallelText:
        """The text as the model knows it."""
        return self.text.cased(*self.casings)

    @cached_property
    def origin(self) -> dict[str, Any]:
        """What the cased text is made from."""
        files = self.files.source, self.files.target
        return {"text": fingerprint(*files), "casing": self.learner.casing}

    def links(self) -> Links:
        """Align the words of the text, unless a file of links is given."""
        text, learner = self.cased, self.learner
        if self.files.links is not None:
            return read_links(self.files.links, text.sizes)

        def make(path: Path) -> None:
            self.progress.say("aligning words")
            links = align_words(
                text.sources,
                text.targets,
                symmetrize=learner.symmetrize,
                seed=learner.seed,
                jobs=learner.jobs,
                progress=self.progress,
            )
            with atomic_write(path) as handle:
                handle.writelines(f"{line}\n" for line in links.lines())

        made = {**self.origin, "symmetrize": learner.symmetrize, "seed": learner.seed}
        return read_links(self.shop.part("links.align", made, make), text.sizes)

    def lm(self, name: str, sentences: Sequence[Words], origin: Mapping[str, Any]) -> Path:
        """Estimate a language model; `origin` says from what."""
        order = self.learner.order
        made = {**origin, "order": order}
        return self.shop.part(name, made, lambda path: train_lm(sentences, order).save(path))

    def tune(self, model: Model, sets: Sequence[DevSet[Any]], origin: Mapping[str, Any]) -> Model:
        """Tune a model on the first dev set; the second, if there is one, says when to end.

        `origin` says what that depends on.
        """
        tuned, found = tune_model(
            model,
            sets[0],
            sets[1] if len(sets) > 1 else None,
            self.learner.tuning,
            Log(self.shop.place("tuning.json"), origin),
            seed=self.learner.seed,
            jobs=self.learner.jobs,
            progress=self.progress,
        )
        scores = [each.score for each in found.curve]
        about = {**tuned.metadata, "curve": scores, "bleu": scores[found.best]}
        return replace(tuned, metadata=about)
