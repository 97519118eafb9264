"""Rooms are entered through their front doors: what a folder offers, its `__init__` names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import treewright

SRC = Path(treewright.__file__).parent
ALLOWED = ("_kernels", "parsing.embedded.training")
"""Kernels are put into one another; training needs torch, which its folder as a whole does not."""


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of ours that a file imports from, below the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("treewright."):
            yield str(node.module).removeprefix("treewright.")


def test_no_import_goes_past_a_front_door() -> None:
    past = []
    for path in sorted(SRC.rglob("*.py")):
        own, *inside = path.relative_to(SRC).parts
        for module in imports(path):
            room, *rest = module.split(".")
            is_door = not rest or (SRC / module.replace(".", "/")).is_dir()
            allowed = module.endswith("_kernels") or module.startswith(ALLOWED)
            if not is_door and not allowed and not (inside and room == own):
                past.append(f"{path.relative_to(SRC)}: {module}")
    assert past == []
