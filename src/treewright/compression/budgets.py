"""How long outputs may be: free, a cap on each sentence, or one budget for all of them."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Budget:
    """At most one of three limits, all in words (tokens with a letter or a digit).

    `rate` and `max_words` cap each sentence; `corpus_rate` brings the whole input to
    `round(rate × words)`, shared out where it costs least. Halves round to even, as in Python.
    """

    rate: float | None = None
    max_words: int | None = None
    corpus_rate: float | None = None

    def __post_init__(self) -> None:
        names = ("rate", "max_words", "corpus_rate")
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} contradict each other; give one of them")
        for name in ("rate", "corpus_rate"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= 1.0:
                raise UsageError(f"{name} must lie between 0 and 1, found {value}")
        if self.max_words is not None and self.max_words < 0:
            raise UsageError(f"max_words must not be negative, found {self.max_words}")

    def cap(self, words: int) -> int | None:
        """Return the limit of a sentence of `words` words, `None` if it has none."""
        if self.rate is not None:
            return round(self.rate * words)
        return self.max_words
