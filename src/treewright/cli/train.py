"""`treewright train`: learn a model from tree pairs.

A command's options are read off its learner, which takes numerical libraries to import: so the
commands are made only when one of them is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

_MODULES = {
    "em": "treewright.cli.iterative",
    "vb": "treewright.cli.iterative",
    "gibbs": "treewright.cli.gibbs",
    "crf": "treewright.cli.linear",
    "svm": "treewright.cli.linear",
    "perceptron": "treewright.cli.linear",
    "deletion": "treewright.cli.deletion",
}
"""Where each command is, as a function of its own name."""


class Learners(TyperGroup):
    """The commands of `_MODULES`, each imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the learners in the order in which the help shows them."""
        return list(_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Make the command of a learner."""
        if cmd_name not in _MODULES:
            return None
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name)(getattr(import_module(_MODULES[cmd_name]), cmd_name))
        return typer.main.get_command(alone)


app = typer.Typer(help="Learn a model from tree pairs.", no_args_is_help=True, cls=Learners)


@app.callback()
def _group() -> None:
    """Learn a model from tree pairs."""
