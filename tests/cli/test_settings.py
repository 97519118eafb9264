"""Commands made from learners: what becomes an option, and what wins over what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from treewright.cli.settings import make_learner, parse_grid
from treewright.cli.training import Training, training_command
from treewright.errors import UsageError


@dataclass(frozen=True)
class Shape:
    width: int = 3


@dataclass(kw_only=True)
class Toy:
    shape: Shape = field(default_factory=Shape)
    alpha: float = 2.5
    alphas: Mapping[str, float] = field(default_factory=dict)
    start_at: str = "random"
    quick: bool = False


TEXTS = {
    "alpha": "Alpha.",
    "alphas": "Alpha of one name.",
    "start_at": "Start.",
    "quick": "Quick.",
    "width": "Width.",
}
seen: list[tuple[Toy, str | None, str, int]] = []


def drive(learner: Toy, training: Training, times: int = 1) -> None:
    seen.append((learner, training.config, training.pairs, times))


def invoke(*arguments: str) -> Any:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(training_command(Toy, drive, "Run a toy.", TEXTS))
    return CliRunner().invoke(app, [*arguments, "--model", "out"])


def learner(*arguments: str) -> dict[str, Any]:
    result = invoke("in", *arguments)
    assert result.exit_code == 0, result.output
    return asdict(seen[-1][0])


def test_the_driver_gets_the_learner_and_its_own_arguments() -> None:
    assert invoke("in", "--times", "7", "--alpha", "1").exit_code == 0
    assert seen[-1] == (Toy(alpha=1.0), None, "in", 7)
    assert invoke("in").exit_code == 0
    assert seen[-1] == (Toy(), None, "in", 1)
    Path("c.toml").touch()
    assert invoke("in", "--config", "c.toml").exit_code == 0
    assert seen[-1] == (Toy(), "c.toml", "in", 1)


def test_the_help_has_every_setting_with_its_default() -> None:
    text = " ".join(invoke("--help").output.split())
    assert "Run a toy." in text
    for shown in (
        "Alpha. [default: (2.5)]",
        "--alpha-of NAME=VALUE Alpha of one name.",
        "Start. [default: (random)]",
        "--quick / --no-quick Quick. [default: (no-quick)]",
        "Width. [default: (3)]",
    ):
        assert shown in text
    places = [text.index(f"--{name} ") for name in ("model", "alpha", "width", "times", "strict")]
    assert places == sorted(places)


def test_flags_win_over_tables_of_the_config_file_entry_by_entry() -> None:
    config = 'alpha = 9.0\nquick = true\n[alphas]\n"NP/ε" = 1\nS = 2\n[shape]\nwidth = 8\n'
    Path("c.toml").write_text(config, encoding="utf-8")
    assert learner("--config", "c.toml") == {
        "shape": {"width": 8},
        "alpha": 9.0,
        "alphas": {"NP/ε": 1, "S": 2},
        "start_at": "random",
        "quick": True,
    }
    flags = ["--alpha-of", "S=3", "--alpha-of", "a=b=4", "--no-quick", "--width", "5"]
    found = learner("--config", "c.toml", *flags)
    assert found["alphas"] == {"NP/ε": 1, "S": 3.0, "a=b": 4.0}
    assert (found["quick"], found["shape"], found["alpha"]) == (False, {"width": 5}, 9.0)


@pytest.mark.parametrize("text", ["S", "S=", "=3", "S=x"])
def test_an_entry_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError, match=f"expected --alpha-of NAME=NUMBER, found '{text}'"):
        make_learner(Toy, None, {"alphas": [text]})


@pytest.mark.parametrize("name", ["alphas", "shape"])
def test_a_table_that_is_none(name: str) -> None:
    Path("c.toml").write_text(f"{name} = 3")
    with pytest.raises(UsageError, match=f"'{name}' in a config file is a table: \\[{name}\\]"):
        make_learner(Toy, "c.toml", {})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('quick = "no"', "quick in a config file is true or false, found 'no'"),
        ("quick = 0", "quick in a config file is true or false, found 0"),
        ("alpha = true", "alpha in a config file is a number, found True"),
        ("alpha = 'high'", "alpha in a config file is a number, found 'high'"),
        ("start_at = 3", "start_at in a config file is text in quotes, found 3"),
        ("[shape]\nwidth = 2.0", "width in a config file is a whole number, found 2.0"),
        ("[shape]\nwidth = true", "width in a config file is a whole number, found True"),
        ("[alphas]\nS = [1]", "alphas 'S' in a config file is a number, found [1]"),
    ],
)
def test_a_value_of_the_wrong_type(content: str, message: str) -> None:
    Path("c.toml").write_text(content)
    with pytest.raises(UsageError) as caught:
        make_learner(Toy, "c.toml", {"quick": True, "alpha": 1.0})
    assert str(caught.value) == message


def test_help_that_does_not_fit_is_an_error_of_the_program() -> None:
    with pytest.raises(TypeError, match=r"help of Toy does not fit its settings: \['width'\]"):
        training_command(Toy, drive, "", {name: "" for name in TEXTS if name != "width"})


def test_a_setting_no_option_can_hold_is_an_error_of_the_program() -> None:
    @dataclass(kw_only=True)
    class Odd:
        limit: int | None = None

    with pytest.raises(TypeError, match="no option for limit, whose default is None"):
        training_command(Odd, drive, "", {"limit": ""})


def test_a_grid_is_over_real_numbers() -> None:
    assert parse_grid(["alpha=1,2e3"], Toy()) == {"alpha": [1.0, 2000.0]}
    with pytest.raises(UsageError, match="unknown grid setting 'quick'; choose from: alpha"):
        parse_grid(["quick=1"], Toy())


def test_a_grid_goes_by_the_setting_not_by_its_value() -> None:
    Path("c.toml").write_text("alpha = 100")
    learner = make_learner(Toy, "c.toml", {})
    assert parse_grid(["alpha=1,2"], learner) == {"alpha": [1.0, 2.0]}


def test_a_grid_has_each_name_once() -> None:
    with pytest.raises(UsageError, match="--grid has 'alpha' twice; give all its values at once"):
        parse_grid(["alpha=1", "alpha=2"], Toy())


@dataclass(kw_only=True)
class Namesake:
    shape: Shape = field(default_factory=Shape)
    width: int = 5


def test_a_name_that_a_table_has_too_is_told_apart() -> None:
    made: list[Namesake] = []

    def drive(learner: Namesake, training: Training) -> None:
        made.append(learner)

    texts = {"width": "Width.", "shape_width": "That of the shape."}
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(training_command(Namesake, drive, "Run a toy.", texts))
    flags = ["in", "--model", "out", "--width", "7", "--shape-width", "8"]
    assert CliRunner().invoke(app, flags).exit_code == 0
    assert made == [Namesake(width=7, shape=Shape(width=8))]
    Path("c.toml").write_text("width = 2\n[shape]\nwidth = 4\n")
    assert make_learner(Namesake, "c.toml", {}) == Namesake(width=2, shape=Shape(width=4))
    found = make_learner(Namesake, "c.toml", {"shape_width": 9})
    assert found == Namesake(width=2, shape=Shape(width=9))
    Path("c.toml").write_text("[shape]\nshape_width = 4\n")
    with pytest.raises(UsageError, match="unknown shape setting 'shape_width'"):
        make_learner(Namesake, "c.toml", {})
