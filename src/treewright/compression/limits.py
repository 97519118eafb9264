"""How long outputs may be: a rate, or a number of words, characters or tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import is_word, words_at
from treewright.errors import UsageError, check_type, choose
from treewright.text import Sentence, tokenize

Costs = NDArray[np.int64]
Tokenizer = Callable[[str], Sized | int]
"""Returns the tokens of a text, or their number."""

SCOPES = ("text", "sentence")
_ROUNDING = 1e-9
_STEPS = 20
FREE = 0.8
"""The largest share that versions are weighed for, without a limit too. Editors who may keep nearly
everything mostly do; at this share, what they would drop first is gone.
"""
_LIMITS = ("rate", "max_words", "max_chars", "max_tokens")
_NO_LIMITS = (None, None, None, None)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """At most one limit, exceeded only if nothing admissible that readers may accept is within it.

    `rate` is a share of the words, rounded down but at least one word. A word is a token with a
    letter or a digit; characters are those of the output, including spaces and marks; tokens are
    what `tokenizer` finds in it, by default the package's own. `per` says what is limited: the
    whole text, whose sentences share the room, or each sentence. For a `Rewriter`, all trees
    together are the text. `at_least` asks for a share of the length that should stay, with or
    without a limit; a limit comes first.
    """

    rate: float | None = None
    max_words: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    tokenizer: Tokenizer | None = None
    per: str = "text"
    at_least: float | None = None

    def __post_init__(self) -> None:
        given = [name for name in _LIMITS if getattr(self, name) is not None]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} contradict each other; give one of them")
        for name, share in (("rate", self.rate), ("at_least", self.at_least)):
            if share is not None:
                check_type(share, Real, name, "a number")
                if isinstance(share, bool) or not 0.0 < share <= 1.0:
                    raise UsageError(f"{name} must be above 0 and at most 1, found {share}")
        for name in _LIMITS[1:]:
            value = getattr(self, name)
            if value is not None and (not _is_whole(value) or value < 1):
                raise UsageError(f"{name} must be a whole number of at least 1, found {value!r}")
        if self.tokenizer is not None and self.max_tokens is None:
            raise UsageError("a tokenizer is for max_tokens, which is not given")
        check_type(self.tokenizer, Callable | None, "tokenizer", "a function of a string")
        choose(self.per, SCOPES, "scope")

    @property
    def is_given(self) -> bool:
        """Whether there is a limit at all."""
        given = (self.rate, self.max_words, self.max_chars, self.max_tokens)
        return given != _NO_LIMITS

    @property
    def unit(self) -> str:
        """What is counted."""
        if self.max_chars is not None:
            return "characters"
        return "words" if self.max_tokens is None else "tokens"

    def room(self, sentences: Sequence[Sentence]) -> int:
        """Return how much of these sentences, a text or one sentence of it, may stay."""
        return self.room_of(sum([sentence.num_words for sentence in sentences]))

    def room_of(self, words: int) -> int:
        """Return how many of the words of a text or a sentence may stay."""
        if self.rate is not None:
            return words_at(self.rate, words)
        amounts = (self.max_words, self.max_chars, self.max_tokens)
        return next(int(amount) for amount in amounts if amount is not None)

    def share_of(self, words: int) -> float:
        """Return about what share of so many words may stay (see `share_that_stays`)."""
        return share_that_stays(self.room_of(words), words) if self.is_given else FREE

    def floor_of(self, length: int) -> int:
        """Return how much of a length should stay."""
        return 0 if self.at_least is None else math.ceil(self.at_least * length - _ROUNDING)

    def costs(self, sentence: Sentence) -> Costs:
        """Return the cost of each token: exact for words, approximate for characters and tokens.

        The character cost of a token includes the white space before it. What tidying adds or
        removes, and how a tokenizer splits words side by side, only `measure` knows.
        """
        words = sentence.words
        if self.unit == "words":
            return np.array(list(map(is_word, words)), dtype=np.int64)
        ends = [token.end for token in sentence.tokens]
        if self.unit == "characters":
            # The first token also counts as if a space preceded it: any other may become the first.
            costs = [end - before for before, end in pairwise([sentence.start - 1, *ends])]
        elif self.tokenizer is None:
            costs = [1] * len(words)
        else:
            starts = [sentence.start, *ends]
            # Never 0, or the shortest version could not be distinguished from the longest.
            costs = [
                max(1, self._count(sentence.text[start:end]))
                for start, end in zip(starts, ends, strict=False)
            ]
        return np.array(costs, dtype=np.int64)

    def cost_of_all(self, sentence: Sentence) -> int:
        """Return the cost of all tokens together."""
        if self.unit == "words":
            return sentence.num_words
        return int(self.costs(sentence).sum())

    def measure(self, text: str) -> int:
        """Return the length of a text."""
        check_type(text, str, "a text to measure", "a string")
        if self.unit == "characters":
            return len(text)
        if self.unit == "words":
            return sum(is_word(token.text) for token in tokenize(text))
        return self._count(text)

    def _count(self, text: str) -> int:
        found = tokenize(text) if self.tokenizer is None else self.tokenizer(text)
        if isinstance(found, Sized):
            return len(found)
        check_type(found, Real, "what a tokenizer returns", "tokens or their number")
        return int(found)


UNLIMITED = Limit()


def share_that_stays(room: int, length: int) -> float:
    """Return a share as a multiple of 1/20, so that much the same limits have the same versions to
    choose from; at most `FREE`.
    """
    if not length:
        return FREE
    return min(FREE, max(1, round(_STEPS * room / length)) / _STEPS)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
