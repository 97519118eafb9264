"""One answer of each person to each question: what is late or double is left out and counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from treewright.annotation.answers import Answer
from treewright.annotation.study import Page, Study


@dataclass(frozen=True, slots=True)
class Settled:
    """Answers by annotator, slot and question, and what was left out.

    `same` and `different` count second answers that repeat the first or contradict it; `missing`
    counts required answers that are not there on pages that someone began.
    """

    answers: dict[str, dict[str, dict[str, Answer]]]
    late: tuple[Answer, ...]
    same: tuple[Answer, ...]
    different: tuple[Answer, ...]
    missing: int
    undated: int

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
    kept: dict[str, dict[str, dict[str, Answer]]] = defaultdict(lambda: defaultdict(dict))
    late, same, different = [], [], []
    for answer in answers:
        if until is not None and answer.time is not None and answer.time > until:
            late.append(answer)
            continue
        place = kept[answer.annotator][answer.slot]
        first = place.setdefault(answer.question, answer)
        if first is answer:
            continue
        if answer.time is not None and first.time is not None and answer.time < first.time:
            place[answer.question], answer = answer, first
        (same if answer.value == place[answer.question].value else different).append(answer)
    plain = {
        name: {slot: dict(given) for slot, given in slots.items()} for name, slots in kept.items()
    }
    settled = Settled(plain, tuple(late), tuple(same), tuple(different), 0, 0)
    required = [each.name for each in study.form.questions if each.required]
    missing = sum(
        settled.value(annotator, slot.id, question) is None
        for annotator, page in settled.pages(study)
        for slot in page.slots
        for question in required
    )
    undated = sum(answer.time is None for answer in answers) if until is not None else 0
    return Settled(plain, tuple(late), tuple(same), tuple(different), missing, undated)
