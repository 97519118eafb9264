"""`Token` and `Sentence`: words that know their position in the user's string."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from treewright.text.characters import is_word
from treewright.trees import escape_token


class Token(NamedTuple):
    """One token and its position: `text` is the source's `[start:end]`, without white space."""

    text: str
    start: int
    end: int

    @property
    def penn(self) -> str:
        """The token as in treebanks: brackets escaped; quotes unchanged, because their side is
        unknown.
        """
        return escape_token(self.text)


@dataclass(frozen=True)
class Sentence:
    """A run of tokens of `text`, which is the whole string, not just the sentence.

    `start` and `end` are the bounds of its tokens in `text`.
    """

    text: str
    tokens: tuple[Token, ...]

    @property
    def start(self) -> int:
        """Where the first token starts; 0 if there is none."""
        return self.tokens[0].start if self.tokens else 0

    @property
    def end(self) -> int:
        """Where the last token ends; 0 if there is none."""
        return self.tokens[-1].end if self.tokens else 0

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The texts of the tokens, punctuation included."""
        return tuple([token.text for token in self.tokens])

    @cached_property
    def num_words(self) -> int:
        """How many tokens have a letter or a digit."""
        return sum(map(is_word, self.words))

    @cached_property
    def mark_places(self) -> tuple[int, ...]:
        """The positions of tokens that do not begin with a letter or a digit."""
        return tuple([i for i, word in enumerate(self.words) if not word[0].isalnum()])

    @property
    def penn(self) -> tuple[str, ...]:
        """The tokens as in treebanks."""
        return tuple([token.penn for token in self.tokens])

    def detokenize(self) -> str:
        """Return the sentence as the user wrote it."""
        return self.text[self.start : self.end]


def detokenize(text: str, tokens: Sequence[Token]) -> str:
    """Write tokens back over the string they were cut from, which gives the same string.

    A token whose `text` was replaced appears in its old position, so words can be changed without
    touching the spacing. What no token covers is unchanged. Tokens must come in order.
    """
    parts: list[str] = []
    place = 0
    for token in tokens:
        if not place <= token.start <= token.end <= len(text):
            raise ValueError(
                f"token {token.text!r} at {token.start}:{token.end} does not follow {place} within"
                f" the text of {len(text)} characters"
            )
        parts.append(text[place : token.start])
        parts.append(token.text)
        place = token.end
    parts.append(text[place:])
    return "".join(parts)
