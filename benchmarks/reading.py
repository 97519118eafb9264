"""What readers said about outputs: the tables of docs/benchmarks/reading.md.

    python benchmarks/reading.py [FILE]

FILE (reading.jsonl; unseen.jsonl is another) has a verdict for every output of two builds, on
inputs that played no part in learning. Readers did not know which build an output came from; each
distinct output of an input was read once.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from run import table

SETTINGS = ("no limit", "rate 0.7", "rate 0.5", "10 words")
VERDICTS = ("fine", "weak", "changed", "broken")
BOUNDS = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0)


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("reading.jsonl")
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    shares(rows)
    reliability(rows)


def shares(rows: list[dict[str, Any]]) -> None:
    """Print the share of each verdict, by setting and build."""
    groups = defaultdict(list)
    for row in rows:
        groups[SETTINGS.index(row["setting"]), row["build"]].append(row)
    lines = []
    for (setting, build), group in sorted(groups.items(), key=lambda item: item[0][0]):
        counts = Counter(row["verdict"] for row in group)
        counts["fine"] += counts["unchanged"]
        size = len(group)
        lines.append(
            [
                SETTINGS[setting],
                build,
                f"{sum(row['rate'] for row in group) / size:.2f}",
                *[f"{100 * counts[verdict] / size:.0f} %" for verdict in VERDICTS],
                str(counts["unchanged"]),
                str(sum(not row["met"] for row in group)),
            ]
        )
    table(["setting", "build", "rate", *VERDICTS, "unchanged", "limit not met"], lines)


def reliability(rows: list[dict[str, Any]]) -> None:
    """Print how often outputs were accepted, by what the estimate said."""
    seen = {
        (row["id"], row["text"]): row
        for row in rows
        if "acceptable" in row and row["verdict"] != "unchanged"
    }
    lines = []
    for low, high in pairwise(BOUNDS):
        inside = [r for r in seen.values() if low <= r["acceptable"] < high + (high == 1.0)]
        if not inside:
            continue
        mean = sum(row["acceptable"] for row in inside) / len(inside)
        accepted = sum(row["verdict"] in ("fine", "weak") for row in inside) / len(inside)
        fine = sum(row["verdict"] == "fine" for row in inside) / len(inside)
        spread = f"{low:.2f} to {high:.2f}"
        lines.append([spread, str(len(inside)), f"{mean:.2f}", f"{accepted:.2f}", f"{fine:.2f}"])
    table(["estimate", "outputs", "mean estimate", "fine or weak", "fine"], lines)


if __name__ == "__main__":
    main()
