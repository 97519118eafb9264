"""How phrases are harvested: what is counted, and how counts become similarities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from treewright.errors import UsageError, choose
from treewright.paraphrase.phrases import RUNS, VERB_PHRASE, tag_pattern

ROWS = ("verb", "phrase")
"""What contexts are counted for: verbs in all their forms, or phrases as they stand."""
REDUNDANCY = ("any", "other", "each")
"""Which paraphrases are wanted: any; only with other main verbs; one of each other verb."""
METHODS = ("pd", "br", "pivot")
MOST_WORDS = 3
"""The most words of an n-gram on one side of a phrase."""


@dataclass(frozen=True)
class HarvestSettings:
    """What `harvest` counts.

    Phrases match `pattern` (or are constituents of a `category`), with up to `max_length` words.
    Their contexts are pairs of n-grams to the left and right (`ngrams`: lengths of both), single
    words around the main verb (`around`: how far), the nearest nouns and their chunks, and `paths`
    of grammatical relations. Candidates have rows that occur `min_count` times, phrases that occur
    less than `min_phrase` times are left out, and so are contexts of less than `min_shared` rows.
    With `same_voice`, paraphrases have the voice and polarity of the phrase, and no antonym of its
    verb; `typed` pivots have a syntactic type in common with it.
    """

    method: str = "pd"
    pattern: str = VERB_PHRASE
    category: str = ""
    max_length: int = 5
    runs: str = "maximal"
    rows: str = "verb"
    ngrams: tuple[tuple[int, int], ...] = ()
    around: int = 0
    nouns: bool = False
    chunks: bool = False
    paths: bool = False
    min_phrase: int = 2
    min_count: int = 1
    min_shared: int = 2
    redundancy: str = "other"
    same_voice: bool = True
    typed: bool = False
    bits: int = 0
    shortlist: int = 1000

    def __post_init__(self) -> None:
        choose(self.method, METHODS, "method")
        choose(self.runs, RUNS, "kind of runs")
        choose(self.rows, ROWS, "kind of rows")
        choose(self.redundancy, REDUNDANCY, "redundancy")
        tag_pattern(self.pattern)
        lengths = [length for pair in self.ngrams for length in pair]
        if not 0 <= min(lengths, default=0) <= max(lengths, default=0) <= MOST_WORDS:
            raise UsageError(f"n-grams have 0 to {MOST_WORDS} words a side, found {self.ngrams}")
        if not 0 <= self.around <= MOST_WORDS:
            raise UsageError(f"around must be 0 to {MOST_WORDS}, found {self.around}")
        least = min(
            self.max_length, self.min_phrase, self.min_count, self.min_shared, self.shortlist
        )
        if least < 1 or self.bits % 64:
            raise UsageError(
                "max_length, min_phrase, min_count, min_shared and shortlist must be 1 or more, "
                f"bits a multiple of 64; found {self}"
            )

    @property
    def needs_trees(self) -> bool:
        """Whether text must be parsed, not only tagged."""
        return bool(self.category) or self.paths or self.typed

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON holds them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> HarvestSettings:
        """Undo `to_dict`; a `ValueError` if these are no settings."""
        known = {field.name for field in fields(cls)}
        if set(values) != known:
            raise ValueError(f"settings {sorted(set(values) ^ known)} are unknown or missing")
        pairs = tuple((int(left), int(right)) for left, right in values["ngrams"])
        return cls(**{**values, "ngrams": pairs})


_SHORT = ((1, 0), (0, 1), (2, 0), (0, 2), (0, 3), (1, 1), (1, 2), (2, 1), (2, 2))
_PAPER = ((2, 2), (2, 3), (3, 2), (3, 3))

CONFIGURATIONS: Mapping[tuple[str, str], HarvestSettings] = {
    ("pd", "best"): HarvestSettings(ngrams=_SHORT, around=3, nouns=True, min_count=20),
    ("pd", "paper"): HarvestSettings(
        ngrams=_PAPER,
        rows="phrase",
        runs="all",
        min_count=100,
        redundancy="any",
        same_voice=False,
    ),
    ("pd", "dirt"): HarvestSettings(paths=True, min_count=20),
    ("br", "best"): HarvestSettings(
        method="br", rows="phrase", chunks=True, min_count=20, redundancy="any", bits=4096
    ),
    ("pivot", "best"): HarvestSettings(
        method="pivot", rows="phrase", runs="all", min_phrase=1, redundancy="any"
    ),
    ("pivot", "typed"): HarvestSettings(
        method="pivot", rows="phrase", runs="all", min_phrase=1, redundancy="any", typed=True
    ),
}
"""The named configurations of each method; `best` is the default."""


def configuration(method: str, name: str = "", **changes: Any) -> HarvestSettings:
    """Return a named configuration, with changes."""
    names = [known for of, known in CONFIGURATIONS if of == method]
    if not names:
        raise UsageError(f"{method} has no named configurations")
    chosen = choose(name, names, f"configuration of {method}") if name else names[0]
    return replace(CONFIGURATIONS[method, chosen], **changes)
