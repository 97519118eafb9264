"""Which words are written with capitals, learned from text, and put back into lower-case output."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treewright.errors import DataError

_PART = "usual_case.txt"
_STOPS = frozenset({".", "!", "?", "...", "…", ":", "。", "！", "？"})
_QUOTES = frozenset("\"'()[]`“”„‘’«»") | {"``", "''"}


class Truecaser:
    """The usual form of each word, by its lower-case form: the one most often seen within
    sentences.

    First words do not count, nor do sentences in which every word has a capital: there, capitals
    say nothing about the word.
    """

    def __init__(self, usual: Mapping[str, str]) -> None:
        self._usual = dict(usual)

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]]) -> Truecaser:
        """Learn from tokenised text; ties go to the lower-case form."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words in sentences:
            inner = [word for word, first in _marked(words) if not first]
            if any(word.islower() for word in inner):
                for word in inner:
                    counts[word.lower()][word] += 1
        return cls(
            {
                lower: max(sorted(forms, reverse=True), key=forms.__getitem__)
                for lower, forms in sorted(counts.items())
                if lower != lower.upper()
            }
        )

    def __len__(self) -> int:
        return len(self._usual)

    def truecase(self, words: Sequence[str]) -> list[str]:
        """Write the first words of sentences in their usual form, if it is known: what a system
        that keeps case learns from.
        """
        return [
            self._usual.get(word.lower(), word) if first else word for word, first in _marked(words)
        ]

    def recase(self, words: Sequence[str]) -> list[str]:
        """Write words in lower case in their usual form, and first words with a capital: how the
        output of a system is shown.
        """
        cased: list[str] = []
        for word, first in _marked(words):
            form = self._usual.get(word, word)
            cased.append(form[:1].upper() + form[1:] if first else form)
        return cased

    def parts(self) -> dict[str, bytes]:
        """Return the truecaser as a part of a model file: a form on each line."""
        return {_PART: "".join(f"{form}\n" for form in self._usual.values()).encode()}

    @classmethod
    def from_parts(cls, parts: Mapping[str, bytes | memoryview], *, where: str = "") -> Truecaser:
        """Undo `parts`; `where` names the file in errors."""
        try:
            forms = bytes(parts[_PART]).decode().split("\n")[:-1]
        except (KeyError, ValueError) as error:
            raise DataError(f"the truecaser in it cannot be read ({error})", where=where) from None
        return cls({form.lower(): form for form in forms})


def _marked(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield words, and whether each begins a sentence, perhaps after a quotation mark."""
    first = True
    for word in words:
        yield word, first
        if word in _STOPS:
            first = True
        elif word not in _QUOTES:
            first = False
