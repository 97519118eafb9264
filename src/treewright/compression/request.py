"""What a compressor is asked to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.prose import Prose
from treewright.errors import UsageError, check_type, choose
from treewright.pruning.guards import FAITHFUL, Demand, Drop, Keep

Text: TypeAlias = str | Sequence[str] | Prose
"""Running text, the tokens of one sentence, or the prose of a document."""

LANGUAGES = ("en", "any")
GRAMMAR = ("strict", "loose")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What applies to every text: a limit, what must stay or go, and which details to return.

    `faithful` is normal or strict. `grammar` is strict, or loose: it then gives way to a limit that
    cannot be met otherwise, as it does to `fill`. `language` is `en`, which leaves what is not
    English prose unchanged, or `any`. To `fill` is to use all the room that a limit gives;
    `drop_sentences` lets whole sentences go where several share a limit. Details are how many other
    versions, whether to explain every deletion, whether to `warn` of what a careful reader may
    miss, and whether to return `trees` and scores even for text within the limit, which is
    otherwise not parsed.
    """

    limit: Limit = UNLIMITED
    keep: tuple[Keep, ...] = ()
    drop: tuple[Drop, ...] = ()
    alternatives: int = 0
    explain: bool = False
    faithful: str = "normal"
    grammar: str = "strict"
    fill: bool = False
    drop_sentences: bool = True
    warn: bool = False
    trees: bool = False
    language: str = "en"

    def __post_init__(self) -> None:
        check_type(self.limit, Limit, "limit", "a Limit")
        _check_demands(self.keep, Keep)
        _check_demands(self.drop, Drop)
        both = sorted({str(each) for each in self.keep} & {str(each) for each in self.drop})
        if both:
            raise UsageError(f"{both[0]!r} is both to be kept and to be dropped; demand one of it")
        check_type(self.alternatives, int, "alternatives", "a whole number")
        check_type(self.faithful, str, "faithful", "normal or strict")
        choose(self.faithful, FAITHFUL, "way to be faithful")
        check_type(self.grammar, str, "grammar", "strict or loose")
        choose(self.grammar, GRAMMAR, "grammar")
        check_type(self.language, str, "language", "en or any")
        choose(self.language, LANGUAGES, "language")
        if self.alternatives < 0:
            raise UsageError(f"alternatives must not be negative, found {self.alternatives}")

    @property
    def versions_key(self) -> tuple[object, ...]:
        """What versions depend on, besides the share of the text that may stay."""
        limit = (self.limit.unit, self.limit.is_given, self.limit.tokenizer)
        return (*limit, self.keep, self.drop, self.faithful, self.fill)

    @property
    def may_break(self) -> bool:
        """Whether grammar gives way to a limit."""
        return self.fill or self.grammar == "loose"

    @property
    def parses_all(self) -> bool:
        """Whether even unchanged text must be parsed."""
        return self.trees or self.explain or self.alternatives > 0


def _check_demands(demands: object, kind: type[Demand]) -> None:
    name = kind.__name__
    check_type(demands, tuple, kind.verb, f"a tuple of {name}")
    assert isinstance(demands, tuple)
    for demand in demands:
        check_type(demand, kind, kind.verb, f"a tuple of {name}; {name}.parse reads one")


DemandT = TypeVar("DemandT", bound=Demand)


def read_demands(
    given: str | DemandT | Iterable[str | DemandT], kind: type[DemandT]
) -> tuple[DemandT, ...]:
    """Read what must stay or go; a string is one demand, not one per letter."""
    check_type(
        given, str | kind | Iterable, kind.verb, f"one string or {kind.__name__}, or several"
    )
    several: Iterable[Any] = [given] if isinstance(given, str | Demand) else given
    return tuple([each if isinstance(each, kind) else kind.parse(each) for each in several])
