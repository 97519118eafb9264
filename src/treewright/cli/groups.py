"""Groups of commands that are imported only when one of them is requested."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


def lazy(modules: Mapping[str, str]) -> type[TyperGroup]:
    """Return the class of a group of commands in the modules given for them.

    A command is the function with its name in its module, or else a group, the module's `app`.
    Options are read off classes whose modules import numerical libraries, so a command is made only
    when it is requested.
    """

    class Lazy(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.commands = _Commands({**modules, **self.commands})

        def list_commands(self, ctx: Any) -> list[str]:
            return list(self.commands)

    return Lazy


def group_with_default(
    command: Callable[..., None],
    modules: Mapping[str, str] | None = None,
    *,
    twofold: Collection[str] = (),
) -> typer.Typer:
    """Return a group that is itself a command, `treewright align SRC TGT`, unless its first
    argument names another one, `treewright align score HYP GOLD`: one of `modules`, or one that is
    added to the group.

    A file with the name of a command is given as `./score`. Each use of an option in `twofold`
    takes two values (`--also SRC TGT`), which Typer has no way to declare; the command gets all
    values in one list.
    """
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command()(command)
    default: Any = typer.main.get_command(alone)

    class WithDefault(lazy(modules or {})):  # type: ignore[misc]
        def make_context(
            self, info_name: Any, args: list[str], parent: Any = None, **extra: Any
        ) -> Any:
            names = ["-h", "--help", *self.commands]
            if not args or args[0] in names:
                return super().make_context(info_name, args, parent, **extra)
            return default.make_context(info_name, _one_by_one(args, twofold), parent, **extra)

        def format_help(self, ctx: Any, formatter: Any) -> None:
            with default.make_context(
                ctx.info_name, [], ctx.parent, resilient_parsing=True
            ) as inside:
                default.format_help(inside, formatter)
            self.format_commands(ctx, formatter)

    app = typer.Typer(help=command.__doc__, cls=WithDefault, no_args_is_help=True)
    app.callback(help=command.__doc__)(lambda: None)
    return app


def _one_by_one(arguments: list[str], twofold: Collection[str]) -> list[str]:
    """Write `--also SRC TGT` as `--also SRC --also TGT`."""
    found: list[str] = []
    rest = list(arguments)
    while rest:
        flag = rest.pop(0)
        found.append(flag)
        if flag == "--":
            return found + rest
        if flag in twofold and len(rest) > 1 and not rest[1].startswith("--"):
            found += [rest.pop(0), flag, rest.pop(0)]
    return found


class _Commands(UserDict[str, Any]):
    """Commands by name; if a module is stored for one, it is made when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        if not isinstance(self.data[name], str):
            return self.data[name]
        module = import_module(self.data[name])
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        if hasattr(module, "app"):
            alone.add_typer(module.app, name=name)
            return typer.main.get_group(alone).commands[name]
        alone.command(name)(getattr(module, name))
        return typer.main.get_command(alone)
