"""Forced decoding by enumeration: every derivation, scored by counting again without the pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tests.translation.phrases import plain
from treewright.translation import PhraseTable
from treewright.translation.forcing.decoder import RELAXATIONS, Forcing

TABLE, PHRASES, DISTANCE = 0.2, 0.2, 0.3
"""The weights that tuning begins with."""


def counted(pairs: Sequence[plain.Aligned], longest: int) -> tuple[Counter[object], ...]:
    """Count the phrase pairs of a text, their sources and their targets."""
    found = [o for pair in pairs for o in plain.occurrences(pair, longest, by_phrases=False)]
    return (
        Counter((o.source, o.target) for o in found),
        Counter(o.source for o in found),
        Counter(o.target for o in found),
    )


def scores(
    pairs: Sequence[plain.Aligned], number: int, table: PhraseTable, settings: Forcing
) -> dict[tuple[plain.Phrase, plain.Phrase], float]:
    """Return the score of every phrase pair in a derivation of this sentence pair."""
    others = [pair for at, pair in enumerate(pairs) if at != number]
    text = others if settings.leave_one_out else pairs
    joint, of_source, of_target = counted(text, table.max_length)
    result = {}
    for option in table:
        f, e = option.source, option.target
        lexical = option.features["lex(f|e)"] + option.features["lex(e|f)"]
        if joint[f, e]:
            logs = math.log(joint[f, e] / of_source[f]) + math.log(joint[f, e] / of_target[e])
        else:
            logs = 2 * settings.floor * (len(f) + len(e))
        result[f, e] = PHRASES + TABLE * (lexical + logs)
    return result


def best(
    pairs: Sequence[plain.Aligned], number: int, table: PhraseTable, settings: Forcing
) -> tuple[float, str]:
    """Return the score of the best derivation, and the relaxation it takes."""
    scored = scores(pairs, number, table, settings)
    attempts = (
        (settings.length, settings.distortion, -math.inf),
        (table.max_length, -1, -math.inf),
        (table.max_length, -1, settings.word_price),
    )
    for relaxation, (length, distortion, price) in zip(RELAXATIONS, attempts, strict=True):
        short = {pair: value for pair, value in scored.items() if max(map(len, pair)) <= length}
        found = _best(pairs[number], short, distortion, price)
        if found > -math.inf:
            return found, relaxation
    raise AssertionError


def _best(
    pair: plain.Aligned,
    scored: dict[tuple[plain.Phrase, plain.Phrase], float],
    distortion: int,
    price: float,
) -> float:
    source, target, _ = pair

    @cache
    def rest(spelled: int, free: frozenset[int], end: int) -> float:
        if spelled == len(target):
            return price * len(free) if free else 0.0
        found = price + rest(spelled + 1, free, end)
        for (f, e), value in scored.items():
            if target[spelled : spelled + len(e)] != e:
                continue
            for start in range(len(source) - len(f) + 1):
                span = frozenset(range(start, start + len(f)))
                if source[start : start + len(f)] != f or not span <= free:
                    continue
                gap, jump = min(free), abs(start - end)
                back = start + len(f) - gap if start != gap else 0
                if distortion >= 0 and max(jump, back) > distortion:
                    continue
                after = rest(spelled + len(e), free - span, start + len(f))
                found = max(found, value - DISTANCE * jump + after)
        return found

    return rest(0, frozenset(range(len(source))), 0)
