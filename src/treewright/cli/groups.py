"""Groups of commands that are imported only when one of them is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


def lazy_group(about: str, modules: Mapping[str, str]) -> typer.Typer:
    """Return a group of commands, each a function of its own name in the module given for it.

    Options are read off classes that take numerical libraries to import: so a command is made only
    when it is asked for.
    """

    class Lazy(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(modules)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in modules:
                return None
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(cmd_name)(getattr(import_module(modules[cmd_name]), cmd_name))
            return typer.main.get_command(alone)

    app = typer.Typer(help=about, no_args_is_help=True, cls=Lazy)
    # A group without commands of its own needs a callback to be one.
    app.callback(help=about)(lambda: None)
    return app
