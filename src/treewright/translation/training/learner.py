"""`PhraseLearner`: from parallel text to a tuned phrase model, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Links, Sentences, Vocabulary, Words, read_links
from treewright.errors import Problems, UsageError
from treewright.lm import open_lm, read_text, train_lm
from treewright.progress import SILENT, Progress
from treewright.translation.casing import Casing
from treewright.translation.decoding.decoder import Search
from treewright.translation.decoding.features import Features
from treewright.translation.model import Outlined, PhraseModel
from treewright.translation.phrases.building import PhraseSettings, build_phrases
from treewright.translation.phrases.table import PhraseTable
from treewright.translation.training.parts import TextLearner, make_links, make_lm
from treewright.translation.training.text import Bitext, learn_casings
from treewright.translation.training.tuning import DevSet, Log, read_dev, tune_model
from treewright.translation.training.workshop import Workshop, fingerprint


@dataclass(frozen=True, kw_only=True)
class PhraseFiles:
    """What a phrase model is made from.

    `texts` are further texts in the target language and `models` language models, each with a
    weight of its own. `links` and `table` replace the steps that would make them. `stop` is a
    second dev set, which decides when tuning ends.
    """

    source: str
    target: str
    dev: tuple[str, str]
    stop: tuple[str, str] | None = None
    texts: Sequence[str] = ()
    models: Sequence[str] = ()
    links: str | None = None
    table: str | None = None

    def __post_init__(self) -> None:
        if "-" in self.paths:
            raise UsageError("training reads its files more than once; give files instead of -")

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        named = (self.source, self.target, *self.dev, *(self.stop or ()), self.links, self.table)
        return [path for path in (*named, *self.texts, *self.models) if path is not None]


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
        return self._tune(made, [outlined(each) for each in sets], files, shop, progress)

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

    def _tune(
        self,
        made: Made,
        sets: Sequence[DevSet[Outlined]],
        files: PhraseFiles,
        shop: Workshop,
        progress: Progress,
    ) -> PhraseModel:
        """Tune a model on the first dev set, and decide by the second, if there is one, when to
        end.
        """
        log = Log(shop.place("tuning.json"), self._tuning_origin(files, made.parts))
        tuned, found = tune_model(
            made.model,
            sets[0],
            sets[1] if len(sets) > 1 else None,
            self.tuning,
            log,
            seed=self.seed,
            jobs=self.jobs,
            progress=progress,
        )
        scores = [each.score for each in found.curve]
        about = {**tuned.metadata, "curve": scores, "bleu": scores[found.best]}
        return replace(tuned, metadata=about)

    def _links(
        self,
        shop: Workshop,
        files: PhraseFiles,
        text: Bitext,
        origin: Mapping[str, Any],
        progress: Progress,
    ) -> Links:
        if files.links is not None:
            return read_links(files.links, text.sizes)

        return make_links(
            shop,
            text,
            origin,
            symmetrize=self.symmetrize,
            seed=self.seed,
            jobs=self.jobs,
            progress=progress,
        )

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
        links = self._links(shop, files, text, origin, progress)

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
        models = [make_lm(shop, "lm.model", text.targets, origin, self.order)]
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
            "dev": fingerprint(*files.dev, *(files.stop or ())),
            "tuning": asdict(self.tuning),
            "search": {name: str(value) for name, value in asdict(self.search).items()},
            "parts": fingerprint(*parts),
            "casing": self.casing,
            "seed": self.seed,
        }

    def _about(self, text: Bitext) -> dict[str, Any]:
        return {**self.about(text), "learner": "phrase", "phrases": asdict(self.phrases)}
