"""`PhraseModel`: a phrase table, language models, weights, and their file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Words
from treewright.errors import ModelFileError, TreewrightError, choose
from treewright.learning.tuning import SearchGraph
from treewright.lm import LanguageModel
from treewright.modelfile import read_mapped_model, under, within, write_model
from treewright.text import LANGUAGES
from treewright.translation.casing import Casing
from treewright.translation.decoding import Decoder, Features, Search
from treewright.translation.phrases import PhraseTable

KIND = "phrase"
_ABOUT = "model.json"
_TABLE, _LM, _CASINGS = "table/", "lm{}/", ("source/", "target/")
_BAD = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True, eq=False)
class PhraseModel:
    """All that translation needs; `metadata` says how it was made, in plain values."""

    table: PhraseTable
    models: tuple[LanguageModel, ...]
    weights: NDArray[np.float64]
    source_casing: Casing
    target_casing: Casing
    search: Search = field(default_factory=Search)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def features(self) -> Features:
        """The features that the weights belong to."""
        return Features(self.table.feature_names, len(self.models))

    @property
    def target_words(self) -> Sequence[str]:
        """The words of its outputs, by number."""
        return self.table.target.words

    def graphs(
        self,
    ) -> Callable[[Words, NDArray[np.float64]], tuple[SearchGraph, tuple[str, ...]]]:
        """Return what decodes a sentence with given weights, for tuning."""
        decoder = Decoder(self.table, self.models, self.search)

        def decode(
            words: Words, weights: NDArray[np.float64]
        ) -> tuple[SearchGraph, tuple[str, ...]]:
            found = decoder.decode(self.source_casing.prepare(words), weights)
            return found.graph, found.options.extra

        return decode

    def with_weights(self, weights: NDArray[np.float64]) -> PhraseModel:
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
        parts[_ABOUT] = json.dumps(about, sort_keys=True).encode()
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> PhraseModel:
        """Read a model file; its arrays stay there, mapped into memory."""
        known = (
            _ABOUT,
            f"{_TABLE}*",
            _LM.format("*") + "*",
            *(f"{folder}*" for folder in _CASINGS),
        )
        parts, metadata = read_mapped_model(path, kind=KIND, known=known)
        try:
            about = json.loads(bytes(parts[_ABOUT]))
            table = PhraseTable.from_parts(within(_TABLE, parts))
            models = tuple(
                LanguageModel.from_parts(within(_LM.format(number), parts))
                for number in range(int(about["models"]))
            )
            search = dict(about["search"])
            if search["threshold"] is None:
                search["threshold"] = float("inf")
            weights = Features(table.feature_names, len(models)).weights(about["weights"])
            source, target = [Casing.from_parts(within(folder, parts)) for folder in _CASINGS]
            made = cls(table, models, weights, source, target, Search(**search), metadata)
            for language in made.languages:
                choose(language, LANGUAGES, "language of a tokeniser")
            return made
        except (*_BAD, TreewrightError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
