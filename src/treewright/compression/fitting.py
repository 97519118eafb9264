"""Fitting a text into a limit: choosing a version of each sentence, and joining them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from treewright.compression.candidates import Candidates, Unchanged, has_words
from treewright.compression.limits import FREE, Limit, share_that_stays
from treewright.compression.result import Compression, Shortened, Span
from treewright.compression.sharing import share_budget
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.text import Sentence, cut

_SHOWN = 5
_TRIES = 30
"""Costs among which the shortest text is searched for: it has one of the lowest."""
LIKELY = 0.85
"""The estimate that a version needs to exceed a limit: of 119 outputs that exceeded one with 0.7 to
0.85, readers accepted 56 %, of 72 with more, 88 % (docs/benchmarks/reading.md). The first that is
good enough owes that to luck more often than the one best in its room.
"""
UNLIKELY = 0.4
"""The estimate below which a version does not count as one that fits: of 99 outputs rated 0.3 to
0.4, readers accepted 33 % (docs/benchmarks/reading.md). A shorter one is better, if there is one.
"""
Measure = Callable[[Compression], int]
DROPPED, DROPPED_FIRST = -1.0, -8.0
"""The score of dropping a whole sentence, and of dropping the first: worse than keeping it, better
than leaving it in pieces. Chosen by reading the outputs for a handful of paragraphs.
"""


def fit(
    text: str,
    candidates: Sequence[Candidates],
    limit: Limit,
    *,
    drop_sentences: bool = False,
    exceeds: bool = True,
    measure: Measure | None = None,
) -> Compression:
    """Choose a version of every sentence of a text: the best ones that the limit allows.

    With `drop_sentences`, some of several sentences that share a limit may go altogether. `exceeds`
    says whether the output may exceed the limit where readers would accept hardly any version
    within it. `measure` knows how long a text is that stands in a document.
    """
    if not limit.is_given and limit.at_least is None:
        best = [each.version(int(each.scores.argmax())) for each in candidates]
        return put_together(text, best)
    together = limit.per == "text"
    groups = [candidates] if together else [[each] for each in candidates]
    drops = drop_sentences and together and limit.is_given and len(candidates) > 1
    rooms = [_Room(text, group, limit, drops, exceeds, measure) for group in groups if group]
    return put_together(text, [part for room in rooms for part in room.fill()])


def staying(
    text: str, sentences: Sequence[Sentence], limit: Limit, measure: Measure | None = None
) -> list[bool]:
    """Say for each sentence whether it is within the limit and so stays unchanged."""
    if not limit.is_given or not sentences:
        return [False] * len(sentences)
    if limit.per == "sentence":
        return [_size(text, [each], limit) <= limit.room([each]) for each in sentences]
    return [_size(text, sentences, limit, measure) <= limit.room(sentences)] * len(sentences)


def shares(
    text: str, sentences: Sequence[Sentence], limit: Limit, measure: Measure | None = None
) -> list[float]:
    """Return about what share of each sentence may stay, as far as the limit alone tells."""
    if limit.per == "sentence":
        return [_share(text, [sentence], limit) for sentence in sentences]
    return [_share(text, sentences, limit, measure)] * len(sentences)


def _share(
    text: str, sentences: Sequence[Sentence], limit: Limit, measure: Measure | None = None
) -> float:
    if not limit.is_given or not sentences:
        return FREE
    length = sum(limit.cost_of_all(sentence) for sentence in sentences)
    too_much = _size(text, sentences, limit, measure) - limit.room(sentences)
    return share_that_stays(length - too_much, length)


def _size(
    text: str, sentences: Sequence[Sentence], limit: Limit, measure: Measure | None = None
) -> int:
    """Return the length of unchanged sentences."""
    if limit.unit == "words":
        return sum(limit.cost_of_all(sentence) for sentence in sentences)
    if measure is not None:
        return measure(
            put_together(text, [Unchanged.of(each, limit).whole() for each in sentences])
        )
    return limit.measure(text[sentences[0].start : sentences[-1].end])


def put_together(text: str, parts: Sequence[Shortened]) -> Compression:
    """Join sentences with what stood between them in the text.

    Where sentences between two are dropped, the two stay in different paragraphs if they were.
    """
    written: list[str] = []
    spans: list[Span] = []
    passed: list[Span] = []
    for number, part in enumerate(parts):
        if number:
            passed.append((parts[number - 1].sentence.end, part.sentence.start))
        if part.dropped:
            continue
        if written:
            between = max(reversed(passed), key=lambda span: text.count("\n", *span))
            written.append(text[between[0] : between[1]])
            spans.append(between)
        passed = []
        written.append(part.text)
        spans.extend(part.spans)
    met = all(part.met for part in parts)
    return Compression(text, "".join(written), _merged(spans), tuple(parts), met)


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Join spans that touch, and leave out empty ones."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def _has_more(candidate: Candidates) -> bool:
    """Whether a sentence has versions besides the one that costs nothing."""
    return bool(np.isfinite(candidate.scores[1:]).any())


def _gone(candidate: Candidates) -> Shortened:
    """Return the version of a sentence that goes altogether, of which nothing is left to mind."""
    best = candidate.version(int(candidate.scores.argmax()))
    acceptable = None if best.acceptable is None else 1.0
    gone = replace(best, text="", spans=(), kept=(), acceptable=acceptable)
    return replace(gone, derive=None, dropped=True)


class _Room:
    """The room that one limit gives to one or more sentences."""

    def __init__(
        self,
        text: str,
        candidates: Sequence[Candidates],
        limit: Limit,
        drops: bool,
        exceeds: bool,
        measure: Measure | None = None,
    ) -> None:
        self.text = text
        self.exceeds = exceeds
        self.candidates = candidates
        self.limit = limit
        sentences = [each.sentence for each in candidates]
        # A document is measured as a whole, its sentences by themselves.
        self.measure = measure if limit.per == "text" else None
        self.size = _size(text, sentences, limit, self.measure)
        self.room = limit.room(sentences) if limit.is_given else self.size
        self.curves = [each.scores.copy() for each in candidates]
        self.has_words = [np.isfinite(curve) for curve in self.curves]
        """Which costs have a version with words, or may have."""
        self.may_go = [drops and each.may_go and _has_more(each) for each in candidates]
        for number, may_go in enumerate(self.may_go):
            if may_go:
                self.curves[number][0] = DROPPED if number else DROPPED_FIRST
        self._known: dict[tuple[int, int], Shortened] = {}

    def fill(self) -> list[Shortened]:
        """Return the versions with the greatest sum of scores within the room, if possible without
        any that hardly any reader would accept; if not, readable ones beyond the room, if they may
        exceed it.

        Costs of tokens are exact for words but only approximate for characters: if the text turns
        out too long, the next attempt has that much less room.
        """
        unlikely: Sequence[int] | None = None
        size = self.size
        whole = self._whole() if self.limit.is_given and size <= self.room else None
        if whole is not None:
            return whole
        # Costs may include too much, and lack what stands between sentences; only the whole text is
        # exact.
        left = self.room - size + sum(len(curve) - 1 for curve in self.curves)
        # Not all sentences may go.
        least = max(self.limit.floor_of(size), int(any(self.may_go)))
        while True:
            shared = share_budget(self.curves, left, least=least)
            if any(self.may_go) and not any(shared.counts):
                break
            if self._keep_before_leaning(shared.counts) or self._close_wordless(shared.counts):
                continue
            over = self._measure(shared.counts) - self.room
            if over <= 0:
                refused = self._unlikely(shared.counts)
                if not refused:
                    return self._versions(shared.counts)
                unlikely = unlikely or shared.counts
                if not self._close(refused, shared.counts):
                    break
            elif shared.met:
                left = min(left - over, shared.total - 1)
            else:
                break
        if unlikely is None:
            return self._shortest()
        return self._likelier(unlikely) if self.exceeds else self._versions(unlikely)

    def _whole(self) -> list[Shortened] | None:
        """Return everything unchanged, if the model has such versions."""
        whole = [each.whole() for each in self.candidates]
        return None if None in whole else [part for part in whole if part is not None]

    def _shortest(self) -> list[Shortened]:
        """Return the shortest version of each sentence, which costs identify only approximately.

        Sentences go only if the limit can be met by that. If it cannot be met at all, versions are
        as short as they are readable.
        """
        costs = [self._shortest_cost(number) for number in range(len(self.curves))]
        for tried in (costs, self._fewest(costs)):
            if self._measure(tried) <= self.room:
                return self._versions(tried)
        self._check_demands()
        costs = [self._readable_cost(number, cost) for number, cost in enumerate(costs)]
        return [replace(part, met=False) for part in self._versions(costs)]

    def _likelier(self, costs: Sequence[int]) -> list[Shortened]:
        """Return longer versions of sentences that hardly any reader would accept as they are, or
        leave them out if they may go; others only if the limit is met by that.
        """
        refused = self._unlikely(costs)
        longer = [
            self._readable_cost(number, cost) if number in refused else cost
            for number, cost in enumerate(costs)
        ]
        longer = self._without(longer, refused)
        others = [number for number in range(len(costs)) if number not in refused]
        fewer = self._without(longer, others)
        chosen = fewer if self._measure(fewer) <= self.room else longer
        met = self._measure(chosen) <= self.room
        return [replace(part, met=met) for part in self._versions(chosen)]

    def _without(self, costs: Sequence[int], numbers: Sequence[int]) -> list[int]:
        """Let the last of some sentences go that may, one after another, until the rest fits; one
        sentence stays.
        """
        left = list(costs)
        for number in reversed(numbers):
            goes = self.may_go[number] and sum(cost > 0 for cost in left) > 1
            if goes and self._measure(left) > self.room:
                fewer = [*left[:number], 0, *left[number + 1 :]]
                left = left if self._leant_on(fewer) else fewer
        return left

    def _leant_on(self, costs: Sequence[int]) -> list[int]:
        """Return which sentences go although the next one stays and says nothing without them."""
        pairs = zip(costs, costs[1:], self.candidates[1:], strict=False)
        return [
            number
            for number, (cost, behind, candidate) in enumerate(pairs)
            if self.may_go[number] and not cost and behind and candidate.leans
        ]

    def _keep_before_leaning(self, costs: Sequence[int]) -> bool:
        """Keep sentences without which the next one says nothing; return whether there are any."""
        needed = self._leant_on(costs)
        for number in needed:
            self.curves[number][0] = -np.inf
            self.may_go[number] = False
        return bool(needed)

    def _readable_cost(self, number: int, shortest: int) -> int:
        """Return the least cost of a version that readers would probably accept.

        Where a limit is exceeded anyway, some words more may make a sentence of a fragment.
        """
        possible = np.flatnonzero(self.has_words[number])
        longer = possible[possible >= shortest]
        chosen = np.unique(np.linspace(0, len(longer) - 1, _TRIES).astype(int))
        tried: list[int] = longer[chosen].tolist()
        best, greatest = tried[0], -1.0
        for cost in tried:
            chance = self._version(number, cost).acceptable or 0.0
            if chance >= LIKELY:
                return cost
            if chance > greatest:
                best, greatest = cost, chance
        return best

    def _fewest(self, costs: Sequence[int]) -> list[int]:
        """Let all sentences go that may; if only marks would be left, the shortest one stays."""
        going = [number for number, may_go in enumerate(self.may_go) if may_go]
        rest = [each for each, goes in zip(self.candidates, self.may_go, strict=True) if not goes]
        if going and not any(has_words(each.sentence) for each in rest):
            texts = {number: self._version(number, costs[number]).text for number in going}
            going.remove(min(going, key=lambda number: self.limit.measure(texts[number])))
        fewest = [0 if number in going else cost for number, cost in enumerate(costs)]
        while needed := self._leant_on(fewest):
            fewest = [costs[n] if n in needed else cost for n, cost in enumerate(fewest)]
        return fewest

    def _shortest_cost(self, number: int) -> int:
        possible: list[int] = np.flatnonzero(np.isfinite(self.curves[number]))[:_TRIES].tolist()
        if self.may_go[number] and len(possible) > 1:
            del possible[0]
        if self.limit.unit == "words":
            return possible[0]
        texts = {cost: self._version(number, cost).text for cost in possible}
        worded = [cost for cost in possible if any(map(is_word, texts[cost]))]
        return min(worded or possible, key=lambda cost: self.limit.measure(texts[cost]))

    def _version(self, number: int, cost: int) -> Shortened:
        known = self._known.get((number, cost))
        if known is None and cost == 0 and self.may_go[number]:
            known = self._known[number, 0] = _gone(self.candidates[number])
        if known is None:
            known = self._known[number, cost] = self.candidates[number].version(cost)
        return known

    def _versions(self, costs: Sequence[int]) -> list[Shortened]:
        return [self._version(number, cost) for number, cost in enumerate(costs)]

    def _measure(self, costs: Sequence[int]) -> int:
        if self.limit.unit == "words":
            return sum(costs)
        whole = put_together(self.text, self._versions(costs))
        return self.limit.measure(whole.text) if self.measure is None else self.measure(whole)

    def _close_wordless(self, costs: Sequence[int]) -> bool:
        """Rule out versions that consist only of marks if a sentence has others; return whether any
        were.
        """
        closed = False
        for number, cost in enumerate(costs):
            curve = self.curves[number]
            goes = cost == 0 and self.may_go[number]
            wordless = not goes and not any(map(is_word, self._version(number, cost).text))
            if not wordless or not has_words(self.candidates[number].sentence):
                continue
            if np.isfinite(curve).sum() > 1:
                curve[cost] = -np.inf
                self.has_words[number][cost] = False
                closed = True
        return closed

    def _unlikely(self, costs: Sequence[int]) -> list[int]:
        """Return the sentences whose versions hardly any reader would accept."""
        if not self.limit.is_given:
            return []
        found = []
        for number, cost in enumerate(costs):
            acceptable = self._version(number, cost).acceptable
            fills = self.candidates[number].fills
            if acceptable is not None and acceptable < UNLIKELY and not fills:
                found.append(number)
        return found

    def _close(self, numbers: Sequence[int], costs: Sequence[int]) -> bool:
        """Rule out the versions of some sentences; return whether all of these have others."""
        if any(np.isfinite(self.curves[number]).sum() == 1 for number in numbers):
            return False
        for number in numbers:
            self.curves[number][costs[number]] = -np.inf
        return True

    def _check_demands(self) -> None:
        """Raise an error if what must stay exceeds the room."""
        demands = [(each.sentence, sorted(each.demanded)) for each in self.candidates]
        words = [sentence.words[place] for sentence, places in demands for place in places]
        if self.limit.unit == "words":
            least = sum(map(is_word, words))
        else:
            alone = [cut(sentence, places, tidy=False).text for sentence, places in demands]
            least = self.limit.measure(" ".join(filter(None, alone)))
        if least > self.room:
            shown = " ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")
            raise DataError(
                f"what is to be kept ({shown}) has {least} {self.limit.unit}, the limit is "
                f"{self.room}; raise the limit or keep less"
            )
