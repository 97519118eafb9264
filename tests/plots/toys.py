"""Traces and rows small enough to see what must be drawn."""

from __future__ import annotations

import json
from pathlib import Path

from treewright.plots import Row

SCORES = ("word_rate", "relation_precision", "relation_recall", "relation_f1")


def sweep(number: int, iteration: int, /, **changed: object) -> str:
    values = {
        "chain": number,
        "iteration": iteration,
        "temperature": 5.0 / iteration,
        "log_joint": -1000.0 + iteration,
        "changed": 0.5,
        "rules": 40 - iteration,
        "updates_per_second": 1e6,
    }
    return json.dumps({**values, **changed}) + "\n"


def turn(number: int | None, /, **changed: object) -> str:
    values = {
        "round": number,
        "primal": None,
        "dual": number,
        "gap": None,
        "constraints": 7,
        "seconds": 0.5,
    }
    return json.dumps({**values, **changed}) + "\n"


def write_trace(path: str | Path = "t.jsonl") -> str:
    lines = [sweep(chain, iteration) for iteration in (1, 2, 4) for chain in (0, 1)]
    Path(path).write_text("".join(lines))
    return str(path)


def row(system: str, point: float | str, score: float, *, rate: float, runs: int = 1) -> Row:
    mean = dict(zip(SCORES, (rate, score, score + 0.1, score + 0.2), strict=True))
    spread = None if runs == 1 else dict(zip(SCORES, (0.0, 0.01, 0.02, 0.03), strict=True))
    return Row(system, point, runs, mean, spread)
