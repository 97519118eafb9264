"""A group that is itself a command unless its first argument names another one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from treewright.cli.groups import group_with_default

_USAGE = "align [OPTIONS] SRC TGT\n"


def align(
    source: Annotated[str, typer.Argument(metavar="SRC")],
    target: Annotated[str, typer.Argument(metavar="TGT")],
    method: Annotated[str, typer.Option(help="How.")] = "best",
    also: Annotated[list[str] | None, typer.Option(metavar="SRC TGT")] = None,
) -> None:
    """Align two files."""
    typer.echo(" ".join(["align", source, target, method, *(also or [])]))


def score(system: Annotated[str, typer.Argument(metavar="HYP")]) -> None:
    """Score links."""
    typer.echo(f"score {system}")


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    scorer, group = ModuleType("toy_scorer"), ModuleType("toy_group")
    scorer.score = score  # type: ignore[attr-defined]
    group.app = group_with_default(  # type: ignore[attr-defined]
        align, {"score": "toy_scorer"}, twofold=["--also"]
    )
    monkeypatch.setitem(sys.modules, "toy_scorer", scorer)
    outer = typer.Typer(
        rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
    )
    outer.callback()(lambda: None)
    outer.add_typer(group.app, name="align")
    return outer


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["a", "b"], "align a b best"),
        (["a", "b", "--method", "ibm1"], "align a b ibm1"),
        (["--method", "ibm1", "a", "b"], "align a b ibm1"),
        (["a", "b", "--also", "c", "d", "--also", "e", "f"], "align a b best c d e f"),
        (["--also", "c", "d", "a", "b"], "align a b best c d"),
        (["a", "b", "--also", "c", "--method", "ibm1"], "align a b ibm1 c"),
        (["./score", "b"], "align ./score b best"),
        (["score", "h"], "score h"),
    ],
)
def test_the_first_argument_decides(app: typer.Typer, arguments: list[str], printed: str) -> None:
    result = CliRunner().invoke(app, ["align", *arguments])
    assert (result.exit_code, result.output) == (0, f"{printed}\n")


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], []])
def test_help_shows_the_command_and_the_others(app: typer.Typer, arguments: list[str]) -> None:
    text = CliRunner().invoke(app, ["align", *arguments]).output
    assert text.startswith("Usage: ")
    assert _USAGE in text.replace("{", "").replace("}", "")
    assert "Align two files." in text
    assert "--method" in text
    assert "score  Score links." in text


def test_errors_name_the_command_that_was_meant(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["align", "a"])
    assert result.exit_code == 2
    assert _USAGE in result.output.replace("{", "").replace("}", "")
    assert "Missing argument 'TGT'" in result.output
