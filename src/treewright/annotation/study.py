"""A study: the form, the items, and which of them are on which page of which annotator's sheet.

Its file is what `make` keeps and `collect` needs. It knows which items are tests and which system
made what, so annotators must not see it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from treewright.annotation.form import Form
from treewright.annotation.item import HiddenTest, Item
from treewright.errors import DataError, TreewrightError
from treewright.files import atomic_write, open_text

FORMAT = "treewright study"
VERSION = 1
KINDS = ("item", "test", "repeat")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on a page: an item, a hidden test, or an item once more. `index` is its place in the
    study's items or tests.
    """

    id: str
    kind: str
    index: int


@dataclass(frozen=True, slots=True)
class Page:
    """What one person judges at a time, in the order of the CSV."""

    name: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A page of an annotator's sheet: its place in the study, and the order of its slots."""

    page: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class Study:
    """Everything about a study but the answers; `judgements` is how many each page should get."""

    form: Form
    items: tuple[Item, ...]
    tests: tuple[HiddenTest, ...]
    pages: tuple[Page, ...]
    sheets: tuple[tuple[SheetPage, ...], ...]
    judgements: int
    seed: int

    @cached_property
    def id(self) -> str:
        """A hash of the content, which answers must carry."""
        content = json.dumps(self._content(), sort_keys=True).encode()
        return hashlib.sha256(content).hexdigest()[:12]

    @cached_property
    def slots(self) -> dict[str, tuple[Page, Slot]]:
        """Every slot with its page, by id."""
        return {slot.id: (page, slot) for page in self.pages for slot in page.slots}

    def shown(self, slot: Slot) -> Item:
        """Return what a slot shows."""
        return self.tests[slot.index].item if slot.kind == "test" else self.items[slot.index]

    def systems(self) -> list[str]:
        """Return the names of all systems in the order of their first items."""
        named = (origin.system for item in self.items for origin in item.origins)
        return list(dict.fromkeys(named))

    def _content(self) -> dict[str, Any]:
        return {
            "form": self.form.as_dict(),
            "seed": self.seed,
            "judgements": self.judgements,
            "items": [item.as_dict() for item in self.items],
            "tests": [test.as_dict() for test in self.tests],
            "pages": [
                {
                    "name": page.name,
                    "slots": [[slot.id, slot.kind, slot.index] for slot in page.slots],
                }
                for page in self.pages
            ],
            "sheets": [[[each.page, list(each.order)] for each in sheet] for sheet in self.sheets],
        }

    def save(self, path: str | Path) -> None:
        """Write the study completely or not at all; `-` is standard output."""
        head = {"format": FORMAT, "version": VERSION, "id": self.id}
        with atomic_write(path) as handle:
            json.dump({**head, **self._content()}, handle, ensure_ascii=False, indent=1)
            handle.write("\n")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a study; a damaged, changed or newer one is an error."""
        where = str(path)
        with open_text(path) as handle:
            text = handle.read()
        try:
            values = json.loads(text)
            if values["format"] != FORMAT:
                raise ValueError
        except (ValueError, TypeError, KeyError, RecursionError):
            raise DataError(
                "not a study; give the file that 'annotate make' wrote with --study", where=where
            ) from None
        if values.get("version") != VERSION:
            raise DataError(
                f"a study of version {values.get('version')}, this program reads {VERSION}",
                where=where,
            )
        try:
            made = cls._read(values)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, TreewrightError):
            raise DataError(
                "a damaged study; make it again with the same seed", where=where
            ) from None
        if made.id != values.get("id"):
            raise DataError("the study was changed after it was made; make a new one", where=where)
        return made

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> Self:
        return cls(
            Form.read(values["form"]),
            tuple(Item.read(each) for each in values["items"]),
            tuple(HiddenTest.read(each) for each in values["tests"]),
            tuple(
                Page(str(page["name"]), tuple(Slot(*slot) for slot in page["slots"]))
                for page in values["pages"]
            ),
            tuple(
                tuple(SheetPage(page, tuple(order)) for page, order in sheet)
                for sheet in values["sheets"]
            ),
            int(values["judgements"]),
            int(values["seed"]),
        )
