"""Runs the folders of `golden/` (see the README there for how to write them anew)."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from treewright import __version__
from treewright.forest import derivation_count
from treewright.pruning import Model, Pruner
from treewright.trees import read_trees

from .runner import Run, run

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.parent.name for path in GOLDEN.glob("*/cmd"))


def execute(command: str) -> Run:
    """Run one line of a `cmd` file, with its redirections."""
    name, *words = shlex.split(command)
    assert name == "treewright"
    stdin, target = b"", None
    if "<" in words:
        stdin = Path(words.pop(words.index("<") + 1)).read_bytes()
        words.remove("<")
    if ">" in words:
        target = Path(words.pop(words.index(">") + 1))
        words.remove(">")
    result = run(*words, stdin=stdin)
    if target is not None:
        target.write_bytes(result.raw)
        return Run(result.status, b"", result.err)
    return result


def transcript(commands: str) -> Iterator[str]:
    for command in commands.splitlines():
        result = execute(command)
        assert "Traceback" not in result.err
        yield f"[{result.status}] {command}\n"
        yield result.out.replace(__version__, "VERSION")


def counts() -> str:
    """Return nodes, edges and derivations of the forest of each tree in `new.trees`."""
    model = Model.load("model.tw")
    transducer = Pruner(model.grammar, model.unseen)
    rows = []
    for tree in read_trees("new.trees"):
        forest = transducer.forest(tree).forest
        row = {"nodes": forest.num_nodes, "edges": forest.num_edges}
        rows.append({**row, "derivations": derivation_count(forest)})
    return "".join(json.dumps(row) + "\n" for row in rows)


def compare(gold: Path, found: str) -> None:
    if os.environ.get("TREEWRIGHT_REGENERATE"):
        gold.write_text(found, encoding="utf-8")
    assert found == gold.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str, tmp_path: Path) -> None:
    folder = GOLDEN / name
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    compare(folder / "gold.stdout", "".join(transcript((folder / "cmd").read_text())))
    if (folder / "gold.counts").exists():
        compare(folder / "gold.counts", counts())


def test_every_folder_has_a_command_and_its_output() -> None:
    folders = {path.name for path in GOLDEN.iterdir() if path.is_dir()}
    assert folders == set(NAMES)
    assert all((GOLDEN / name / "gold.stdout").exists() for name in NAMES)
