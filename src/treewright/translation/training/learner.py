"""`PhraseLearner`: from parallel text to a tuned phrase model, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from treewright.corpora import Sentences, Vocabulary, Words
from treewright.errors import Problems
from treewright.lm import open_lm, read_text, train_lm
from treewright.progress import SILENT, Progress
from treewright.translation.decoding.decoder import Search
from treewright.translation.decoding.features import Features
from treewright.translation.model import Outlined, PhraseModel
from treewright.translation.phrases.building import PhraseSettings, build_phrases
from treewright.translation.phrases.table import PhraseTable
from treewright.translation.skeletons.files import Skeleton
from treewright.translation.training.parts import TextFiles, TextLearner, Training
from treewright.translation.training.text import ParallelText
from treewright.translation.training.tuning import DevSet, read_dev
from treewright.translation.training.workshop import Workshop, fingerprint


@dataclass(frozen=True, kw_only=True)
class PhraseFiles(TextFiles):
    """What a phrase model is made from.

    Each of `texts` gives a language model with a weight of its own, as has each of `models`.
    `table` replaces the steps that would make one.
    """

    models: Sequence[str] = ()
    table: str | None = None

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        return [*super().paths, *([] if self.table is None else [self.table]), *self.models]


def outlined(dev: DevSet[Words], skeletons: Sequence[Skeleton] | None = None) -> DevSet[Outlined]:
    """Return sentences as phrase models decode them: with their skeletons, if these are scored."""
    kept: Sequence[Skeleton | None] = skeletons or [None] * len(dev.sources)
    sources = [Outlined(*each) for each in zip(dev.sources, kept, strict=True)]
    return DevSet(sources, dev.references)


@dataclass(frozen=True, kw_only=True)
class PhraseLearner(TextLearner):
    """Makes phrase models: alignment, phrase table, language model, tuning."""

    symmetrize: str = "grow-diag-final-and"
    phrases: PhraseSettings = field(default_factory=PhraseSettings)
    search: Search = field(default_factory=Search)

    def fit(
        self,
        files: PhraseFiles,
        shop: Workshop,
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> PhraseModel:
        """Make a model; parts that the workshop has are not made again."""
        return PhraseTraining(self, files, shop, problems or Problems(strict=True), progress).run()

    def about(self, text: ParallelText) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        return {**super().about(text), "learner": "phrase", "phrases": asdict(self.phrases)}


@dataclass(frozen=True, eq=False)
class PhraseTraining(Training):
    """One run of a learner of phrases."""

    learner: PhraseLearner
    files: PhraseFiles

    def run(self) -> PhraseModel:
        """Make all parts and tune their weights."""
        sets = self.dev_sets()
        model, parts = self.untuned()
        return self.tune(model, sets, self.tuning_origin(parts))

    def read_sets(self) -> list[DevSet[Words]]:
        """Read the dev text and, if there is one, the second."""
        pairs = (self.files.dev, self.files.stop)
        return [read_dev(*pair, self.problems) for pair in pairs if pair is not None]

    def dev_sets(self) -> list[DevSet[Outlined]]:
        """Return the dev sets as the model decodes them."""
        return [outlined(each) for each in self.read_sets()]

    def untuned(self) -> tuple[PhraseModel, list[Path]]:
        """Return a model with the weights that tuning begins with, and its parts."""
        for path in self.files.models:
            open_lm(path)
        about = self.learner.about(self.text)
        parts = [self.table(), *self.models()]
        table, models = PhraseTable.load(parts[0]), tuple(map(open_lm, parts[1:]))
        weights = Features(table.feature_names, len(models)).start()
        casings, search = self.casings, self.learner.search
        model = PhraseModel(table, models, weights, *casings, search=search, metadata=about)
        return model, parts

    def table(self) -> Path:
        """Extract phrases, unless a table is given."""
        if self.files.table is not None:
            return Path(self.files.table)
        links, settings = self.links(), self.learner.phrases

        def make(path: Path) -> None:
            self.progress.say("extracting phrases")
            vocabularies = Vocabulary(), Vocabulary()
            table = build_phrases(
                Sentences.encode(self.cased.sources, vocabularies[0]),
                Sentences.encode(self.cased.targets, vocabularies[1]),
                links,
                *vocabularies,
                settings=settings,
                folder=self.shop.folder,
                progress=self.progress,
            )
            table.save(path)

        made = {**self.origin, "phrases": asdict(settings), "links": links.digest()}
        return self.shop.part("phrases.model", made, make)

    def models(self) -> list[Path]:
        """Return the language model of the target side, then the further ones."""
        learner = self.learner
        models = [self.lm("lm.model", self.cased.targets, self.origin)]
        for number, name in enumerate(self.files.texts, start=2):

            def make(path: Path, name: str = name) -> None:
                lines = map(self.casings[1].prepare, read_text([name], self.problems))
                train_lm(lines, learner.order).save(path)

            made = {"text": fingerprint(name), "casing": learner.casing, "order": learner.order}
            models.append(self.shop.part(f"lm{number}.model", made, make))
        return [*models, *map(Path, self.files.models)]

    def tuning_origin(self, parts: Sequence[Path]) -> dict[str, Any]:
        """Say what tuning depends on."""
        learner = self.learner
        return {
            "dev": fingerprint(*self.files.tuned_on),
            "tuning": asdict(learner.tuning),
            "search": {name: str(value) for name, value in asdict(learner.search).items()},
            "parts": fingerprint(*parts),
            "casing": learner.casing,
            "seed": learner.seed,
        }
