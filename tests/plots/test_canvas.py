"""Pictures as files: their formats, the same bytes each time, whole or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treewright.errors import DataError, UsageError
from treewright.plots import check_drawing, draw_traces, read_traces, save
from treewright.plots.canvas import styles

from ..programs import run_program
from .toys import write_trace


@pytest.mark.parametrize(
    ("form", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_formats_by_name_and_the_same_bytes_each_time(
    form: str, start: bytes, tmp_path: Path
) -> None:
    traces = read_traces(write_trace(tmp_path / "t.jsonl"))
    paths = [tmp_path / f"{number}.{form}" for number in (1, 2)]
    for path in paths:
        save(draw_traces(traces), str(path))
    assert paths[0].read_bytes().startswith(start)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_drawing_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = draw_traces(read_traces(write_trace(tmp_path / "t.jsonl")))
    path = tmp_path / "t.svg"
    path.write_text("old")

    def fail(handle: object, **options: object) -> None:
        handle.write(b"half")  # type: ignore[attr-defined]
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(RuntimeError):
        save(figure, str(path))
    assert path.read_text() == "old"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["t.jsonl", "t.svg"]
    with pytest.raises(DataError, match="cannot write it"):
        save(figure, str(tmp_path / "none" / "t.svg"))


@pytest.mark.parametrize("path", ["t", "-", "t.gif", "svg"])
def test_other_formats(path: str) -> None:
    with pytest.raises(UsageError, match=f"cannot draw {path}: name a file that ends in one of"):
        check_drawing(path)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[plots\]'"):
        check_drawing("t.svg")


def test_a_check_does_not_import_matplotlib() -> None:
    code = (
        "import sys; from treewright.plots import check_drawing; check_drawing('t.svg'); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    run_program(sys.executable, "-c", code)


def test_many_lines_stay_apart() -> None:
    looks = [tuple(sorted(style.items())) for style in styles([str(n) for n in range(20)]).values()]
    assert len(set(looks)) == 20
