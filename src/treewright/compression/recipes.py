"""Recipes: how the shipped models are made, as files that can be run.

A recipe names corpora, and stages of training over all or some of them. Each target of a corpus is
a separate style: `broadcast.train#1` is what the second annotator made of `broadcast.train`. There
may be a teacher, whose opinion of the pairs the first stage learns from too. The model has the mean
of the recipe's `styles`; where only a share of the words may stay, that of the styles in `shares`,
or between those of two shares.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from treewright.compression.shipped import FOLDER
from treewright.corpora import Pair
from treewright.errors import DataError, UsageError
from treewright.learning.neural import (
    NeuralCRF,
    NeuralData,
    Teacher,
    ask,
    need_torch,
    read_network,
    styled_pairs,
    write_network,
)
from treewright.parsing import Parser
from treewright.parsing.embedded import SHIPPED
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
        _check_known(settings, NeuralCRF, what)
        corpora = _names(values.get("corpora", []), f"corpora of {what}")
        strange = [corpus for corpus in corpora if corpus not in known]
        if strange:
            raise ValueError(
                f"{what} has corpora that the recipe does not list: {', '.join(strange)}"
            )
        NeuralCRF(**settings)
        return cls(settings, corpora)


@dataclass(frozen=True)
class Lesson:
    """A teacher, fitted to the first pairs of each style, and asked about the first pairs of each.

    A teacher takes long, and so does each of its answers.
    """

    teacher: Teacher
    fitted: int
    asked: int

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read the table of a recipe."""
        settings = {k: v for k, v in values.items() if k not in ("fitted", "asked")}
        _check_known(settings, Teacher, "the teacher")
        for key in ("fitted", "asked"):
            if not isinstance(values.get(key), int) or values[key] < 1:
                raise ValueError(f"{key} must be a number of pairs, found {values.get(key)!r}")
        return cls(Teacher(**settings), values["fitted"], values["asked"])

    def give(self, data: NeuralData, encoder: str | Path, progress: Progress) -> NeuralData:
        """Return the examples, some of them with the opinion of the teacher."""
        progress.say("training the teacher")
        network = self.teacher.fit(encoder, data.first(self.fitted), progress=progress)
        progress.say("asking the teacher")
        chosen = data.first(self.asked).examples
        taught = dict(zip(map(id, chosen), ask(network, chosen, progress=progress), strict=True))
        return replace(data, examples=[taught.get(id(e), e) for e in data.examples])


@dataclass(frozen=True)
class Recipe:
    """How to make a model: from which corpora, in which stages, and in which styles."""

    name: str
    corpora: tuple[str, ...]
    styles: tuple[str, ...]
    stages: tuple[Stage, ...]
    lesson: Lesson | None = None
    shares: Mapping[float, tuple[str, ...]] = field(default_factory=dict)

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
        if sorted(values.keys() - {"teacher", "shares"}) != sorted(wanted):
            raise ValueError(f"expected {', '.join(wanted)}, found {', '.join(values)}")
        corpora = _names(values["corpora"], "corpora")
        stages = [
            Stage.read(stage, f"stage {number}", corpora)
            for number, stage in enumerate(values["stage"], start=1)
        ]
        styles = _names(values["styles"], "styles")
        if not stages or not styles:
            raise ValueError("a recipe needs a stage and a style")
        lesson = Lesson.read(values["teacher"]) if "teacher" in values else None
        if not all(values.get("shares", {}).values()):
            raise ValueError("every share needs a style")
        shares = {
            _share(percent): _names(own, f"styles of {percent} %")
            for percent, own in values.get("shares", {}).items()
        }
        return cls(name, corpora, styles, tuple(stages), lesson, shares)

    def follow(
        self,
        data: Path,
        parser: Parser,
        *,
        encoder: str | Path | None = None,
        kept: Path | None = None,
        progress: Progress = SILENT,
    ) -> Model:
        """Train the model on the corpora in a folder, over the trees of a parser.

        A teacher needs a pretrained transformer in the folder `encoder`. The network of the first
        stage is stored in the folder `kept`, after each epoch as well, and taken from there if a
        recipe that begins in the same way has left it.
        """
        need_torch()
        if self.lesson is not None and encoder is None:
            raise UsageError(
                f"recipe {self.name} has a teacher; give the folder of its transformer with "
                "--encoder"
            )
        if kept is not None:
            kept.mkdir(parents=True, exist_ok=True)
        prepared = self._prepare(data, parser, progress)
        network = None
        stored = self._stored(kept, prepared, encoder)
        for number, stage in enumerate(self.stages, start=1):
            progress.say(f"stage {number} of {len(self.stages)}")
            learner = NeuralCRF(**stage.settings)
            part = prepared.only(_styles_of(prepared, stage.corpora or self.corpora))
            begins = number == 1
            if begins and stored is not None and stored.exists():
                progress.say(f"{stored}: kept of a recipe that begins in the same way")
                network = read_network(stored, learner, part)
                continue
            if begins and self.lesson is not None and encoder is not None:
                part = self.lesson.give(part, encoder, progress)
            learner.fit_prepared(
                part,
                start=network,
                styles=self.styles,
                shares=self.shares,
                checkpoint=stored.with_suffix(".checkpoint") if begins and stored else None,
                progress=progress,
            )
            network = learner.network_
            if begins and stored is not None:
                write_network(stored, network)
                stored.with_suffix(".checkpoint").unlink()
        model = learner.model_
        about: dict[str, Any] = {
            "recipe": self.name,
            "corpora": list(self.corpora),
            "styles": list(self.styles),
        }
        if self.shares:
            about["shares"] = {str(share): list(own) for share, own in self.shares.items()}
        stages = [{"corpora": list(s.corpora), **s.settings} for s in self.stages]
        return Model(
            model.grammar,
            model.unseen,
            {**model.metadata, **about, "stages": stages},
            model.pruning,
        )

    def _stored(
        self, folder: Path | None, data: NeuralData, encoder: str | Path | None
    ) -> Path | None:
        """Return where the network of the first stage is, by all that it depends on."""
        if folder is None or len(self.stages) == 1:
            return None
        stage = self.stages[0]
        lesson = None if self.lesson is None else asdict(self.lesson)
        config = None if encoder is None else Path(encoder, "config.json").read_text("utf-8")
        parser = hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
        about = [data.fingerprint, stage.corpora, dict(stage.settings), lesson, config, parser]
        digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
        return folder / f"{digest[:16]}.network"

    def _prepare(self, data: Path, parser: Parser, progress: Progress) -> NeuralData:
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

        prepared = NeuralCRF().prepare_styled(read(), progress=progress)
        named = [*self.styles, *(style for own in self.shares.values() for style in own)]
        strange = [style for style in named if style not in prepared.styles]
        if strange:
            raise DataError(f"no corpus has a style {', '.join(strange)}", where=self.name)
        return prepared


def _styles_of(data: NeuralData, corpora: Sequence[str]) -> list[str]:
    return [style for style in data.styles if style.partition("#")[0] in corpora]


def _check_known(settings: Mapping[str, Any], kind: type, what: str) -> None:
    unknown = sorted(settings.keys() - {field.name for field in fields(kind)})
    if unknown:
        raise ValueError(f"{what} has unknown settings: {', '.join(unknown)}")


def _share(percent: str) -> float:
    if not percent.isdecimal() or not 0 < int(percent) < 100:
        raise ValueError(f"shares must be of a percentage between 0 and 100, found {percent!r}")
    return int(percent) / 100


def _names(values: object, what: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{what} must be a list of names, found {values!r}")
    return tuple(values)
