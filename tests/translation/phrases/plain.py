"""Phrase extraction and scoring as their definitions say, over every span; and tiny corpora."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from hypothesis import strategies as st

from treewright.corpora import Links, Sentences, Vocabulary

Links_ = tuple[tuple[int, int], ...]
Phrase = tuple[str, ...]
MONOTONE, SWAP, DISCONTINUOUS = range(3)


class Aligned(NamedTuple):
    """A sentence pair."""

    source: Phrase
    target: Phrase
    links: Links_


class Occurrence(NamedTuple):
    """A phrase pair in a sentence pair: links inside, orientations to both neighbours."""

    source: Phrase
    target: Phrase
    links: Links_
    previous: int
    following: int


def aligned(text: str) -> Aligned:
    """Read `source ||| target ||| links`."""
    source, target, links = text.split("|||")
    pairs = sorted(tuple(map(int, link.split("-"))) for link in links.split())
    return Aligned(tuple(source.split()), tuple(target.split()), tuple(pairs))  # type: ignore[arg-type]


@st.composite
def corpora(draw: st.DrawFn, longest: int = 6) -> list[Aligned]:
    """Draw a few sentence pairs over few words; some are empty, some words unlinked."""
    pairs = []
    for _ in range(draw(st.integers(1, 5))):
        source = draw(st.lists(st.sampled_from("abc"), max_size=longest))
        target = draw(st.lists(st.sampled_from("xyz"), max_size=longest))
        cells = list(product(range(len(source)), range(len(target))))
        links = draw(st.sets(st.sampled_from(cells), max_size=longest)) if cells else set()
        pairs.append(Aligned(tuple(source), tuple(target), tuple(sorted(links))))
    return pairs


def encoded(pairs: Sequence[Aligned]) -> tuple[Any, ...]:
    """Return pairs as `build_phrases` takes them."""
    source, target = Vocabulary(), Vocabulary()
    return (
        Sentences.encode((pair.source for pair in pairs), source),
        Sentences.encode((pair.target for pair in pairs), target),
        Links.of(pair.links for pair in pairs),
        source,
        target,
    )


def blocks(pair: Aligned, longest: int) -> list[tuple[int, int, int, int]]:
    """Return the spans that hold a link and that no link leaves; ends are included."""

    def spans(size: int) -> list[tuple[int, int]]:
        return [(a, b) for a in range(size) for b in range(a, min(size, a + longest))]

    found = []
    for (i1, i2), (j1, j2) in product(spans(len(pair.source)), spans(len(pair.target))):
        inside = [(i1 <= i <= i2, j1 <= j <= j2) for i, j in pair.links]
        if (True, True) in inside and all(one == other for one, other in inside):
            found.append((i1, i2, j1, j2))
    return found


def occurrences(pair: Aligned, longest: int, by_phrases: bool) -> list[Occurrence]:
    """Return the phrase pairs of a sentence pair."""
    found = blocks(pair, longest)
    # What a phrase can lie beside: the sentences' edges, and phrases, or links.
    others = found if by_phrases else [(i, i, j, j) for i, j in pair.links]
    n, m = len(pair.source), len(pair.target)
    result = []
    for i1, i2, j1, j2 in found:
        before = [(b, d) for a, b, c, d in others] + [(-1, -1)]
        before_swapped = [(a, d) for a, b, c, d in others]
        after = [(a, c) for a, b, c, d in others] + [(n, m)]
        after_swapped = [(b, c) for a, b, c, d in others]
        result.append(
            Occurrence(
                pair.source[i1 : i2 + 1],
                pair.target[j1 : j2 + 1],
                tuple((i - i1, j - j1) for i, j in pair.links if i1 <= i <= i2),
                _orientation((i1 - 1, j1 - 1) in before, (i2 + 1, j1 - 1) in before_swapped),
                _orientation((i2 + 1, j2 + 1) in after, (i1 - 1, j2 + 1) in after_swapped),
            )
        )
    return result


def _orientation(monotone: bool, swap: bool) -> int:
    if monotone and not swap:
        return MONOTONE
    return SWAP if swap and not monotone else DISCONTINUOUS


class Scored(NamedTuple):
    """What a table should say of a pair; probabilities, not logs."""

    features: tuple[float, ...]
    reordering: tuple[float, ...]
    links: Links_
    counts: tuple[float, float, float]


def scores(
    pairs: Sequence[Aligned],
    *,
    longest: int = 7,
    by_phrases: bool = False,
    smoothing: str = "none",
    prior: float = 0.5,
) -> dict[tuple[Phrase, Phrase], Scored]:
    """Score every phrase pair."""
    found = [o for pair in pairs for o in occurrences(pair, longest, by_phrases)]
    joint = Counter((o.source, o.target) for o in found)
    of_source, of_target = Counter(o.source for o in found), Counter(o.target for o in found)
    conditional = conditionals(joint, smoothing)
    word_given = word_probabilities(pairs)
    overall = (
        [[1 / len(found) * sum(o[side] == k for o in found) for k in range(3)] for side in (3, 4)]
        if found
        else []
    )
    # The average itself is smoothed, by a tenth of an occurrence.
    # The average itself is smoothed, by a tenth of an occurrence.
    overall = [
        [(sum(o[side] == k for o in found) + 0.1) / (len(found) + 0.3) for k in range(3)]
        for side in (3, 4)
    ]
    result = {}
    for (f, e), count in joint.items():
        own = [o for o in found if (o.source, o.target) == (f, e)]
        inside = Counter(o.links for o in own)
        links = min(inside, key=lambda links: (-inside[links], bits(links)))
        forward, backward = conditional(f, e)
        lexical = lexical_weight(f, e, links, word_given[0])
        reverse = tuple((j, i) for i, j in links)
        lexical_back = lexical_weight(e, f, reverse, word_given[1])
        reordering = [
            (sum(o[3 + side] == k for o in own) + prior * overall[side][k]) / (count + prior)
            for side in range(2)
            for k in range(3)
        ]
        result[f, e] = Scored(
            (backward, lexical_back, forward, lexical),
            tuple(reordering),
            links,
            (count, of_source[f], of_target[e]),
        )
    return result


def bits(links: Links_) -> int:
    """Return the number by which ties between links are broken."""
    return sum(1 << (7 * i + j) for i, j in links)


def conditionals(joint: Counter[tuple[Phrase, Phrase]], smoothing: str) -> Any:
    """Return a function from a pair to p(e|f) and p(f|e)."""

    def one_way(f: Phrase, e: Phrase, table: Counter[tuple[Phrase, Phrase]]) -> float:
        given = sum(count for (a, _), count in table.items() if a == f)
        if smoothing == "none":
            return table[f, e] / given
        n = [max(1, sum(count == k for count in table.values())) for k in range(5)]
        y = n[1] / (n[1] + 2 * n[2])

        def discount(count: int) -> float:
            k = min(count, 3)
            if smoothing == "absolute":
                return y
            return min(max(k - (k + 1) * y * n[k + 1] / n[k], 0.0), k)

        moved = sum(discount(count) for (a, _), count in table.items() if a == f)
        if smoothing == "absolute":
            of_e = sum(count for (_, b), count in table.items() if b == e)
            prior = of_e / sum(table.values())
        else:
            prior = sum(b == e for _, b in table) / len(table)
        kept = table[f, e] - discount(table[f, e]) if table[f, e] else 0.0
        return (kept + moved * prior) / given

    turned = Counter({(e, f): count for (f, e), count in joint.items()})
    return lambda f, e: (one_way(f, e, joint), one_way(e, f, turned))


Words = dict[tuple[str | None, str | None], float]


def word_probabilities(pairs: Sequence[Aligned]) -> tuple[Words, Words]:
    """Return w(e|f) by (f, e), and w(f|e) by (e, f); `None` is the null word."""
    links: Counter[tuple[str | None, str | None]] = Counter()
    for pair in pairs:
        links.update((pair.source[i], pair.target[j]) for i, j in pair.links)
        free = set(range(len(pair.source))) - {i for i, _ in pair.links}
        links.update((pair.source[i], None) for i in free)
        free = set(range(len(pair.target))) - {j for _, j in pair.links}
        links.update((None, pair.target[j]) for j in free)
    of_source: dict[str | None, int] = defaultdict(int)
    of_target: dict[str | None, int] = defaultdict(int)
    for (f, e), count in links.items():
        of_source[f] += count
        of_target[e] += count
    forward = {(f, e): count / of_source[f] for (f, e), count in links.items()}
    backward = {(e, f): count / of_target[e] for (f, e), count in links.items()}
    return forward, backward


def lexical_weight(given: Phrase, words: Phrase, links: Links_, table: Words) -> float:
    """Return Koehn's weight of words given others: a product of means over linked words."""
    factors = []
    for j, word in enumerate(words):
        linked = [given[i] for i, k in links if k == j]
        values = [table[other, word] for other in linked] or [table[None, word]]
        factors.append(sum(values) / len(values))
    return math.prod(factors)
