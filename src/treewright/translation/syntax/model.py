"""`RuleModel`: rules, a language model, weights, how sources are parsed, and their file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from treewright.arrays import Floats
from treewright.corpora import Words
from treewright.errors import DataError, ModelFileError, choose
from treewright.grammar import PART, Grammar, grammar_parts, read_grammar
from treewright.learning.tuning import SearchGraph
from treewright.lm import LanguageModel
from treewright.modelfile import read_mapped_model, under, within, write_model
from treewright.text import LANGUAGES
from treewright.translation.casing import Casing
from treewright.translation.ghkm.scoring import FEATURES
from treewright.translation.model import UNREADABLE
from treewright.translation.syntax.decoder import RuleDecoder, RuleSearch
from treewright.translation.syntax.features import SyntaxFeatures
from treewright.translation.syntax.skeleton import OutlinedTree
from treewright.trees import BINARIZATIONS, Tree, binarize, with_words

KIND = "translation-by-rules"
_ABOUT = "model.json"
_LM, _CASINGS = "lm/", ("source/", "target/")


@dataclass(frozen=True, eq=False)
class RuleModel:
    """All that translation of trees needs; `metadata` says how it was made, in plain values.

    `parser` is the name of the parser that sources are parsed by. With `skeleton`, rules that cross
    the skeletons of sentences are scored, and the skeletons must be given.
    """

    grammar: Grammar
    lm: LanguageModel
    weights: Floats
    source_casing: Casing
    target_casing: Casing
    search: RuleSearch = field(default_factory=RuleSearch)
    parser: str = "embedded"
    binarize: str = "none"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    skeleton: bool = False

    @property
    def features(self) -> SyntaxFeatures:
        """The features that the weights belong to."""
        return SyntaxFeatures(self.grammar.feature_names, self.skeleton)

    def decoder(self, search: RuleSearch | None = None) -> RuleDecoder:
        """Return what searches for translations."""
        search = search or self.search
        return RuleDecoder(self.grammar, self.lm, search, skeleton=self.skeleton)

    @property
    def target_words(self) -> Sequence[str]:
        """The words of its outputs, by number."""
        return self.grammar.packed.words.names

    @property
    def languages(self) -> tuple[str, str]:
        """The tokenisers of source and target text."""
        source, target = self.metadata.get("languages", ("whitespace", "whitespace"))
        return source, target

    def with_weights(self, weights: Floats) -> RuleModel:
        """Return the model with other weights."""
        return replace(self, weights=weights)

    def prepare(self, tree: Tree) -> Tree:
        """Return a tree as the rules know it: its words cased, its nodes binarised."""
        return prepare_tree(tree, self.source_casing.prepare(tree.words()), self.binarize)

    def graphs(
        self,
    ) -> Callable[[OutlinedTree, Floats], tuple[SearchGraph, tuple[str, ...]]]:
        """Return what decodes a tree with given weights, for tuning."""
        decoder = self.decoder()

        def decode(source: OutlinedTree, weights: Floats) -> tuple[SearchGraph, tuple[str, ...]]:
            tree, kept = source
            found = decoder.decode(self.prepare(tree), weights, spelled=tree.words(), kept=kept)
            return found.graph, found.extra

        return decode

    def save(self, path: str | Path) -> None:
        """Write the model file."""
        about = {
            "weights": self.features.named(self.weights),
            "search": asdict(self.search),
            "parser": self.parser,
            "binarize": self.binarize,
            "skeleton": self.skeleton,
        }
        parts = grammar_parts(self.grammar) | under(_LM, self.lm.parts())
        for folder, casing in zip(_CASINGS, (self.source_casing, self.target_casing), strict=True):
            parts |= under(folder, casing.parts())
        parts[_ABOUT] = json.dumps(about, sort_keys=True).encode()
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> RuleModel:
        """Read a model file; its arrays stay there, mapped into memory."""
        known = (_ABOUT, PART, f"{_LM}*", *(f"{folder}*" for folder in _CASINGS))
        parts, metadata = read_mapped_model(path, kind=KIND, known=known)
        try:
            about = json.loads(bytes(parts[_ABOUT]))
            grammar = read_grammar(parts)
            missing = [name for name in FEATURES if name not in grammar.feature_names]
            if missing:
                raise DataError(f"its rules have no feature {missing[0]}")
            source, target = [Casing.from_parts(within(folder, parts)) for folder in _CASINGS]
            skeleton = bool(about.get("skeleton", False))
            made = cls(
                grammar,
                LanguageModel.from_parts(within(_LM, parts)),
                SyntaxFeatures(grammar.feature_names, skeleton).weights(about["weights"]),
                source,
                target,
                RuleSearch(**about["search"]),
                str(about["parser"]),
                choose(about["binarize"], BINARIZATIONS, "way to binarise"),
                metadata,
                skeleton,
            )
            for language in made.languages:
                choose(language, LANGUAGES, "language of a tokeniser")
            return made
        except UNREADABLE as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None


def prepare_tree(tree: Tree, words: Words | Sequence[str], how: str) -> Tree:
    """Return a tree with other words, binarised."""
    return binarize(with_words(tree, words), how)
