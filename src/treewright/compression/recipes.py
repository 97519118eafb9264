"""Recipes: how the shipped models are made, as files that can be run.

A recipe names corpora, and stages of training over all or some of them. Each target of a corpus is
a separate style: `broadcast.train#1` is what the second annotator made of `broadcast.train`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from treewright.compression.shipped import FOLDER
from treewright.corpora import Pair
from treewright.errors import DataError, UsageError
from treewright.learning.neural import NeuralCRF, NeuralData, need_torch, styled_pairs
from treewright.parsing import Parser
from treewright.progress import SILENT, Progress
from treewright.pruning import Model

_BAD = (ValueError, TypeError, AttributeError, UsageError)


@dataclass(frozen=True)
class Stage:
    """One run of the learner, over the named corpora; over all if none is named."""

    settings: Mapping[str, Any]
    corpora: tuple[str, ...] = ()

    @classmethod
    def read(cls, values: Mapping[str, Any], what: str, known: Collection[str]) -> Self:
        """Read a stage over some of the `known` corpora."""
        settings = {key: value for key, value in values.items() if key != "corpora"}
        unknown = sorted(settings.keys() - {field.name for field in fields(NeuralCRF)})
        if unknown:
            raise ValueError(f"{what} has unknown settings: {', '.join(unknown)}")
        corpora = _names(values.get("corpora", []), f"corpora of {what}")
        strange = [corpus for corpus in corpora if corpus not in known]
        if strange:
            raise ValueError(
                f"{what} has corpora that the recipe does not list: {', '.join(strange)}"
            )
        NeuralCRF(**settings)
        return cls(settings, corpora)


@dataclass(frozen=True)
class Recipe:
    """How to make a model: from which corpora, in which stages, and in which styles."""

    name: str
    corpora: tuple[str, ...]
    styles: tuple[str, ...]
    stages: tuple[Stage, ...]

    @classmethod
    def load(cls, recipe: str) -> Self:
        """Read a recipe from the package by its name, or from a file."""
        known = sorted(path.stem for path in FOLDER.glob("*.toml"))
        path = FOLDER / f"{recipe}.toml" if recipe in known else Path(recipe)
        if not path.is_file():
            raise UsageError(
                f"there is no recipe {recipe!r}; choose one of {', '.join(known)}, or give a file"
            )
        try:
            return cls._read(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
        except _BAD as error:
            raise DataError(f"not a valid recipe: {error}", where=str(path)) from None

    @classmethod
    def _read(cls, name: str, values: Mapping[str, Any]) -> Self:
        wanted = ("corpora", "styles", "stage")
        if sorted(values) != sorted(wanted):
            raise ValueError(f"expected {', '.join(wanted)}, found {', '.join(values)}")
        corpora = _names(values["corpora"], "corpora")
        stages = [
            Stage.read(stage, f"stage {number}", corpora)
            for number, stage in enumerate(values["stage"], start=1)
        ]
        styles = _names(values["styles"], "styles")
        if not stages or not styles:
            raise ValueError("a recipe needs a stage and a style")
        return cls(name, corpora, styles, tuple(stages))

    def follow(self, data: Path, parser: Parser, *, progress: Progress = SILENT) -> Model:
        """Train the model on the corpora in a folder, over the trees of a parser."""
        need_torch()
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
        paths = {corpus: data / f"{corpus}.jsonl" for corpus in self.corpora}
        for path in paths.values():
            if not path.is_file():
                raise DataError(
                    f"recipe {self.name} needs this file, which does not exist; "
                    "give its folder with --data",
                    where=str(path),
                )

        def read() -> Iterator[tuple[Pair, str]]:
            for corpus, path in paths.items():
                progress.say(f"parsing {corpus}")
                yield from styled_pairs(path, corpus, parser=parser)

        prepared = learner.prepare_styled(read(), progress=progress)
        strange = [style for style in self.styles if style not in prepared.styles]
        if strange:
            raise DataError(f"no corpus has a style {', '.join(strange)}", where=self.name)
        return prepared


def _styles_of(data: NeuralData, corpora: Sequence[str]) -> list[str]:
    return [style for style in data.styles if style.partition("#")[0] in corpora]


def _names(values: object, what: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{what} must be a list of names, found {values!r}")
    return tuple(values)
