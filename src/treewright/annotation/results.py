"""What people found: agreement, scores of systems, tests of their differences, figures by item."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from treewright.annotation.answers import Answer
from treewright.annotation.form import Question
from treewright.annotation.screening import Screening, Settled, screen, settle
from treewright.annotation.study import Study
from treewright.errors import DataError, choose
from treewright.evaluation import Agreement, Variance, analyse_variance, measure_agreement

Judgements = Mapping[int, Mapping[str, Mapping[str, str]]]
"""Answers by the item's place, annotator and question."""

UNITS = ("item", "judgement")
"""What one observation of the analysis of variance is."""


@dataclass(frozen=True, slots=True)
class Score:
    """A system under one criterion.

    `aggregate` is the mean over all judgements, `majority` the share of items that more than half
    of their judgements are for (`None` on scales); both weighted by the items' weights.
    """

    system: str
    criterion: str
    aggregate: float
    majority: float | None
    items: int
    judgements: int


@dataclass(frozen=True)
class Results:
    """All findings of a study; `judgements` are those that count."""

    study: Study
    settled: Settled
    screening: Screening
    judgements: Judgements
    agreement: Mapping[str, Agreement]
    unscreened: Mapping[str, Agreement]
    scores: tuple[Score, ...]
    variances: Mapping[str, Variance | DataError]
    unit: str

    def counts(self) -> dict[str, Any]:
        """Return how many answers there are, and what became of them."""
        settled, screening = self.settled, self.screening
        begun = settled.pages(self.study)
        counting = {name for given in self.judgements.values() for name in given}
        return {
            "annotators": len(settled.answers),
            "annotators_counted": len(counting),
            "pages": len(begun),
            "pages_rejected": len(screening.pages),
            "reasons": screening.reasons(),
            "judgements": _number(_judgements(settled, self.study, {})),
            "judgements_counted": _number(self.judgements),
            "missing": settled.missing,
            "late": len(settled.late),
            "undated": settled.undated,
            "doubles": len(settled.same),
            "contradictions": len(settled.different),
            "items": len(self.study.items),
            "items_judged": len(self.judgements),
            "items_short": sum(
                len(self.judgements.get(index, {})) < self.study.judgements
                for index in range(len(self.study.items))
            ),
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the single items as plain values."""
        return {
            "study": self.study.id,
            "counts": self.counts(),
            "agreement": {name: each.as_dict() for name, each in self.agreement.items()},
            "agreement_unscreened": {
                name: each.as_dict() for name, each in self.unscreened.items()
            },
            "scores": [asdict(score) for score in self.scores],
            "unit": self.unit,
            "variance": {
                name: {"error": str(each)} if isinstance(each, DataError) else each.as_dict()
                for name, each in self.variances.items()
            },
            "annotators": [asdict(person) for person in self.screening.people],
            "agreement_mean": self.screening.mean,
            "agreement_deviation": self.screening.deviation,
        }

    def item_rows(self) -> Iterator[dict[str, Any]]:
        """Yield each item with its systems, its counts of answers and its scores."""
        for index, item in enumerate(self.study.items):
            given = self.judgements.get(index, {})
            counts, scores, majority = {}, {}, {}
            for question in self.study.form.questions:
                values = [each[question.name] for each in given.values() if question.name in each]
                counts[question.name] = dict(sorted(Counter(values).items()))
                for criterion, worth in question.scores().items():
                    if values:
                        scores[criterion] = sum(worth[value] for value in values) / len(values)
                        if question.positive:
                            majority[criterion] = scores[criterion] > 0.5
            yield {
                "item": item.id,
                **item.about,
                "texts": {each.label or "text": each.text for each in item.passages},
                "systems": {
                    each.system: {"rank": each.rank, "weight": each.weight} for each in item.origins
                },
                "annotators": len(given),
                "answers": counts,
                "scores": scores,
                "majority": majority,
            }

    def answer_rows(self) -> Iterator[dict[str, str]]:
        """Yield every answer with what became of it."""
        for name, slots in self.settled.answers.items():
            for slot, given in slots.items():
                page = self.study.slots[slot][0].name
                status = self.screening.pages.get((name, page), "counted")
                for answer in given.values():
                    yield self._answer_row(answer, status)
        left_out = (
            ("late", self.settled.late),
            ("double", self.settled.same),
            ("contradiction", self.settled.different),
        )
        for status, answers in left_out:
            for answer in answers:
                yield self._answer_row(answer, status)

    def _answer_row(self, answer: Answer, status: str) -> dict[str, str]:
        page, slot = self.study.slots[answer.slot]
        return {
            "annotator": answer.annotator,
            "page": page.name,
            "slot": slot.id,
            "kind": slot.kind,
            "item": self.study.shown(slot).id,
            "question": answer.question,
            "answer": answer.value,
            "time": "" if answer.time is None else answer.time.isoformat(),
            "status": status,
        }


def evaluate_answers(
    study: Study,
    answers: list[Answer],
    *,
    until: datetime | None = None,
    share: float | None = None,
    deviations: float | None = 1.0,
    unit: str = "item",
) -> Results:
    """Settle and screen answers, then measure; the options are those of `settle` and `screen`.

    The analysis of variance compares the items' means, or all single judgements (`unit`).
    """
    choose(unit, UNITS, "unit")
    settled = settle(answers, study, until=until)
    screening = screen(settled, study, share=share, deviations=deviations)
    judgements = _judgements(settled, study, screening.pages)
    everything = _judgements(settled, study, {})
    required = [question for question in study.form.questions if question.required]
    return Results(
        study,
        settled,
        screening,
        judgements,
        {each.name: _agreement(judgements, each) for each in required},
        {each.name: _agreement(everything, each) for each in required},
        tuple(_scores(study, judgements)),
        _variances(study, judgements, unit),
        unit,
    )


def _judgements(
    settled: Settled, study: Study, rejected: Mapping[tuple[str, str], str]
) -> dict[int, dict[str, dict[str, str]]]:
    """Return answers to items by item, annotator and question, without those on rejected pages."""
    found: dict[int, dict[str, dict[str, str]]] = defaultdict(dict)
    for name, slots in settled.answers.items():
        for slot_id, given in slots.items():
            page, slot = study.slots[slot_id]
            if slot.kind == "item" and (name, page.name) not in rejected:
                values = {question: answer.value for question, answer in given.items()}
                found[slot.index][name] = values
    return dict(sorted(found.items()))


def _number(judgements: Judgements) -> int:
    return sum(len(given) for given in judgements.values())


def _agreement(judgements: Judgements, question: Question) -> Agreement:
    answers = [
        {name: values[question.name] for name, values in given.items() if question.name in values}
        for given in judgements.values()
    ]
    return measure_agreement(answers, question.values, level=question.level)


def _worths(
    study: Study, judgements: Judgements
) -> Iterator[tuple[Question, str, dict[int, list[float]]]]:
    """Yield each criterion with what the judgements of each item are worth under it."""
    for question in study.form.questions:
        for criterion, worth in question.scores().items():
            found = {
                index: [
                    worth[each[question.name]] for each in given.values() if question.name in each
                ]
                for index, given in judgements.items()
            }
            yield question, criterion, {index: values for index, values in found.items() if values}


def _scores(study: Study, judgements: Judgements) -> Iterator[Score]:
    for question, criterion, found in _worths(study, judgements):
        for system in study.systems():
            weighted = [
                (origin.weight, found[index])
                for index in found
                for origin in study.items[index].origins
                if origin.system == system
            ]
            if not weighted:
                continue
            answers = sum(weight * len(values) for weight, values in weighted)
            items = sum(weight for weight, _ in weighted)
            yes = sum(weight for weight, values in weighted if sum(values) > len(values) / 2)
            yield Score(
                system,
                criterion,
                sum(weight * sum(values) for weight, values in weighted) / answers,
                yes / items if question.positive else None,
                len(weighted),
                sum(len(values) for _, values in weighted),
            )


def _variances(study: Study, judgements: Judgements, unit: str) -> dict[str, Variance | DataError]:
    """Test each criterion; in place of a test that is impossible stands the reason."""
    systems = study.systems()
    if len(systems) < 2:
        return {}
    tested: dict[str, Variance | DataError] = {}
    for _, criterion, found in _worths(study, judgements):
        groups: dict[str, list[float]] = {system: [] for system in systems}
        for index, values in found.items():
            for origin in study.items[index].origins:
                groups[origin.system] += (
                    values if unit == "judgement" else [sum(values) / len(values)]
                )
        try:
            tested[criterion] = analyse_variance(groups)
        except DataError as error:
            tested[criterion] = error
    return tested
