"""Recipes: how the models that come with the package are made, as files that can be followed.

A recipe names corpora, and stages of training over all or some of them. Each target of a corpus is
a style of its own: `broadcast.train#1` is what the second annotator made of `broadcast.train`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from treewright.alignment import align_pairs
from treewright.alignment.reparsing import reparse
from treewright.corpora import Pair, read_pairs
from treewright.errors import DataError, UsageError
from treewright.grammar import Model
from treewright.learning.neural import NeuralCRF
from treewright.learning.neural.examples import NeuralData
from treewright.parsing import Parser
from treewright.progress import SILENT, Progress

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Stage:
    """One run of the learner, over the corpora whose names are given; all without any."""

    settings: Mapping[str, Any]
    corpora: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """The making of a model: what from, in which stages, and the styles it shall have."""

    name: str
    corpora: tuple[str, ...]
    styles: tuple[str, ...]
    stages: tuple[Stage, ...]

    @classmethod
    def load(cls, recipe: str) -> Self:
        """Read a recipe of the package by its name, or one from a file."""
        known = sorted(path.stem for path in FOLDER.glob("*.toml"))
        path = FOLDER / f"{recipe}.toml" if recipe in known else Path(recipe)
        if not path.is_file():
            raise UsageError(
                f"there is no recipe {recipe!r}; choose one of {', '.join(known)}, or give a file"
            )
        try:
            return cls._read(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise DataError(f"it is no recipe: {error}", where=str(path)) from None

    @classmethod
    def _read(cls, name: str, values: Mapping[str, Any]) -> Self:
        allowed = {field.name for field in fields(NeuralCRF)}
        stages = []
        for number, stage in enumerate(values["stage"], start=1):
            settings = {key: value for key, value in stage.items() if key != "corpora"}
            unknown = sorted(settings.keys() - allowed)
            if unknown:
                raise TypeError(f"stage {number} has unknown settings: {', '.join(unknown)}")
            stages.append(Stage(settings, tuple(stage.get("corpora", ()))))
        return cls(name, tuple(values["corpora"]), tuple(values["styles"]), tuple(stages))

    def follow(self, data: Path, parser: Parser, *, progress: Progress = SILENT) -> Model:
        """Train the model on the corpora in a folder, over the trees of a parser."""
        learner = NeuralCRF(**self.stages[0].settings)
        prepared = self._prepare(learner, data, parser, progress)
        network = None
        for number, stage in enumerate(self.stages, start=1):
            progress.say(f"stage {number} of {len(self.stages)}")
            learner = NeuralCRF(**stage.settings)
            part = prepared.only(_styles_of(prepared, stage.corpora or self.corpora))
            learner.fit_prepared(part, start=network, styles=self.styles, progress=progress)
            network = learner.network_
        model = learner.model_
        about = {"recipe": self.name, "corpora": list(self.corpora), "styles": list(self.styles)}
        stages = [{"corpora": list(s.corpora), **s.settings} for s in self.stages]
        return Model(
            model.grammar,
            model.unseen,
            {**model.metadata, **about, "stages": stages},
            model.pruning,
        )

    def _prepare(
        self, learner: NeuralCRF, data: Path, parser: Parser, progress: Progress
    ) -> NeuralData:
        pairs: list[Pair] = []
        styles: list[str] = []
        for corpus in self.corpora:
            progress.say(f"parsing {corpus}")
            for pair, style in _styled(corpus, data / f"{corpus}.jsonl", parser):
                pairs.append(pair)
                styles.append(style)
        return learner.prepare(pairs, styles=styles, progress=progress)


def _styled(corpus: str, path: Path, parser: Parser) -> Iterator[tuple[Pair, str]]:
    """Yield the pairs of a corpus with all its targets, each with its style."""
    pairs = align_pairs(pair for pair in read_pairs(path, target=None) if pair.target.words())
    for pair in reparse(pairs, parser):
        _, number, target = pair.id.rpartition("#")
        yield pair, f"{corpus}{number}{target}" if number else corpus


def _styles_of(data: NeuralData, corpora: Sequence[str]) -> list[str]:
    return [style for style in data.styles if style.partition("#")[0] in corpora]
