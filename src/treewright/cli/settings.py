"""Settings of learners as options: one per setting, with the library's default in its help.

A learner is a dataclass. Each of its fields becomes an option and a name in config files; a field
that is itself a dataclass, or a mapping, is a table there.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from treewright.errors import DataError, UsageError

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}
"""What a config file must contain, by the type of a setting's default."""


@dataclass(frozen=True)
class Setting:
    """One option of a learner; `table` is the field it belongs to, if that is a dataclass.

    `key` is its name in a config file. The option's name is prefixed with the table's if the
    learner also has a setting of that name: `--min-count` and `--extraction-min-count`.
    """

    name: str
    key: str
    default: Any
    table: str | None = None

    @property
    def flag(self) -> str:
        """The option's name; that of a mapping `alphas` is `--alpha-of`, with one entry
        each time.
        """
        if isinstance(self.default, Mapping):
            return f"--{self.name.removesuffix('s').replace('_', '-')}-of"
        return f"--{self.name.replace('_', '-')}"

    def parameter(self, text: str) -> inspect.Parameter:
        """Return what Typer reads: if left out it is `None`, and the library's default applies."""
        kind: Any = type(self.default)
        declared, shown, metavar = self.flag, str(self.default), None
        if kind is bool:
            negated = declared.replace("--", "--no-")
            shown = (declared if self.default else negated).removeprefix("--")
            declared = f"{declared}/{negated}"
        elif isinstance(self.default, Mapping):
            kind, shown, metavar = list[str], "", "NAME=VALUE"
        elif kind not in (int, float, str):
            raise TypeError(f"no option for {self.name}, whose default is {self.default!r}")
        option = typer.Option(declared, help=text, metavar=metavar, show_default=shown or False)
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[kind | None, option],
        )

    def put(self, value: Any, settings: dict[str, Any]) -> None:
        """Let a value from the command line override that of a config file."""
        if isinstance(self.default, Mapping):
            settings.setdefault(self.name, {}).update(_entry(self.flag, text) for text in value)
        elif self.table is not None:
            settings.setdefault(self.table, {})[self.key] = value
        else:
            settings[self.name] = value

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise a `UsageError` if a config file has a value of the wrong type."""
        holder = settings if self.table is None else settings.get(self.table, {})
        if self.key not in holder:
            return
        if not isinstance(self.default, Mapping):
            _check_type(self.key, holder[self.key], type(self.default))
            return
        for key, value in holder[self.key].items():
            _check_type(f"{self.name} {key!r}", value, float)


def settings_of(kind: type[Any]) -> Iterator[Setting]:
    """Yield the settings of a learner, including those of its tables, in order."""
    defaults = kind()
    taken = {field.name for field in fields(kind)}
    for field in fields(kind):
        value = getattr(defaults, field.name)
        if is_dataclass(value):
            for inner in fields(value):
                name = f"{field.name}_{inner.name}" if inner.name in taken else inner.name
                yield Setting(name, inner.name, getattr(value, inner.name), field.name)
        else:
            yield Setting(field.name, field.name, value)


def setting_options(kind: type[Any], texts: Mapping[str, str]) -> list[inspect.Parameter]:
    """Return what Typer reads for each setting of a learner; `texts` has the help of all."""
    settings = {setting.name: setting for setting in settings_of(kind)}
    if texts.keys() != settings.keys():
        unlike = sorted(texts.keys() ^ settings.keys())
        raise TypeError(f"the help of {kind.__name__} does not fit its settings: {unlike}")
    return [settings[name].parameter(text) for name, text in texts.items()]


def make_learner(kind: type[Any], config: str | None, flags: Mapping[str, Any]) -> Any:
    """Make a learner from defaults, a config file and flags, each overriding the one before."""
    settings = _read_config(config) if config else {}
    plain = kind()
    defaults = {field.name: getattr(plain, field.name) for field in fields(kind)}
    _check_names(settings, defaults, "setting")
    for name, value in settings.items():
        is_table = is_dataclass(defaults[name]) or isinstance(defaults[name], Mapping)
        if is_table and not isinstance(value, dict):
            raise UsageError(f"{name!r} in a config file is a table: [{name}]")
    for setting in settings_of(kind):
        setting.check(settings)
        if flags.get(setting.name) is not None:
            setting.put(flags[setting.name], settings)
    for name, default in defaults.items():
        if is_dataclass(default) and name in settings:
            _check_names(settings[name], [f.name for f in fields(default)], f"{name} setting")
            table: Any = type(default)
            settings[name] = table(**settings[name])
    return kind(**settings)


def _check_type(what: str, value: Any, kind: type[Any]) -> None:
    """Compare types exactly, because a Boolean is not a number here; integers count as reals."""
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise UsageError(f"{what} in a config file is {_KINDS[kind]}, found {value!r}")


def _entry(flag: str, text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        if name:
            return name, float(value)
    except ValueError:
        pass
    raise UsageError(f"expected {flag} NAME=NUMBER, found {text!r}")


def _read_config(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read it: {error.strerror}", where=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"not TOML: {error}", where=path) from None


def _check_names(found: Iterable[str], known: Collection[str], what: str) -> None:
    for name in found:
        if name not in known:
            raise UsageError(f"unknown {what} {name!r}; choose from: {', '.join(sorted(known))}")


def parse_grid(grid: Iterable[str], learner: Any) -> dict[str, list[float]]:
    """Read `NAME=V,V,…` for settings of a learner that are real numbers."""
    settings = [setting for setting in settings_of(type(learner)) if setting.table is None]
    numeric = [setting.name for setting in settings if isinstance(setting.default, float)]
    points: dict[str, list[float]] = {}
    for text in grid:
        name, _, values = text.partition("=")
        _check_names([name], numeric, "grid setting")
        if name in points:
            raise UsageError(f"--grid has {name!r} twice; give all its values at once")
        try:
            points[name] = [float(value) for value in values.split(",")]
        except ValueError:
            raise UsageError(f"expected --grid {name}=NUMBER,NUMBER,…, found {text!r}") from None
    return points
