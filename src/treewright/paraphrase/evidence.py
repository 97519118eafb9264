"""What a text itself says about which verbs are antonyms, counted with its phrases.

Numbers tell directions: what `rose to 5 pct from 3 pct` went up. Verbs with `or` between them are
alternatives, mostly of opposite meaning: `confirm or deny`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from treewright.paraphrase.antonyms import Antonyms, against, pair
from treewright.paraphrase.patterns import VERBS
from treewright.text import lemma

MARK = "\x02"
MORE, LESS, OR = f"{MARK}more", f"{MARK}less", f"{MARK}or"
"""Under these, counting by context holds verbs that went up or down, and pairs of alternatives."""

_IS_AMOUNT = re.compile(r"\d[\d,]*(\.\d+)?")
_REACH = 8
"""How many words a verb, `to` and `from` may be apart."""
_LEAST = 5
_SURE = 0.9
"""How often, and with which share of one direction, numbers must go with a verb."""
_OFTEN = 3
"""How often verbs must be alternatives."""
_INFLECTED = {"VBP": "VB", "VBN": "VBD"}


def evidence(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what a sentence says: the kind of evidence, and the verb or pair of verbs."""
    if "or" in words:
        yield from _alternatives(words, tags)
    if "from" in words and "to" in words:
        yield from _directions(words, tags)


def _alternatives(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place in range(1, len(words) - 1):
        one, other = tags[place - 1], tags[place + 1]
        if words[place] != "or" or one not in VERBS:
            continue
        if _INFLECTED.get(one, one) == _INFLECTED.get(other, other):
            verbs = pair(lemma(words[place - 1], one), lemma(words[place + 1], other))
            if verbs[0] != verbs[1]:
                yield OR, " ".join(verbs)


def _directions(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What numbers say, as in VERB … to 5 … from 3."""
    for place, word in enumerate(words):
        before = _amount(words, place + 1) if word == "from" else None
        if before is None:
            continue
        near = range(place - 1, max(place - _REACH, 0), -1)
        to = next((other for other in near if words[other] == "to"), 0)
        after = _amount(words, to + 1) if to else None
        verbs = (n for n in range(to - 1, max(to - _REACH, -1), -1) if tags[n] in VERBS)
        verb = next(verbs, None)
        if after is None or verb is None or after[0] == before[0]:
            continue
        if after[1] == before[1] or not after[1] or not before[1]:
            kind = MORE if after[0] > before[0] else LESS
            yield kind, lemma(words[verb], tags[verb])


def _amount(words: Sequence[str], start: int) -> tuple[float, str] | None:
    """The first of the next words that is a number, and its unit, the word after it."""
    for place in range(start, min(start + 3, len(words))):
        if _IS_AMOUNT.fullmatch(words[place]):
            unit = words[place + 1] if place + 1 < len(words) else ""
            is_unit = unit.isalpha() and unit not in ("from", "to", "in", "a")
            return float(words[place].replace(",", "")), unit if is_unit else ""
    return None


def learned(counts: Iterable[tuple[str, str, int]]) -> Antonyms:
    """Return the antonyms that counts of evidence speak for."""
    alternatives = []
    directions: dict[str, dict[str, int]] = {}
    for kind, verb, count in counts:
        if kind == OR:
            alternatives += [pair(*verb.split(" "))] if count >= _OFTEN else []
        else:
            directions.setdefault(verb, {MORE: 0, LESS: 0})[kind] += count
    sure: dict[str, list[str]] = {MORE: [], LESS: []}
    for verb, found in directions.items():
        kind = max(found, key=lambda name: found[name])
        if found[kind] >= max(_LEAST, _SURE * sum(found.values())):
            sure[kind].append(verb)
    return Antonyms(frozenset([*alternatives, *against(sure[MORE], sure[LESS])]))
