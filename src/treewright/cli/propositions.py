"""`treewright propositions`: what a body of text takes for granted about its domain."""

from __future__ import annotations

from treewright.cli.groups import lazy_group

_COMMANDS = ("learn", "label", "show", "roles", "score", "browse", "enrich", "export", "judge")

app = lazy_group(
    "Learn from text what does what to what, and use it.",
    {name: f"treewright.cli.propositions_{name}" for name in _COMMANDS},
)
