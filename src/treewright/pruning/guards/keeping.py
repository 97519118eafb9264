"""`--keep`: what a user wants to keep, as the positions of tokens that must stay."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from treewright.errors import UsageError, check_type, choose
from treewright.text import Sentence, scan, tokenize
from treewright.trees import Tree

CLASSES = ("numbers", "names", "quotations", "urls", "code")
"""Kinds of words that can be kept without naming each."""

_SINGULAR = {"number": "numbers", "name": "names", "quotation": "quotations", "url": "urls"}
_OTHER_FLAGS = "gmsuxyaL"
_GAPS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Keep:
    """One demand: a class of words, a regular expression, or a word or phrase.

    `str` returns the text that parses back to it.
    """

    kind: str
    value: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        choose(self.kind, ("class", "pattern", "phrase"), "kind of Keep")
        check_type(self.value, str, "the value of a Keep", "a string")
        if self.kind == "class":
            choose(self.value, CLASSES, "class to keep")
        elif self.kind == "pattern":
            self._check_pattern()
        elif not scan(self.value):
            raise UsageError(
                f"keep {self.value!r} names nothing to keep; give a word or phrase, /regex/, or "
                f"one of: {', '.join(CLASSES)}"
            )

    @classmethod
    def parse(cls, text: str) -> Keep:
        """Read `numbers`, `/regex/`, `/regex/i`, or a word or phrase; `word:` forces the last.

        A text that only begins with a slash, such as `/usr/bin`, is a phrase.
        """
        check_type(text, str, "what to keep", "a string")
        text = text.strip()
        name = _SINGULAR.get(text.lower(), text.lower())
        if name in CLASSES:
            return cls("class", name)
        if len(text) > 1 and text[0] == "/":
            body, _, flags = text[1:].rpartition("/")
            if text[-1] == "/" or (body and flags == "i"):
                return cls("pattern", body, ignore_case=flags == "i")
            if body and len(flags) == 1 and flags in _OTHER_FLAGS:
                raise UsageError(
                    f"keep {text}: unknown flag {flags!r}; the only one is i, and word:{text} "
                    "keeps the text itself"
                )
        phrase = text[5:].strip() if text.startswith("word:") else text
        return cls("phrase", " ".join(_GAPS.split(phrase)))

    def _check_pattern(self) -> None:
        if not self.value:
            raise UsageError("keep //: the pattern is empty; write it between the slashes")
        try:
            _compile(self.value, self.ignore_case)
        except re.error as error:
            where = "" if error.pos is None else f" at character {error.pos + 1}"
            raise UsageError(f"keep /{self.value}/: {error.msg}{where}") from error
        except (OverflowError, RecursionError) as error:
            raise UsageError(f"keep /{self.value}/: {error}; write a smaller pattern") from error

    def __str__(self) -> str:
        if self.kind == "pattern":
            return f"/{self.value}/{'i' * self.ignore_case}"
        if self.kind == "class":
            return self.value
        plain = self.value[0] != "/" and not self.value.startswith("word:")
        name = self.value.lower()
        is_class = name in CLASSES or name in _SINGULAR
        return self.value if plain and not is_class else f"word:{self.value}"

    @property
    def nearest_class(self) -> str | None:
        """The class that a word may have been meant for, if it is spelled much like one."""
        from difflib import get_close_matches

        names = [*CLASSES, *_SINGULAR] if self.kind == "phrase" else []
        near = get_close_matches(self.value.lower(), names, n=1)
        return _SINGULAR.get(near[0], near[0]) if near else None


def unmatched(keeps: Iterable[Keep], sentences: Sequence[Sentence]) -> tuple[Keep, ...]:
    """Return the words, phrases and patterns that occur in none of the sentences.

    A text need not contain any member of a class, so classes are not looked for.
    """
    wanted = [keep for keep in keeps if keep.kind != "class"]
    return tuple([keep for keep in wanted if not any(_occurs(keep, each) for each in sentences)])


def _occurs(keep: Keep, sentence: Sentence) -> bool:
    if keep.kind == "pattern":
        return _compile(keep.value, keep.ignore_case).search(sentence.detokenize()) is not None
    return any(True for _ in _find_phrase(sentence.words, keep.value))


def demanded(keeps: Iterable[Keep], sentence: Sentence, tree: Tree) -> frozenset[int]:
    """Return the positions of the tokens, from 0, that these demands keep; `tree` is the
    sentence's.

    Classes include what makes them readable: the sign of a currency, the marks of a quotation.
    """
    # Its patterns take long to compile, so only do it if something is to be kept.
    from treewright.pruning.guards.classes import FINDERS, View

    view = View(sentence, tree)
    places: set[int] = set()
    for keep in keeps:
        if keep.kind == "class":
            places.update(FINDERS[keep.value](view))
        elif keep.kind == "pattern":
            pattern = _compile(keep.value, keep.ignore_case)
            places.update(view.touched(match.span() for match in pattern.finditer(view.text)))
        else:
            places.update(_find_phrase(view.words, keep.value))
    return frozenset(places)


@lru_cache(maxsize=256)
def _compile(pattern: str, ignore_case: bool) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # `[[a]` means what it says; that this might change one day does not concern the user.
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)


def _fold(words: Iterable[str]) -> tuple[str, ...]:
    return tuple([word.casefold().replace("’", "'") for word in words])


@lru_cache(maxsize=256)
def _phrase_forms(phrase: str) -> frozenset[tuple[str, ...]]:
    """Return the phrase as tokens, in each way its last full stop and its marks may be split in a
    text.
    """
    ways = (scan(phrase), tokenize(phrase))
    return frozenset([_fold(phrase.split()), *(_fold(token.text for token in way) for way in ways)])


def _find_phrase(words: Sequence[str], phrase: str) -> Iterator[int]:
    words = _fold(words)
    for form in _phrase_forms(phrase):
        for place in range(len(words) - len(form) + 1):
            if words[place : place + len(form)] == form:
                yield from range(place, place + len(form))
