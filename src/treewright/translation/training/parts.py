"""What models of phrases and of rules are both learned from and by: text, word links, tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treewright.alignment import SYMMETRIZATIONS, align_words
from treewright.corpora import Links, Words, read_links
from treewright.errors import UsageError, choose
from treewright.files import atomic_write
from treewright.lm import check_order, train_lm
from treewright.progress import Progress
from treewright.text import LANGUAGES
from treewright.translation.casing import CASINGS
from treewright.translation.training.text import Bitext
from treewright.translation.training.tuning import DevSet, Log, Model, TuningSettings, tune_model
from treewright.translation.training.workshop import Workshop


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
    """The settings of every learner from parallel text, and the steps that all of them take."""

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

    def about(self, text: Bitext) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        return {
            "pairs": sum(bool(words) for words in text.sources),
            "symmetrize": self.symmetrize,
            "languages": list(self.languages),
            "casing": self.casing,
            "order": self.order,
            "seed": self.seed,
        }

    def make_links(
        self,
        shop: Workshop,
        given: str | None,
        text: Bitext,
        origin: Mapping[str, Any],
        progress: Progress,
    ) -> Links:
        """Align the words of a text unless a file of links is given; `origin` says what it is."""
        if given is not None:
            return read_links(given, text.sizes)

        def make(path: Path) -> None:
            progress.say("aligning words")
            links = align_words(
                text.sources,
                text.targets,
                symmetrize=self.symmetrize,
                seed=self.seed,
                jobs=self.jobs,
                progress=progress,
            )
            with atomic_write(path) as handle:
                handle.writelines(f"{line}\n" for line in links.lines())

        made = {**origin, "symmetrize": self.symmetrize, "seed": self.seed}
        return read_links(shop.part("links.align", made, make), text.sizes)

    def make_lm(
        self, shop: Workshop, name: str, sentences: Sequence[Words], origin: Mapping[str, Any]
    ) -> Path:
        """Estimate a language model; `origin` says from what."""
        made = {**origin, "order": self.order}
        return shop.part(name, made, lambda path: train_lm(sentences, self.order).save(path))

    def tune(
        self,
        model: Model,
        dev: DevSet[Any],
        stop: DevSet[Any] | None,
        shop: Workshop,
        origin: Mapping[str, Any],
        progress: Progress,
    ) -> Model:
        """Tune a model on `dev`, and decide by `stop`, if there is one, when to end; `origin` says
        what that depends on.
        """
        log = Log(shop.place("tuning.json"), origin)
        tuned, found = tune_model(
            model,
            dev,
            stop,
            self.tuning,
            log,
            seed=self.seed,
            jobs=self.jobs,
            progress=progress,
        )
        scores = [each.score for each in found.curve]
        about = {**tuned.metadata, "curve": scores, "bleu": scores[found.best]}
        return replace(tuned, metadata=about)
