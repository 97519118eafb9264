"""`PhraseLearner`: from parallel text to a tuned phrase model, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Sentences, Vocabulary, Words
from treewright.errors import Problems
from treewright.lm import open_lm, read_text, train_lm
from treewright.progress import SILENT, Progress
from treewright.translation.casing import Casing
from treewright.translation.decoding.decoder import Search
from treewright.translation.decoding.features import Features
from treewright.translation.model import Outlined, PhraseModel
from treewright.translation.phrases.building import PhraseSettings, build_phrases
from treewright.translation.phrases.table import PhraseTable
from treewright.translation.training.parts import TextFiles, TextLearner
from treewright.translation.training.text import Bitext, learn_casings
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


@dataclass(frozen=True, eq=False)
class Made:
    """A model before tuning, the text that it was made from, as read and as cased, and its parts.

    `origin` says what the text is.
    """

    model: PhraseModel
    text: Bitext
    cased: Bitext
    origin: dict[str, Any]
    parts: list[Path]


def read_sets(files: PhraseFiles, problems: Problems) -> list[DevSet[Words]]:
    """Read the dev text and, if there is one, the second."""
    return [read_dev(*pair, problems) for pair in (files.dev, files.stop) if pair is not None]


def outlined(
    dev: DevSet[Words], skeletons: Sequence[NDArray[np.bool_]] | None = None
) -> DevSet[Outlined]:
    """Return sentences as phrase models decode them: with their skeletons, if these are scored."""
    kept: Sequence[NDArray[np.bool_] | None] = skeletons or [None] * len(dev.sources)
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
        problems = problems or Problems(strict=True)
        sets = read_sets(files, problems)
        made = self._make(files, shop, problems, progress)
        return self._tuned(made, [outlined(each) for each in sets], files, shop, progress)

    def _make(
        self, files: PhraseFiles, shop: Workshop, problems: Problems, progress: Progress
    ) -> Made:
        """Make all parts; the weights are not tuned yet."""
        for path in files.models:
            open_lm(path)
        text = Bitext.read(files.source, files.target, problems)
        casings = learn_casings(self.casing, text)
        cased = text.cased(*casings)
        origin: dict[str, Any] = {
            "text": fingerprint(files.source, files.target),
            "casing": self.casing,
        }
        parts = [
            self._table(shop, files, cased, origin, progress),
            *self._models(shop, files, cased, casings[1], origin, problems),
        ]
        table, models = PhraseTable.load(parts[0]), tuple(map(open_lm, parts[1:]))
        weights = Features(table.feature_names, len(models)).start()
        untuned = PhraseModel(
            table, models, weights, *casings, search=self.search, metadata=self._about(text)
        )
        return Made(untuned, text, cased, origin, parts)

    def _tuned(
        self,
        made: Made,
        sets: Sequence[DevSet[Outlined]],
        files: PhraseFiles,
        shop: Workshop,
        progress: Progress,
    ) -> PhraseModel:
        """Tune a model on the first dev set; the second, if there is one, says when to end."""
        dev, stop = sets[0], sets[1] if len(sets) > 1 else None
        origin = self._tuning_origin(files, made.parts)
        return self.tune(made.model, dev, stop, shop, origin, progress)

    def _table(
        self,
        shop: Workshop,
        files: PhraseFiles,
        text: Bitext,
        origin: Mapping[str, Any],
        progress: Progress,
    ) -> Path:
        if files.table is not None:
            return Path(files.table)
        links = self.make_links(shop, files.links, text, origin, progress)

        def make(path: Path) -> None:
            progress.say("extracting phrases")
            vocabularies = Vocabulary(), Vocabulary()
            sources = Sentences.encode(text.sources, vocabularies[0])
            targets = Sentences.encode(text.targets, vocabularies[1])
            table = build_phrases(
                sources,
                targets,
                links,
                *vocabularies,
                settings=self.phrases,
                folder=shop.folder,
                progress=progress,
            )
            table.save(path)

        made = {**origin, "phrases": asdict(self.phrases), "links": links.digest()}
        return shop.part("phrases.model", made, make)

    def _models(
        self,
        shop: Workshop,
        files: PhraseFiles,
        text: Bitext,
        casing: Casing,
        origin: Mapping[str, Any],
        problems: Problems,
    ) -> list[Path]:
        """Return the language model of the target side, then the further ones."""
        models = [self.make_lm(shop, "lm.model", text.targets, origin)]
        for number, name in enumerate(files.texts, start=2):

            def make(path: Path, name: str = name) -> None:
                lines = map(casing.prepare, read_text([name], problems))
                train_lm(lines, self.order).save(path)

            made = {"text": fingerprint(name), "casing": self.casing, "order": self.order}
            models.append(shop.part(f"lm{number}.model", made, make))
        return [*models, *map(Path, files.models)]

    def _tuning_origin(self, files: PhraseFiles, parts: Sequence[Path]) -> dict[str, Any]:
        """Say what tuning depends on."""
        return {
            "dev": fingerprint(*files.tuned_on),
            "tuning": asdict(self.tuning),
            "search": {name: str(value) for name, value in asdict(self.search).items()},
            "parts": fingerprint(*parts),
            "casing": self.casing,
            "seed": self.seed,
        }

    def _about(self, text: Bitext) -> dict[str, Any]:
        return {**self.about(text), "learner": "phrase", "phrases": asdict(self.phrases)}
