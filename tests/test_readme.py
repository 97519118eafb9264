"""The README's examples, run as they stand; those with their output behind them in test_docs."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from .programs import run_program

README = Path(__file__).resolve().parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    fenced = README.read_text(encoding="utf-8").split("```")[1::2]
    return [body for name, _, body in (text.partition("\n") for text in fenced) if name == language]


def run(command: list[str], folder: Path, out: Path | None = None, text: str = "") -> str:
    # Kernels run as they do for a reader, who has not said whether to compile them.
    env = {name: value for name, value in os.environ.items() if name != "TREEWRIGHT_JIT"}
    done = run_program(
        sys.executable, "-m", *command, cwd=folder, env=env, input=text, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if out is not None:
        out.write_text(done.stdout, encoding="utf-8")
    return done.stdout


def test_the_commands_work_one_after_another(tmp_path: Path) -> None:
    [commands] = [block for block in blocks("console") if "train em" in block]
    for line in commands.splitlines():
        command, _, out = line.partition(" > ")
        printed = run(shlex.split(command), tmp_path, tmp_path / out if out else None)
    assert "S/S -> " in printed


def test_the_translations_work_one_after_another(tmp_path: Path) -> None:
    [commands] = [block for block in blocks("console") if "train phrase" in block]
    *lines, last = commands.splitlines()
    for line in lines:
        run(shlex.split(line), tmp_path)
    echo, _, command = last.partition(" | ")
    printed = run(shlex.split(command), tmp_path, text=" ".join(shlex.split(echo)[1:]) + "\n")
    assert "Die alte Frau liest die Zeitung ." in printed


def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    [shown] = [block for block in blocks("") if block.startswith("- ")]
    assert shown in run(["treewright", "demo"], tmp_path)


def test_the_first_command_is_what_ci_runs() -> None:
    install, _, command = blocks("console")[0].strip().partition(" && ")
    assert install == "pip install ."
    assert f"&& {command};" in (README.parent / ".ci" / "run").read_text(encoding="utf-8")


def test_the_corpus_line_is_a_pair(tmp_path: Path) -> None:
    [line] = blocks("json")
    (tmp_path / "one.jsonl").write_text(line, encoding="utf-8")
    run(["treewright", "corpus", "check", "one.jsonl"], tmp_path)
