"""`LanguageModel`: n-grams, their probabilities and back-off weights, ready for kernels."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treewright.arrays import Floats, Ints
from treewright.compiling import expect_work
from treewright.corpora import Sentences, Vocabulary
from treewright.errors import ModelFileError
from treewright.files import packed_write
from treewright.lm._kernels import score_sentences
from treewright.lm.arpa import format_arpa, read_arpa
from treewright.lm.arrays import (
    BEGIN,
    MAX_ORDER,
    SPECIAL,
    UNKNOWN,
    NgramArrays,
    check_nodes,
    level_starts,
)
from treewright.modelfile import (
    MAGIC,
    Part,
    pack_array,
    read_mapped_model,
    unpack_array,
    write_model,
)

KIND = "lm"
_NODES, _WORDS, _ABOUT = "nodes.npy", "words.txt", "lm.json"


@dataclass(frozen=True)
class Perplexity:
    """How well a model predicts a text; every sentence end counts as a token.

    Log-probabilities are natural logarithms, summed over tokens. `known` is the sum without unknown
    words.
    """

    sentences: int
    tokens: int
    unknown: int
    log_prob: float
    known_log_prob: float

    @property
    def perplexity(self) -> float:
        """Of all tokens, an unknown word at the price of `<unk>`."""
        return _per_token(self.log_prob, self.tokens)

    @property
    def known_perplexity(self) -> float:
        """Of the tokens in the vocabulary."""
        return _per_token(self.known_log_prob, self.tokens - self.unknown)


def _per_token(log_prob: float, tokens: int) -> float:
    return math.exp(-log_prob / tokens) if tokens else math.nan


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """An n-gram model with back-off; `arrays` is what kernels take.

    Words 0, 1 and 2 are `<unk>`, `<s>` and `</s>`. `metadata` says how the model was made.
    """

    order: int
    vocabulary: Vocabulary
    arrays: NgramArrays
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """The state at the beginning of a sentence."""
        return int(self.arrays["state"][1 + BEGIN])

    @property
    def top(self) -> int:
        """Where the n-grams of the highest order start among the nodes."""
        starts = level_starts(self.arrays)
        return starts[min(self.order, len(starts)) - 1]

    @property
    def parent(self) -> Ints:
        """For each node the n-gram without its last word; that of the first and last node is 0."""
        children = np.diff(self.arrays["first"])
        shorter = np.repeat(np.arange(children.size, dtype=np.int32), children)
        return np.concatenate([[0], shorter, [0]]).astype(np.int32)

    def __len__(self) -> int:
        """Return the number of n-grams."""
        return self.arrays.size - 2

    def encode(self, sentences: Iterable[Sequence[str]]) -> Sentences:
        """Number the words of sentences as the model does."""
        return Sentences.encode(sentences, self.vocabulary, grow=False, unknown=UNKNOWN)

    def score(self, words: Sequence[str]) -> Floats:
        """Return the natural log-probability of each word of a sentence, and of its end."""
        return self.score_all(self.encode([words]))

    def score_all(self, sentences: Sentences) -> Floats:
        """Score encoded sentences side by side, each with its end."""
        expect_work(len(sentences))
        log_prob = np.empty(sentences.words.size + len(sentences))
        score_sentences(self.arrays, self.start, sentences.words, sentences.start, log_prob)
        return log_prob

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> Perplexity:
        """Measure how well the model predicts sentences; empty ones do not count."""
        encoded = self.encode(words for words in sentences if words)
        log_prob = self.score_all(encoded)
        ends = encoded.start[1:] + np.arange(len(encoded))
        of_word = np.ones(log_prob.size, bool)
        of_word[ends] = False
        unknown = encoded.words == UNKNOWN
        total = float(log_prob.sum())
        return Perplexity(
            sentences=len(encoded),
            tokens=log_prob.size,
            unknown=int(unknown.sum()),
            log_prob=total,
            known_log_prob=total - float(log_prob[of_word][unknown].sum()),
        )

    def parts(self) -> dict[str, bytes]:
        """Return the model as parts of a model file."""
        about = {"order": self.order, "metadata": dict(self.metadata)}
        return {
            _NODES: pack_array(self.arrays),
            _WORDS: "\n".join(self.vocabulary.words).encode(),
            _ABOUT: json.dumps(about, ensure_ascii=False, sort_keys=True).encode(),
        }

    @classmethod
    def from_parts(cls, parts: Mapping[str, Part], *, where: str = "") -> LanguageModel:
        """Undo `parts`; arrays of a mapped file stay there. `where` names the file in errors."""
        try:
            about = json.loads(bytes(parts[_ABOUT]))
            words = bytes(parts[_WORDS]).decode().split("\n")
            vocabulary = Vocabulary(words)
            nodes = unpack_array(parts[_NODES])
            check_nodes(nodes, len(vocabulary))
            if len(vocabulary) != len(words) or tuple(words[: len(SPECIAL)]) != SPECIAL:
                raise ValueError("its vocabulary is not that of a language model")
            order = about["order"]
            if type(order) is not int or not len(level_starts(nodes)) - 1 <= order <= MAX_ORDER:
                raise ValueError(f"its order is {order!r}")
            model = cls(order, vocabulary, _ready(nodes), dict(about["metadata"]))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ModelFileError(
                f"the language model in it cannot be read ({error}); train it again", where=where
            ) from None
        return model

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        write_model(path, kind=KIND, parts=self.parts(), metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> LanguageModel:
        """Read a model from a file that `save` wrote; its nodes are mapped into memory."""
        parts, _ = read_mapped_model(path, kind=KIND, known=(_NODES, _WORDS, _ABOUT))
        return cls.from_parts(parts, where=str(path))

    @classmethod
    def read_arpa(cls, path: str | Path) -> LanguageModel:
        """Read a model from an ARPA file by any tool, compressed by gzip or not."""
        words, order, nodes = read_arpa(path)
        return cls(order, Vocabulary(words), nodes, {"arpa": Path(path).name})

    def write_arpa(self, path: str | Path) -> None:
        """Write the model as an ARPA file (`-`: to standard output; `.gz`: compressed)."""
        with packed_write(path) as handle:
            handle.writelines(format_arpa(self.vocabulary.words, self.order, self.arrays))


def open_lm(path: str | Path) -> LanguageModel:
    """Read a language model from a model file or an ARPA file (`-`: standard input)."""
    return LanguageModel.load(path) if _is_model_file(path) else LanguageModel.read_arpa(path)


def _is_model_file(path: str | Path) -> bool:
    if str(path) == "-":
        peek = getattr(sys.stdin.buffer, "peek", None)
        return peek is not None and bytes(peek(len(MAGIC))[: len(MAGIC)]) == MAGIC
    try:
        with Path(path).open("rb") as handle:
            return handle.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _ready(nodes: NgramArrays) -> NgramArrays:
    """Return the nodes in the one layout that kernels are compiled for."""
    return nodes if nodes.flags.carray else np.require(nodes, None, ["C", "A", "W"])
