"""Forms: what annotators are told and asked, and when their work is rejected.

A form is a TOML file; those of the papers are in the package.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from treewright.errors import DataError, UsageError
from treewright.evaluation import LEVELS

FOLDER = Path(__file__).parent / "forms"
INPUTS = ("items", "paraphrases")
TOPIC = "{topic}"
_NAME = re.compile(r"(?!(?:text|label)\d)[a-z][a-z0-9_]*")
"""Names of questions; `item1_text1` and `item1_label1` are columns of tables already."""
_BAD = (ValueError, TypeError, KeyError, AttributeError)


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer: the value that files hold, and the words that people read."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its choices.

    `positive` names criteria, each with the values that meet it. Without it, values that are
    numbers are scores. `truism` is the right answer to hidden tests that come without one.
    """

    name: str
    text: str
    choices: tuple[Choice, ...]
    level: str = "nominal"
    required: bool = True
    positive: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    truism: str | None = None

    @property
    def values(self) -> tuple[str, ...]:
        """The possible answers, in order."""
        return tuple(choice.value for choice in self.choices)

    def scores(self) -> dict[str, dict[str, float]]:
        """Return what each answer is worth under each criterion; nothing for mere remarks."""
        if self.positive:
            return {
                name: {value: float(value in meeting) for value in self.values}
                for name, meeting in self.positive.items()
            }
        if self.level == "nominal":
            return {}
        return {self.name: {value: float(value) for value in self.values}}

    def near(self, first: str, second: str) -> bool:
        """Whether two answers of one person to the same item are as good as equal.

        On a scale they may lie one step apart.
        """
        steps = abs(self.values.index(first) - self.values.index(second))
        return steps <= (0 if self.level == "nominal" else 1)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read a question from a table of a form."""
        _known(values, cls.__slots__, "a question")
        name = str(values["name"])
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot name a question; use lower-case letters")
        choices = tuple(
            Choice(str(each["value"]), str(each["label"])) for each in values["choices"]
        )
        made = cls(
            name,
            str(values["text"]),
            choices,
            str(values.get("level", "nominal")),
            bool(values.get("required", True)),
            {str(key): tuple(map(str, met)) for key, met in values.get("positive", {}).items()},
            None if values.get("truism") is None else str(values["truism"]),
        )
        made._check()
        return made

    def _check(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level {self.level!r} is not one of {', '.join(LEVELS)}")
        if len(set(self.values)) < 2 or len(set(self.values)) < len(self.values):
            raise ValueError(f"question {self.name!r} needs two or more different values")
        if any(not value or value != value.strip() for value in self.values):
            raise ValueError(f"values of question {self.name!r} are empty or have spaces around")
        named = [value for met in self.positive.values() for value in met]
        if self.truism is not None:
            named.append(self.truism)
        strange = sorted(set(named) - set(self.values))
        if strange:
            raise ValueError(f"{', '.join(strange)} is no value of question {self.name!r}")
        if self.level == "interval" or (self.level == "ordinal" and not self.positive):
            [float(value) for value in self.values]


@dataclass(frozen=True, slots=True)
class Form:
    """What annotators are told and asked.

    Pages have so many `items`, hidden `tests` among them, and if `repeat` is set, the first item
    once more at the end. Those who failed a test, and at least that `share` of theirs, have all
    their work rejected. `input` says what kind of files items come from.
    """

    title: str
    instructions: tuple[str, ...]
    questions: tuple[Question, ...]
    items: int = 10
    tests: int = 0
    repeat: bool = False
    share: float = 0.25
    input: str = "items"

    def __post_init__(self) -> None:
        if self.items < 1 or self.tests < 0 or not 0 <= self.share <= 1:
            raise UsageError(
                "a page needs 1 item or more, 0 tests or more, and a share from 0 to 1; found "
                f"{self.items}, {self.tests} and {self.share}"
            )

    def about(self, topic: str) -> Form:
        """Return the form with the topic put where it says `{topic}`."""
        return replace(
            self,
            title=self.title.replace(TOPIC, topic),
            instructions=tuple(text.replace(TOPIC, topic) for text in self.instructions),
            questions=tuple(
                replace(each, text=each.text.replace(TOPIC, topic)) for each in self.questions
            ),
        )

    def question(self, name: str) -> Question | None:
        """Return the question of that name, if there is one."""
        return next((each for each in self.questions if each.name == name), None)

    def as_dict(self) -> dict[str, Any]:
        """Return the form as the tables of its file."""
        return {
            "title": self.title,
            "instructions": list(self.instructions),
            "input": self.input,
            "page": {"items": self.items, "tests": self.tests, "repeat": self.repeat},
            "rejection": {"share": self.share},
            "question": [
                {
                    "name": each.name,
                    "text": each.text,
                    "level": each.level,
                    "required": each.required,
                    "choices": [
                        {"value": choice.value, "label": choice.label} for choice in each.choices
                    ],
                    "positive": {name: list(met) for name, met in each.positive.items()},
                    "truism": each.truism,
                }
                for each in self.questions
            ],
        }

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read a form from the tables of its file."""
        known = ("title", "instructions", "input", "page", "rejection", "question")
        _known(values, known, "a form")
        page, rejection = values.get("page", {}), values.get("rejection", {})
        _known(page, ("items", "tests", "repeat"), "[page]")
        _known(rejection, ("share",), "[rejection]")
        questions = tuple(Question.read(each) for each in values["question"])
        names = [each.name for each in questions]
        criteria = [name for each in questions for name in each.scores()]
        for kind, found in (("questions", names), ("criteria", criteria)):
            if len(set(found)) < len(found):
                raise ValueError(f"two {kind} have the same name: {', '.join(found)}")
        if not any(each.required for each in questions):
            raise ValueError("no question is required; ask at least one")
        made = cls(
            str(values["title"]),
            tuple(map(str, values.get("instructions", []))),
            questions,
            int(page.get("items", 10)),
            int(page.get("tests", 0)),
            bool(page.get("repeat", False)),
            float(rejection.get("share", 0.25)),
            str(values.get("input", "items")),
        )
        if made.input not in INPUTS:
            raise ValueError(f"input {made.input!r} is not one of {', '.join(INPUTS)}")
        return made


def load_form(form: str) -> Form:
    """Read a form from the package by its name, or from a file."""
    known = sorted(path.stem for path in FOLDER.glob("*.toml"))
    path = FOLDER / f"{form}.toml" if form in known else Path(form)
    if not path.is_file():
        raise UsageError(
            f"there is no form {form!r}; choose one of {', '.join(known)}, or give a TOML file"
        )
    try:
        return Form.read(tomllib.loads(path.read_text(encoding="utf-8")))
    except KeyError as error:
        raise DataError(f"not a valid form: {error} is missing", where=str(path)) from None
    except (*_BAD, UsageError) as error:
        raise DataError(f"not a valid form: {error}", where=str(path)) from None


def _known(values: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    unknown = sorted(set(values) - set(names))
    if unknown:
        raise ValueError(f"{what} has unknown settings: {', '.join(unknown)}")
