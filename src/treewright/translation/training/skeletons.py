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
from treewright.translation.model import PhraseModel
from treewright.translation.skeletons.files import Skeleton, write_skeletons
from treewright.translation.skeletons.finding import SkeletonFinder
from treewright.translation.skeletons.generalising import SYMBOL, generalise_all
from treewright.translation.training.learner import (
    Made,
    PhraseFiles,
    PhraseLearner,
    outlined,
    read_sets,
)
from treewright.translation.training.text import given_skeletons, readable_lines
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
        sets = read_sets(files, problems)
        named = (files.dev_skeletons, files.stop_skeletons)
        texts = [pair[0] for pair in (files.dev, files.stop) if pair is not None]
        found = [
            outlined(each, self._skeletons(shop, given, path, each.sources, each.lines, progress))
            for path, given, each in zip(texts, named, sets, strict=False)
        ]
        made = self._make(files, shop, problems, progress)
        return self._tuned(
            self._with_skeletons(made, files, shop, progress), found, files, shop, progress
        )

    def _with_skeletons(
        self, made: Made, files: SkeletonFiles, shop: Workshop, progress: Progress
    ) -> Made:
        """Return a model that scores skeletons, with the language model that this needs."""
        lm = None
        parts = list(made.parts)
        if self.use.lm:
            sources = made.text.sources
            lines = range(len(sources))
            kept = self._skeletons(shop, files.skeletons, files.source, sources, lines, progress)
            links = self.make_links(shop, files.links, made.cased, made.origin, progress)
            origin = {**made.origin, **self._source(files.skeletons), "links": links.digest()}
            generalised = generalise_all(made.cased.targets, kept, links)
            parts.append(self.make_lm(shop, "skeleton-lm.model", generalised, origin))
            lm = open_lm(parts[-1])
        model = replace(
            made.model, skeletal=SkeletalModel(self.use, lm, SYMBOL), finder=self.finder
        )
        return replace(made, model=replace(model, weights=model.features.start()), parts=parts)

    def _skeletons(
        self,
        shop: Workshop,
        given: str | None,
        text: str,
        sentences: Sequence[Words],
        lines: Sequence[int],
        progress: Progress,
    ) -> list[Skeleton]:
        """Read or find the skeletons of sentences, which are these lines of a text."""
        if given is not None:
            return given_skeletons(given, text, sentences, lines)
        assert self.finder is not None
        finder = self.finder

        def make(path: Path) -> None:
            progress.say(f"finding the skeletons of {text}")
            whole = finder(readable_lines(text), problems=Problems(), progress=progress)
            write_skeletons(path, (found[0] for found in whole))

        digest = fingerprint(text)
        path = shop.part(f"skeletons.{digest[:8]}", {"text": digest, **self._found_by()}, make)
        return given_skeletons(str(path), text, sentences, lines)

    def _found_by(self) -> dict[str, Any]:
        """Say how skeletons are found; models in files are told apart by what is in them."""
        if self.finder is None:
            return {}
        model = self.finder.model
        files = [model] if Path(model).is_file() else []
        return {"finder": self.finder.stored(), "model": fingerprint(*files)}

    def _source(self, given: str | None) -> dict[str, Any]:
        if given is not None:
            return {"skeletons": fingerprint(given)}
        return self._found_by()

    def _tuning_origin(self, files: PhraseFiles, parts: Sequence[Path]) -> dict[str, Any]:
        """Say what tuning depends on."""
        given = files.given if isinstance(files, SkeletonFiles) else []
        return {
            **super()._tuning_origin(files, parts),
            "use": asdict(self.use),
            "skeletons": fingerprint(*given),
            **self._found_by(),
        }

    def _about(self, text: Any) -> dict[str, Any]:
        return {**super()._about(text), "learner": "skeleton", "use": asdict(self.use)}
