"""Whose answers count: one of each person to each question, and nobody's who failed."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from treewright.annotation.answers import Answer
from treewright.annotation.study import Page, Slot, Study

TEST, REPEAT, UNTESTED = "hidden test failed", "repetition differs", "hidden test unanswered"
SHARE, AGREEMENT = "failed too many tests", "agrees too little with others"
_ROUNDING = 1e-12


@dataclass(slots=True)
class Settled:
    """Answers by annotator, slot and question, and what was left out.

    `same` and `different` count second answers that repeat the first or contradict it; `missing`
    counts required answers that are not there on pages that someone began.
    """

    answers: dict[str, dict[str, dict[str, Answer]]] = field(default_factory=dict)
    late: list[Answer] = field(default_factory=list)
    same: list[Answer] = field(default_factory=list)
    different: list[Answer] = field(default_factory=list)
    missing: int = 0
    undated: int = 0

    def value(self, annotator: str, slot: str, question: str) -> str | None:
        """Return an answer, if it was given."""
        found = self.answers[annotator].get(slot, {}).get(question)
        return None if found is None else found.value

    def pages(self, study: Study) -> list[tuple[str, Page]]:
        """Return who began which page."""
        begun = {
            (annotator, study.slots[slot][0].name): study.slots[slot][0]
            for annotator, slots in self.answers.items()
            for slot in slots
        }
        return [(annotator, page) for (annotator, _), page in begun.items()]


def settle(answers: Sequence[Answer], study: Study, *, until: datetime | None = None) -> Settled:
    """Keep the first answer of each person to each question, none that is later than `until`.

    First is what has the earlier time; where a time is missing, what comes first in the files.
    """
    settled = Settled()
    for answer in answers:
        if until is not None and answer.time is None:
            settled.undated += 1
        if until is not None and answer.time is not None and answer.time > until:
            settled.late.append(answer)
        else:
            _add(settled, answer)
    required = [each.name for each in study.form.questions if each.required]
    settled.missing = sum(
        settled.value(annotator, slot.id, question) is None
        for annotator, page in settled.pages(study)
        for slot in page.slots
        for question in required
    )
    return settled


def _add(settled: Settled, answer: Answer) -> None:
    """Put an answer in its place, or beside it if the place is taken by an earlier one."""
    place = settled.answers.setdefault(answer.annotator, {}).setdefault(answer.slot, {})
    other = place.setdefault(answer.question, answer)
    if other is answer:
        return
    if answer.time is not None and other.time is not None and answer.time < other.time:
        place[answer.question], answer, other = answer, other, answer
    (settled.same if answer.value == other.value else settled.different).append(answer)


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of one annotator: pages begun, tests passed and failed, and how often others
    gave the same answers. `rejected` is why all of the work is, if it is.
    """

    name: str
    pages: int
    passed: int
    failed: int
    agreement: float | None
    rejected: str | None


@dataclass(frozen=True, slots=True)
class Screening:
    """The annotators, and the pages whose answers do not count, each with the reason."""

    people: tuple[Person, ...]
    pages: dict[tuple[str, str], str]
    mean: float | None
    deviation: float | None

    def reasons(self) -> dict[str, int]:
        """Return how many pages were rejected for each reason."""
        return dict(Counter(self.pages.values()))


def screen(
    settled: Settled, study: Study, *, share: float | None = None, deviations: float | None = 1.0
) -> Screening:
    """Reject pages with a failed test; then all work of those who failed `share` of their tests
    (the form's if not given); then of those whose agreement with the others lies more than so many
    `deviations` below the average (`None` for nobody).

    A test that was left unanswered costs its page, but is not held against the annotator.
    """
    share = study.form.share if share is None else share
    pages, tally = _test_pages(settled, study)
    rejected = {
        name: SHARE
        for name, found in tally.items()
        if found[False] and found[False] >= share * found.total()
    }
    standing = _agreements(settled, study, {*pages}, rejected)
    mean = deviation = None
    if len(standing) > 1:
        mean, deviation = statistics.fmean(standing.values()), statistics.stdev(standing.values())
        if deviations is not None:
            low = mean - deviations * deviation - _ROUNDING
            rejected |= {name: AGREEMENT for name, value in standing.items() if value < low}
    begun = Counter(name for name, _ in settled.pages(study))
    for name, page in settled.pages(study):
        if name in rejected:
            pages[name, page.name] = rejected[name]
    people = [
        Person(name, begun[name], found[True], found[False], standing.get(name), rejected.get(name))
        for name, found in sorted(tally.items())
    ]
    return Screening(tuple(people), pages, mean, deviation)


def _test_pages(
    settled: Settled, study: Study
) -> tuple[dict[tuple[str, str], str], dict[str, Counter[bool]]]:
    """Return which pages do not count for their tests, and how many tests each person passed and
    failed.
    """
    pages: dict[tuple[str, str], str] = {}
    tally: dict[str, Counter[bool]] = {}
    for name, page in settled.pages(study):
        found = tally.setdefault(name, Counter())
        for reason, passed in _tests(name, page, settled, study):
            if passed is None:
                pages.setdefault((name, page.name), UNTESTED)
                continue
            found[passed] += 1
            if not passed:
                pages[name, page.name] = reason
    return pages, tally


def _tests(
    name: str, page: Page, settled: Settled, study: Study
) -> Iterator[tuple[str, bool | None]]:
    """Yield for each test on a page what failing it is called, and whether it was passed; `None` if
    it was not answered.
    """
    for slot in page.slots:
        if slot.kind == "test":
            wanted = study.tests[slot.index].answers
            given = {question: settled.value(name, slot.id, question) for question in wanted}
            wrong = any(
                value is not None and value not in wanted[question]
                for question, value in given.items()
            )
            yield TEST, False if wrong else None if None in given.values() else True
        elif slot.kind == "repeat":
            yield REPEAT, _repeated(name, page.slots[0], slot, settled, study)


def _repeated(name: str, first: Slot, last: Slot, settled: Settled, study: Study) -> bool | None:
    """Whether both answers to a repeated item are as good as equal; `None` if one is missing."""
    results = []
    for question in study.form.questions:
        if question.required:
            one, two = (settled.value(name, slot.id, question.name) for slot in (first, last))
            results.append(None if one is None or two is None else question.near(one, two))
    return False if False in results else None if None in results else True


def _agreements(
    settled: Settled, study: Study, pages: set[tuple[str, str]], rejected: dict[str, str]
) -> dict[str, float]:
    """Return for each annotator in which share of pairs with another's answer both are equal.

    Only what still counts is compared, and only required questions.
    """
    given: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for name, page in settled.pages(study):
        if name in rejected or (name, page.name) in pages:
            continue
        for slot in page.slots:
            for question in study.form.questions:
                value = settled.value(name, slot.id, question.name)
                if slot.kind == "item" and question.required and value is not None:
                    given[slot.id, question.name][name] = value
    equal: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for answers in given.values():
        counts = Counter(answers.values())
        for name, value in answers.items():
            equal[name] += counts[value] - 1
            pairs[name] += len(answers) - 1
    return {name: equal[name] / number for name, number in pairs.items() if number}
