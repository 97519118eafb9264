"""Pages whose examples are run: what they show is what comes out.

`python tests/pages.py PAGE…` updates the outputs. It runs every `console` block that is followed by
a plain block with its output, all in one shell in an empty folder, and there every `python` block,
one after another; in these, output appears as comments after the statement that prints it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from treewright.compression.shipped import NAMES, model_path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "compress.md",
    ROOT / "docs" / "documents.md",
    ROOT / "docs" / "faithfulness.md",
    ROOT / "docs" / "api.md",
    ROOT / "docs" / "translation.md",
    ROOT / "docs" / "tuning.md",
]
HAVE_MODELS = all(model_path(name).exists() for name in NAMES)

_LINES = r"((?:(?!```).*\n)*)"
_CONSOLE = re.compile(rf"(?<=^```console\n){_LINES}(```\n\n```\n){_LINES}(?=```$)", re.M)
_PYTHON = re.compile(rf"(?<=^```python\n){_LINES}(?=```$)", re.M)
_END = "-- end of output --"


def renewed(page: Path) -> str:
    """Return the text of a page with the current outputs of its examples."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        outputs = iter(_console_outputs([match[1] for match in _CONSOLE.finditer(text)]))
        text = _CONSOLE.sub(lambda match: match[1] + match[2] + next(outputs), text)
        return _PYTHON.sub(lambda match: _run_python(match[0], names), text)


def rounded(text: str) -> str:
    """Return a text with its long fractions rounded: the last digits depend on the machine."""
    return re.sub(r"-?\d+\.\d{5,}", lambda number: f"{float(number[0]):.3f}", text)


def _console_outputs(blocks: list[str]) -> list[str]:
    script = "exec 2>&1\n" + "".join(
        f"{block.replace('pip install . && ', '')}echo '{_END}'\n" for block in blocks
    )
    own = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": own + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    # Kernels run as they do for a reader, who has not said whether to compile them.
    environment.pop("TREEWRIGHT_JIT", None)
    done = subprocess.run(
        ["bash", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=600.0,
    )
    # A slow machine may find it worth compiling.
    stdout = re.sub(r"^Compiling kernels of .*\n", "", done.stdout, flags=re.M)
    return stdout.split(_END + "\n")[:-1]


def _run_python(code: str, names: dict[str, Any]) -> str:
    """Run the statements of a block, and return them, each followed by its output."""
    lines = [line for line in code.splitlines() if not line.startswith("#")]
    written: list[str] = []
    for statement in ast.parse("\n".join(lines)).body:
        assert statement.end_lineno is not None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module([statement], []), "page", "exec"), names)
        written.extend(lines[sum(not x.startswith("#") for x in written) : statement.end_lineno])
        written.extend(f"# {line}".rstrip() for line in printed.getvalue().splitlines())
    return "\n".join(written) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(renewed(Path(name).resolve()), encoding="utf-8")
