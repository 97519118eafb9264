"""Parallel text as training reads it: cased as the model wants it, numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from treewright.corpora import Words, read_bitext, scan_plain
from treewright.errors import DataError, Problems
from treewright.lm import SPECIAL
from treewright.translation.casing import Casing
from treewright.translation.skeletons.files import Skeleton, read_skeletons


@dataclass(frozen=True, eq=False)
class ParallelText:
    """Sentences and their translations; a pair without words is one that could not be read."""

    sources: list[Words]
    targets: list[Words]

    @classmethod
    def read(cls, source: str | Path, target: str | Path, problems: Problems) -> ParallelText:
        """Read two parallel files, at least one pair."""
        pairs = [
            _checked(pair, f"{target}:{line}", problems)
            for line, pair in enumerate(read_bitext(source, target, problems=problems), start=1)
        ]
        if not any(words for words, _ in pairs):
            raise DataError("no pairs in it; expected one sentence a line", where=str(source))
        return cls([f for f, _ in pairs], [e for _, e in pairs])

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """How many words each pair has."""
        return [(len(f), len(e)) for f, e in zip(self.sources, self.targets, strict=True)]

    def cased(self, source: Casing, target: Casing) -> ParallelText:
        """Return the same text as models with these casings know it."""
        return ParallelText(
            [source.prepare(words) for words in self.sources],
            [target.prepare(words) for words in self.targets],
        )


def _checked(pair: tuple[Words, Words], where: str, problems: Problems) -> tuple[Words, Words]:
    """Return a pair, or an empty one if its target has a word that language models keep."""
    for word in pair[1]:
        if word in SPECIAL:
            problems.add(
                DataError(
                    f"the word {word!r}, which language models keep for themselves", where=where
                )
            )
            return [], []
    return pair


def given_skeletons(
    path: str, text: str, sentences: Sequence[Words], lines: Sequence[int]
) -> list[Skeleton]:
    """Read the skeletons of a text, and return those of sentences, which are these lines of it.

    A sentence without words is one that could not be read.
    """
    whole = read_skeletons(path, readable_lines(text))
    return [whole[line][: len(words)] for words, line in zip(sentences, lines, strict=True)]


def readable_lines(text: str) -> list[Words]:
    """Return the words of each line of a text, none where it cannot be read."""
    return [[] if isinstance(line, DataError) else line.split() for _, line in scan_plain(text)]
