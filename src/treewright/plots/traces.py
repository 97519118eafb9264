"""Traces of samplers: how a chain went, one JSON object a reported sweep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import DataError, ParseError
from treewright.files import check_text, open_text

Floats = NDArray[np.float64]

COLUMNS = ("log_joint", "temperature", "rules", "changed")

_MOST = 2**53
"""Whole numbers up to here are floats to the last digit."""


@dataclass(frozen=True, eq=False)
class Trace:
    """One chain: the sweeps it reported, and a value a sweep for each of `COLUMNS`.

    A value the sampler did not have is not a number.
    """

    chain: int
    sweeps: Floats
    values: dict[str, Floats]


def read_traces(path: str) -> list[Trace]:
    """Read the chains of a trace in the order of their numbers.

    A sweep that was reported twice, before and after a resumption, counts as reported last. The
    last line may be cut short: the run is still going on, or was stopped in the middle of it.
    """
    chains: dict[int, dict[int, dict[str, float]]] = {}
    for record in _records(path):
        chain, sweep = int(record["chain"]), int(record["iteration"])
        chains.setdefault(chain, {})[sweep] = record
    if not chains:
        raise DataError("no sweeps in it; expected what train gibbs --trace writes", where=path)
    return [_trace(chain, sweeps) for chain, sweeps in sorted(chains.items())]


def _trace(chain: int, sweeps: dict[int, dict[str, float]]) -> Trace:
    order = sorted(sweeps)
    return Trace(
        chain,
        np.array(order, dtype=np.float64),
        {name: np.array([sweeps[sweep][name] for sweep in order]) for name in COLUMNS},
    )


def _records(path: str) -> Iterator[dict[str, float]]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            check_text(line, path, number)
            if line.isspace():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                if not line.endswith("\n"):
                    return
                raise ParseError(
                    "not JSON; expected one object a reported sweep", where=f"{path}:{number}"
                ) from None
            yield _checked(record, f"{path}:{number}")


def _checked(record: Any, where: str) -> dict[str, float]:
    """Return the numbers of a record; only what is drawn may be `null`."""
    if not isinstance(record, dict):
        raise ParseError("expected one object a reported sweep", where=where)
    numbers = {}
    for name in ("chain", "iteration", *COLUMNS):
        if name not in record:
            raise ParseError(f"no field {name!r}; is this a trace?", where=where)
        value = float("nan") if record[name] is None and name in COLUMNS else record[name]
        if not (_is_number(value) if name in COLUMNS else _is_whole(value)):
            expected = "a number" if name in COLUMNS else "a whole number"
            raise ParseError(f"{name!r} is {value!r:.40}; expected {expected}", where=where)
        numbers[name] = value
    return numbers


def _is_number(value: Any) -> bool:
    """Whether a value is a number that can be drawn; JSON's may be of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) <= _MOST


def _is_whole(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())
