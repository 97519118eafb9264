"""`PhraseModel`: a phrase table, language models, weights, and their file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from treewright.arrays import Bools, Floats
from treewright.corpora import Words
from treewright.errors import ModelFileError, TreewrightError, choose
from treewright.learning.tuning import SearchGraph
from treewright.lm import LanguageModel
from treewright.modelfile import Part, read_mapped_model, under, within, write_model
from treewright.text import LANGUAGES
from treewright.translation.casing import Casing
from treewright.translation.decoding.decoder import Decoder, Search, SkeletalModel
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.skeleton import SkeletonUse
from treewright.translation.phrases.table import PhraseTable
from treewright.translation.skeletons.finding import SkeletonFinder

KIND = "phrase"
_ABOUT = "model.json"
_TABLE, _LM, _CASINGS = "table/", "lm{}/", ("source/", "target/")
_SKELETON = "skeleton/"
KNOWN = (
    *(_ABOUT, f"{_TABLE}*", f"{_LM.format('*')}*", f"{_SKELETON}*"),
    *(f"{folder}*" for folder in _CASINGS),
)
"""The parts of a model file."""
UNREADABLE = (
    *(LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError),
    TreewrightError,
)


class Outlined(NamedTuple):
    """A sentence and, for models that score it, its skeleton: whether each word belongs to it."""

    words: Words
    kept: Bools | None = None


@dataclass(frozen=True, eq=False)
class PhraseModel:
    """All that translation needs; `metadata` says how it was made, in plain values.

    With `skeletal`, skeletons of sentences are scored too; `finder` finds them.
    """

    table: PhraseTable
    models: tuple[LanguageModel, ...]
    weights: Floats
    source_casing: Casing
    target_casing: Casing
    search: Search = field(default_factory=Search)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    skeletal: SkeletalModel | None = None
    finder: SkeletonFinder | None = None

    @property
    def features(self) -> Features:
        """The features that the weights belong to."""
        use = None if self.skeletal is None else self.skeletal.use
        return Features(self.table.feature_names, len(self.models), use)

    def decoder(self, search: Search | None = None) -> Decoder:
        """Return what searches for translations."""
        return Decoder(self.table, self.models, search or self.search, self.skeletal)

    @property
    def target_words(self) -> Sequence[str]:
        """The words of its outputs, by number."""
        return self.table.target.words

    def graphs(
        self,
    ) -> Callable[[Outlined, Floats], tuple[SearchGraph, tuple[str, ...]]]:
        """Return what decodes a sentence with given weights, for tuning."""
        decoder = self.decoder()

        def decode(source: Outlined, weights: Floats) -> tuple[SearchGraph, tuple[str, ...]]:
            words = self.source_casing.prepare(source.words)
            found = decoder.decode(words, weights, kept=source.kept, thorough=True)
            return found.graph, found.options.extra

        return decode

    def with_weights(self, weights: Floats) -> PhraseModel:
        """Return the model with other weights."""
        return replace(self, weights=weights)

    @property
    def languages(self) -> tuple[str, str]:
        """The tokenisers of source and target text."""
        source, target = self.metadata.get("languages", ("whitespace", "whitespace"))
        return source, target

    def save(self, path: str | Path) -> None:
        """Write the model file."""
        search = asdict(self.search)
        if self.search.threshold == float("inf"):
            search["threshold"] = None  # JSON has no infinity
        about = {
            "weights": self.features.named(self.weights),
            "search": search,
            "models": len(self.models),
        }
        parts = under(_TABLE, self.table.parts())
        for number, model in enumerate(self.models):
            parts |= under(_LM.format(number), model.parts())
        for folder, casing in zip(_CASINGS, (self.source_casing, self.target_casing), strict=True):
            parts |= under(folder, casing.parts())
        if self.skeletal is not None:
            about["skeleton"] = {
                "use": asdict(self.skeletal.use),
                "slot": self.skeletal.slot,
                "finder": None if self.finder is None else self.finder.stored(),
            }
            if self.skeletal.lm is not None:
                parts |= under(_SKELETON, self.skeletal.lm.parts())
        parts[_ABOUT] = json.dumps(about, sort_keys=True).encode()
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def _from_parts(cls, parts: Mapping[str, Part], metadata: Mapping[str, Any]) -> PhraseModel:
        """Put a model together; what is wrong with its parts raises one of `UNREADABLE`."""
        about = json.loads(bytes(parts[_ABOUT]))
        table = PhraseTable.from_parts(within(_TABLE, parts))
        models = tuple(
            LanguageModel.from_parts(within(_LM.format(number), parts))
            for number in range(int(about["models"]))
        )
        search = dict(about["search"])
        if search["threshold"] is None:
            search["threshold"] = float("inf")
        skeletal, finder = _skeletal(about.get("skeleton"), parts)
        use = None if skeletal is None else skeletal.use
        weights = Features(table.feature_names, len(models), use).weights(about["weights"])
        source, target = [Casing.from_parts(within(folder, parts)) for folder in _CASINGS]
        made = cls(
            *(table, models, weights, source, target, Search(**search), metadata, skeletal),
            finder,
        )
        for language in made.languages:
            choose(language, LANGUAGES, "language of a tokeniser")
        return made

    @classmethod
    def load(cls, path: str | Path) -> PhraseModel:
        """Read a model file; its arrays stay there, mapped into memory."""
        parts, metadata = read_mapped_model(path, kind=KIND, known=KNOWN)
        try:
            return cls._from_parts(parts, metadata)
        except UNREADABLE as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None


def _skeletal(
    about: Mapping[str, Any] | None, parts: Mapping[str, Part]
) -> tuple[SkeletalModel | None, SkeletonFinder | None]:
    """Return what a model file says about skeletons."""
    if about is None:
        return None, None
    use = SkeletonUse(**about["use"])
    lm = LanguageModel.from_parts(within(_SKELETON, parts)) if use.lm else None
    found = about["finder"]
    finder = None if found is None else SkeletonFinder.restored(found)
    return SkeletalModel(use, lm, str(about["slot"])), finder
