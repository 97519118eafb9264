"""`--keep` and `--drop`: what a user wants to stay or to go, as the positions of tokens."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self, TypeVar

from treewright.errors import UsageError, check_type, choose
from treewright.text import Sentence, scan, tokenize
from treewright.trees import Tree

CLASSES = ("numbers", "names", "quotations", "urls", "code")
"""Kinds of words that can be kept or dropped without naming each."""

_SINGULAR = {"number": "numbers", "name": "names", "quotation": "quotations", "url": "urls"}
_OTHER_FLAGS = "gmsuxyaL"
_GAPS = re.compile(r"\s+")
_SPAN = re.compile(r"@([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a user names: a class of words, a regular expression, a word or phrase, or a span.

    A span is what stands between two characters of the text, such as `@4-10`. `str` returns the
    text that parses back to the demand.
    """

    verb: ClassVar[str]
    """What is to be done with what is named, as messages say it."""

    kind: str
    value: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        name = type(self).__name__
        choose(self.kind, ("class", "pattern", "phrase", "span"), f"kind of {name}")
        check_type(self.value, str, f"the value of a {name}", "a string")
        if self.kind == "class":
            choose(self.value, CLASSES, f"class to {self.verb}")
        elif self.kind == "pattern":
            self._check_pattern()
        elif self.kind == "span":
            self._check_span()
        elif not scan(self.value):
            raise UsageError(
                f"{self.verb} {self.value!r} names nothing to {self.verb}; give a word or phrase, "
                f"/regex/, or one of: {', '.join(CLASSES)}"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `numbers`, `/regex/`, `/regex/i`, `@4-10`, or a word or phrase; `word:` forces the
        last.

        A text that only begins with a slash, such as `/usr/bin`, is a phrase.
        """
        check_type(text, str, f"what to {cls.verb}", "a string")
        text = text.strip()
        name = _SINGULAR.get(text.lower(), text.lower())
        if name in CLASSES:
            return cls("class", name)
        if _SPAN.fullmatch(text):
            return cls("span", text[1:])
        if len(text) > 1 and text[0] == "/":
            body, _, flags = text[1:].rpartition("/")
            if text[-1] == "/" or (body and flags == "i"):
                return cls("pattern", body, ignore_case=flags == "i")
            if body and len(flags) == 1 and flags in _OTHER_FLAGS:
                raise UsageError(
                    f"{cls.verb} {text}: unknown flag {flags!r}; the only one is i, and "
                    f"word:{text} {cls.verb}s the text itself"
                )
        phrase = text[5:].strip() if text.startswith("word:") else text
        return cls("phrase", " ".join(_GAPS.split(phrase)))

    def _check_pattern(self) -> None:
        if not self.value:
            raise UsageError(f"{self.verb} //: the pattern is empty; write it between the slashes")
        try:
            _compile(self.value, self.ignore_case)
        except re.error as error:
            where = "" if error.pos is None else f" at character {error.pos + 1}"
            raise UsageError(f"{self.verb} /{self.value}/: {error.msg}{where}") from error
        except (OverflowError, RecursionError) as error:
            raise UsageError(
                f"{self.verb} /{self.value}/: {error}; write a smaller pattern"
            ) from error

    def _check_span(self) -> None:
        found = _SPAN.fullmatch(f"@{self.value}")
        if found is None or int(found[1]) >= int(found[2]):
            raise UsageError(
                f"{self.verb} @{self.value}: expected two numbers of characters, such as @4-10, "
                "the second one greater"
            )

    @property
    def span(self) -> tuple[int, int]:
        """The characters that a span begins with and ends before."""
        start, _, end = self.value.partition("-")
        return int(start), int(end)

    def __str__(self) -> str:
        if self.kind == "pattern":
            return f"/{self.value}/{'i' * self.ignore_case}"
        if self.kind == "class":
            return self.value
        if self.kind == "span":
            return f"@{self.value}"
        plain = self.value[0] != "/" and not self.value.startswith("word:")
        plain = plain and not _SPAN.fullmatch(self.value)
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


@dataclass(frozen=True, slots=True)
class Keep(Demand):
    """What must stay."""

    verb = "keep"


@dataclass(frozen=True, slots=True)
class Drop(Demand):
    """What must go."""

    verb = "drop"


DemandT = TypeVar("DemandT", bound=Demand)


def unmatched(demands: Iterable[DemandT], sentences: Sequence[Sentence]) -> tuple[DemandT, ...]:
    """Return the words, phrases and patterns that occur in none of the sentences.

    A text need not contain any member of a class, so classes are not looked for.
    """
    wanted = [demand for demand in demands if demand.kind != "class"]
    return tuple([each for each in wanted if not any(_occurs(each, s) for s in sentences)])


def _occurs(demand: Demand, sentence: Sentence) -> bool:
    if demand.kind == "pattern":
        pattern = _compile(demand.value, demand.ignore_case)
        return pattern.search(sentence.detokenize()) is not None
    return any(True for _ in _places(demand, sentence))


def _places(demand: Demand, sentence: Sentence) -> Iterator[int]:
    """Yield the positions of the tokens of a phrase or a span."""
    if demand.kind == "phrase":
        yield from _find_phrase(sentence.words, demand.value)
        return
    start, end = demand.span
    for place, token in enumerate(sentence.tokens):
        if token.start < end and start < token.end:
            yield place


def demanded(demands: Iterable[Demand], sentence: Sentence, tree: Tree) -> frozenset[int]:
    """Return the positions of the tokens, from 0, that these demands name; `tree` is the
    sentence's.

    Classes include what makes them readable: the sign of a currency, the marks of a quotation.
    """
    # Its patterns take long to compile, so only do it if something is to be kept.
    from treewright.pruning.guards.classes import FINDERS, View

    view = View(sentence, tree)
    places: set[int] = set()
    for demand in demands:
        if demand.kind == "class":
            places.update(FINDERS[demand.value](view))
        elif demand.kind == "pattern":
            pattern = _compile(demand.value, demand.ignore_case)
            places.update(view.touched(match.span() for match in pattern.finditer(view.text)))
        else:
            places.update(_places(demand, sentence))
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
