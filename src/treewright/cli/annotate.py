"""`treewright annotate`: have outputs judged by people."""

from __future__ import annotations

from treewright.cli.groups import lazy_group

app = lazy_group(
    "Have outputs judged by people: make tasks, collect answers.",
    {"make": "treewright.cli.annotate_make", "collect": "treewright.cli.annotate_collect"},
)
