"""`SkeletonLearner`: a phrase model that scores skeletons of sentences, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from treewright.corpora import Words
from treewright.errors import Problems, UsageError
from treewright.lm import open_lm
from treewright.progress import SILENT, Progress
from treewright.translation.decoding.decoder import SkeletalModel
from treewright.translation.decoding.skeleton import SkeletonUse
from treewright.translation.model import Outlined, PhraseModel
from treewright.translation.skeletons.files import Skeleton, write_skeletons
from treewright.translation.skeletons.finding import SkeletonFinder
from treewright.translation.skeletons.generalising import SYMBOL, generalise_all
from treewright.translation.training.learner import (
    PhraseFiles,
    PhraseLearner,
    PhraseTraining,
    outlined,
)
from treewright.translation.training.text import ParallelText, given_skeletons, readable_lines
from treewright.translation.training.tuning import DevSet
from treewright.translation.training.workshop import Workshop, fingerprint


@dataclass(frozen=True, kw_only=True)
class SkeletonFiles(PhraseFiles):
    """What a model of skeletons is made from; skeletons that are not given are found.

    `skeletons` are those of the source text, `dev_skeletons` and `stop_skeletons` those of the dev
    texts.
    """

    skeletons: str | None = None
    dev_skeletons: str | None = None
    stop_skeletons: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stop_skeletons is not None and self.stop is None:
            raise UsageError("skeletons of a second dev text, but no such text")
        wanted = 2 if self.stop is None else 3
        if self.given and len(self.given) < wanted:
            raise UsageError(
                "give the skeletons of the training text and of all dev texts, or none"
            )

    @property
    def given(self) -> list[str]:
        """The files of skeletons."""
        named = (self.skeletons, self.dev_skeletons, self.stop_skeletons)
        return [path for path in named if path is not None]

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        return [*super().paths, *self.given]


@dataclass(frozen=True, kw_only=True)
class SkeletonLearner(PhraseLearner):
    """Makes phrase models with skeletons: a skeletal language model, weights for both derivations.

    `finder` finds skeletons, in training and later; without it, all are given.
    """

    use: SkeletonUse = field(default_factory=SkeletonUse)
    finder: SkeletonFinder | None = None

    def fit(
        self,
        files: PhraseFiles,
        shop: Workshop,
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> PhraseModel:
        """Make a model; parts that the workshop has are not made again."""
        if not isinstance(files, SkeletonFiles):
            raise UsageError("SkeletonLearner needs SkeletonFiles")
        if not files.given and self.finder is None:
            raise UsageError("no skeletons: give them, or say how to find them")
        if self.finder is not None:
            self.finder.stored()
        problems = problems or Problems(strict=True)
        return SkeletonTraining(self, files, shop, problems, progress).run()

    def about(self, text: ParallelText) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        return {**super().about(text), "learner": "skeleton", "use": asdict(self.use)}


@dataclass(frozen=True, eq=False)
class SkeletonTraining(PhraseTraining):
    """One run of a learner of skeletons."""

    learner: SkeletonLearner
    files: SkeletonFiles

    def dev_sets(self) -> list[DevSet[Outlined]]:
        """Return the dev sets with their skeletons."""
        files = self.files
        named = (files.dev_skeletons, files.stop_skeletons)
        texts = [pair[0] for pair in (files.dev, files.stop) if pair is not None]
        return [
            outlined(each, self.skeletons(given, path, each.sources, each.lines))
            for path, given, each in zip(texts, named, self.read_sets(), strict=False)
        ]

    def untuned(self) -> tuple[PhraseModel, list[Path]]:
        """Return a model that scores skeletons, with the language model that this needs."""
        model, parts = super().untuned()
        use, given = self.learner.use, self.files.skeletons
        lm = None
        if use.lm:
            sources = self.text.sources
            kept = self.skeletons(given, self.files.source, sources, range(len(sources)))
            links = self.links()
            found_by = self.found_by() if given is None else {"skeletons": fingerprint(given)}
            origin = {**self.origin, **found_by, "links": links.digest()}
            generalised = generalise_all(self.cased.targets, kept, links)
            parts.append(self.lm("skeleton-lm.model", generalised, origin))
            lm = open_lm(parts[-1])
        skeletal = SkeletalModel(use, lm, SYMBOL)
        model = replace(model, skeletal=skeletal, finder=self.learner.finder)
        return replace(model, weights=model.features.start()), parts

    def skeletons(
        self, given: str | None, text: str, sentences: Sequence[Words], lines: Sequence[int]
    ) -> list[Skeleton]:
        """Read or find the skeletons of sentences, which are these lines of a text."""
        if given is not None:
            return given_skeletons(given, text, sentences, lines)
        finder = self.learner.finder
        assert finder is not None

        def make(path: Path) -> None:
            self.progress.say(f"finding the skeletons of {text}")
            whole = finder(readable_lines(text), problems=Problems(), progress=self.progress)
            write_skeletons(path, (found[0] for found in whole))

        digest = fingerprint(text)
        made = {"text": digest, **self.found_by()}
        path = self.shop.part(f"skeletons.{digest[:8]}", made, make)
        return given_skeletons(str(path), text, sentences, lines)

    def found_by(self) -> dict[str, Any]:
        """Say how skeletons are found; models in files are told apart by what is in them."""
        finder = self.learner.finder
        if finder is None:
            return {}
        files = [finder.model] if Path(finder.model).is_file() else []
        return {"finder": finder.stored(), "model": fingerprint(*files)}

    def tuning_origin(self, parts: Sequence[Path]) -> dict[str, Any]:
        """Say what tuning depends on."""
        return {
            **super().tuning_origin(parts),
            "use": asdict(self.learner.use),
            "skeletons": fingerprint(*self.files.given),
            **self.found_by(),
        }
