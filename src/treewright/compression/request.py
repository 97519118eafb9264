"""What a compressor is asked to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.prose import Prose
from treewright.errors import UsageError, check_type, choose
from treewright.pruning.guards import FAITHFUL, Keep

Text: TypeAlias = str | Sequence[str] | Prose
"""Running text, the tokens of one sentence, or the prose of a document."""

LANGUAGES = ("en", "any")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What applies to every text: a limit, what must stay, and which details to return.

    `faithful` is normal or strict. `language` is `en`, which leaves what is not English prose
    unchanged, or `any`. To `fill` is to use all the room that a limit gives; `drop_sentences` lets
    whole sentences go where several share a limit. Details are how many other versions, whether to
    explain every deletion, whether to `warn` of what a careful reader may miss, and whether to
    return `trees` and scores even for text within the limit, which is otherwise not parsed.
    """

    limit: Limit = UNLIMITED
    keep: tuple[Keep, ...] = ()
    alternatives: int = 0
    explain: bool = False
    faithful: str = "normal"
    fill: bool = False
    drop_sentences: bool = True
    warn: bool = False
    trees: bool = False
    language: str = "en"

    def __post_init__(self) -> None:
        check_type(self.limit, Limit, "limit", "a Limit")
        check_type(self.keep, tuple, "keep", "a tuple of Keep")
        for demand in self.keep:
            check_type(demand, Keep, "keep", "a tuple of Keep; Keep.parse reads one")
        check_type(self.alternatives, int, "alternatives", "a whole number")
        check_type(self.faithful, str, "faithful", "normal or strict")
        choose(self.faithful, FAITHFUL, "way to be faithful")
        check_type(self.language, str, "language", "en or any")
        choose(self.language, LANGUAGES, "language")
        if self.alternatives < 0:
            raise UsageError(f"alternatives must not be negative, found {self.alternatives}")

    @property
    def parses_all(self) -> bool:
        """Whether even unchanged text must be parsed."""
        return self.trees or self.explain or self.alternatives > 0


def read_demands(keep: str | Keep | Iterable[str | Keep]) -> tuple[Keep, ...]:
    """Read what must stay; a string is one demand, not one per letter."""
    check_type(keep, str | Keep | Iterable, "keep", "one string or Keep, or several")
    several = [keep] if isinstance(keep, str | Keep) else keep
    return tuple([each if isinstance(each, Keep) else Keep.parse(each) for each in several])
