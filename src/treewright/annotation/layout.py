"""Items dealt to pages, pages to sheets: at random, balanced, by a seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from treewright.annotation.form import Form
from treewright.annotation.item import HiddenTest, Item
from treewright.annotation.study import Page, SheetPage, Slot, Study
from treewright.errors import UsageError
from treewright.randomness import generator


def make_study(
    form: Form,
    items: Sequence[Item],
    tests: Sequence[HiddenTest] = (),
    *,
    judgements: int = 3,
    annotators: int | None = None,
    seed: int = 0,
) -> Study:
    """Lay out a study in which `judgements` of the `annotators` (as many if not given) judge each
    item.

    Pages have at most the form's number of items. Sizes of pages, numbers of items of the same
    systems on a page, uses of a test, and lengths of sheets each differ by at most one.
    """
    annotators = judgements if annotators is None else annotators
    if judgements < 1 or annotators < judgements:
        raise UsageError(
            f"{judgements} judgements of each item need as many annotators or more, found "
            f"{annotators}; change --judgements or --annotators"
        )
    if not items:
        raise UsageError("there is nothing to judge; give files with items")
    if len(tests) < form.tests:
        raise UsageError(
            f"{form.tests} hidden tests on a page need as many different ones, found {len(tests)}; "
            "give some with --tests, or change --tests-per-page"
        )
    rng = generator(seed)
    pages = tuple(
        _page(place, dealt, _tests_of(place, len(tests), form.tests), form.repeat, rng)
        for place, dealt in enumerate(_deal(items, number_of_pages(len(items), form), rng))
    )
    sheets = _sheets(pages, judgements, annotators, form.repeat, rng)
    return Study(form, tuple(items), tuple(tests), pages, sheets, judgements, seed)


def number_of_pages(items: int, form: Form) -> int:
    """Return how many pages that many items take."""
    return -(-items // form.items)


def _deal(items: Sequence[Item], number: int, rng: np.random.Generator) -> list[list[int]]:
    """Deal items to pages like cards, the shuffled items of the same systems one after another."""
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        groups[tuple(sorted(origin.system for origin in item.origins))].append(index)
    order = [index for group in groups.values() for index in rng.permutation(group).tolist()]
    return [order[page::number] for page in rng.permutation(number).tolist()]


def _tests_of(page: int, known: int, each: int) -> list[int]:
    """Return the tests of a page: in turn, so that all are used equally and none twice."""
    return [(page * each + i) % known for i in range(each)]


def _page(
    place: int, items: Sequence[int], tests: Sequence[int], repeat: bool, rng: np.random.Generator
) -> Page:
    """Mix items and tests; a repeated item is the first and the last, and tests lie between."""
    mixed = [("item", index) for index in items] + [("test", index) for index in tests]
    order = rng.permutation(len(mixed)).tolist()
    if repeat:
        first = int(rng.integers(len(items)))
        order.remove(first)
        order.insert(0, first)
    kinds = [mixed[index] for index in order]
    if repeat:
        kinds.append(("repeat", kinds[0][1]))
    name = str(place + 1)
    return Page(name, tuple(Slot(f"{name}-{i + 1}", *kind) for i, kind in enumerate(kinds)))


def _sheets(
    pages: Sequence[Page], judgements: int, annotators: int, repeat: bool, rng: np.random.Generator
) -> tuple[tuple[SheetPage, ...], ...]:
    """Give each page to so many annotators in turn; every sheet has an order of its own."""
    shares: list[list[int]] = [[] for _ in range(annotators)]
    turn = 0
    for page in rng.permutation(len(pages)).tolist():
        for _ in range(judgements):
            shares[turn % annotators].append(page)
            turn += 1
    sheets = []
    for share in shares:
        sheet = []
        for page in rng.permutation(np.array(share, dtype=np.int64)).tolist():
            number = len(pages[page].slots)
            inner = range(1, number - 1) if repeat else range(number)
            order = rng.permutation(np.array(inner, dtype=np.int64)).tolist()
            sheet.append(SheetPage(page, (0, *order, number - 1) if repeat else tuple(order)))
        sheets.append(tuple(sheet))
    return tuple(sheets)
