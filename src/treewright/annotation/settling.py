"""One answer of each person to each question: what is late or double is left out and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from treewright.annotation.answers import Answer
from treewright.annotation.study import Page, Study


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
