"""How probable a proposition is: each argument given its verb and its grammatical slot."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

GROUPS = ("<name>", "<the name>")
"""What stands for names: those used without an article, and those used with one."""
_KIND_PRIORS = (1.0, 10.0, 20.0)
_WORD_PRIORS = (5.0, 20.0, 20.0)
"""Prior counts at each step from general to special: slot, verb (or preposition), both."""
_UNSEEN = 1e-5
_LIGHT = 0.3
"""The weight of subjects without an object, which say less about those with one, and of those that
are counted with their object already.
"""
_WITH_OBJECT = 2.0
"""The weight of a preposition's noun where all arguments of the verb are said."""
_ARGUMENTS = ("subject", "object", "noun")
_ALONE = 5.0
"""Uses added to those of each word where nothing else is known."""

Context = tuple[str, ...]


@dataclass
class SlotModel:
    """Counts of argument kinds and words in contexts, each smoothed by the more general one.

    `P(v) × Π P(kind | slot, v) P(word | kind, slot, v)`, where the kind is a name or a common
    noun, a name's word is its group, and a preposition depends on its verb.
    """

    counts: dict[Context, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    totals: dict[Context, float] = field(default_factory=dict)

    def add(self, shape: str, symbols: Sequence[str], weight: float) -> None:
        """Count an instance; names are given by their group."""
        for context, word, share in _observations(shape, symbols):
            self._count(context, word, weight * share)

    def _count(self, context: Context, word: str, weight: float) -> None:
        words = self.counts.setdefault(context, {})
        words[word] = words.get(word, 0.0) + weight
        self.totals[context] = self.totals.get(context, 0.0) + weight

    def log_probability(self, symbols: Sequence[str]) -> float:
        """Return the log-probability of subject, verb, object, and perhaps preposition and noun."""
        subject, verb, target = symbols[:3]
        total = math.log(self._smoothed([("verb",)], verb, (1.0,), _UNSEEN))
        total += self._argument("subject", subject, [(verb,)])
        total += self._argument("object", target, [(verb,)])
        if len(symbols) > 4:
            preposition, noun = symbols[3:5]
            contexts = [("preposition",), ("preposition", verb), ("preposition", verb, target)]
            total += math.log(self._smoothed(contexts, preposition, (1.0, 5.0, 5.0), _UNSEEN))
            total += self._argument("noun", noun, [(preposition,), (verb, preposition)])
        return total

    def log_sense(self, symbols: Sequence[str]) -> float:
        """Return the log-probability that a tuple was said, rather than put together by chance from
        words as frequent as its own, if either was as probable before.
        """
        by_chance = math.log(self._smoothed([("verb",)], symbols[1], (1.0,), _UNSEEN))
        by_chance += sum(math.log(self._alone(word)) for word in symbols[::2])
        if len(symbols) > 4:
            by_chance += math.log(self._smoothed([("preposition",)], symbols[3], (1.0,), _UNSEEN))
        odds = self.log_probability(symbols) - by_chance
        return min(0.0, odds) - math.log1p(math.exp(-abs(odds)))

    def _alone(self, word: str) -> float:
        """Return how probable a word is as an argument, whichever the verb and slot are."""
        return (self._uses.get(word, 0.0) + _ALONE) / (self._all_uses + _ALONE * len(self._uses))

    @cached_property
    def _uses(self) -> dict[str, float]:
        uses: dict[str, float] = defaultdict(float)
        for slot, kind in product(_ARGUMENTS, ("name", "noun")):
            for word, number in self.counts.get(("word", slot, kind), {}).items():
                uses[word] += number
        return uses

    @cached_property
    def _all_uses(self) -> float:
        return sum(self._uses.values())

    def _argument(self, slot: str, word: str, contexts: Sequence[Context]) -> float:
        kind = _kind(word)
        chain: list[Context] = [(), *contexts]
        kinds = [("kind", slot, *context) for context in chain]
        words = [("word", slot, kind, *context) for context in chain]
        base = 1.0 / len(GROUPS) if kind == "name" else _UNSEEN
        chance = self._smoothed(kinds, kind, _KIND_PRIORS, 0.5)
        return math.log(chance) + math.log(self._smoothed(words, word, _WORD_PRIORS, base))

    def _smoothed(
        self, contexts: Sequence[Context], word: str, priors: Sequence[float], base: float
    ) -> float:
        chance = base
        for context, prior in zip(contexts, priors, strict=False):
            total = self.totals.get(context)
            if total is not None:
                chance = (self.counts[context].get(word, 0.0) + prior * chance) / (total + prior)
        return chance


def _kind(word: str) -> str:
    return "name" if word in GROUPS else "noun"


def _observations(shape: str, symbols: Sequence[str]) -> Iterator[tuple[Context, str, float]]:
    if shape == "NVN":
        subject, verb, target = symbols
        yield ("verb",), verb, 1.0
        yield from _argument("subject", subject, [(verb,)], 1.0)
        yield from _argument("object", target, [(verb,)], 1.0)
    elif shape == "NVNPN":
        subject, verb, target, preposition, noun = symbols
        yield from _argument("subject", subject, [(verb,)], _LIGHT)
        yield from _argument("noun", noun, [(preposition,), (verb, preposition)], _WITH_OBJECT)
        for context in ((), (verb,), (verb, target)):
            yield ("preposition", *context), preposition, 1.0
    elif shape == "NVPN":
        subject, verb, preposition, noun = symbols
        yield from _argument("subject", subject, [(verb,)], _LIGHT)
        yield from _argument("noun", noun, [(preposition,), (verb, preposition)], 1.0)
    elif shape == "VNPN":
        verb, target, preposition, noun = symbols
        yield from _argument("object", target, [(verb,)], 1.0)
        yield from _argument("noun", noun, [(preposition,), (verb, preposition)], 1.0)


def _argument(
    slot: str, word: str, contexts: Sequence[Context], weight: float
) -> Iterator[tuple[Context, str, float]]:
    kind = _kind(word)
    chain: list[Context] = [(), *contexts]
    for context in chain:
        yield ("kind", slot, *context), kind, weight
        yield ("word", slot, kind, *context), word, weight


def group_of(name: str, articles: Mapping[str, float]) -> str:
    """Return the group of a name, given how often an article precedes it."""
    return GROUPS[articles.get(name, 0.0) > 0.3]
