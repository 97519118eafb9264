import gzip
import io
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from treewright.errors import DataError, ParseError
from treewright.files import atomic_write, check_text, open_text


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def read(path: str | Path) -> str:
    with open_text(path) as handle:
        return handle.read()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_is_utf8_with_or_without_a_mark(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(mark + "žluťoučký\r\nkůň\n".encode())
    assert read(path) == "žluťoučký\nkůň\n"


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        stdin = io.TextIOWrapper(io.BytesIO(mark + "kůň".encode()), encoding="ascii")
        monkeypatch.setattr(sys, "stdin", stdin)
        assert read("-") == "kůň"


def test_a_stream_is_read_in_the_place_of_a_file() -> None:
    with open_text("nowhere", stream=io.StringIO("text")) as handle:
        assert handle.read() == "text"


def test_a_missing_file_and_a_directory_are_data_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(DataError, match=f"^{path}: cannot read it: "):
            read(path)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"ab\x00c", "f:4:7: a NUL byte"),
        (b"a\xffb", "f:4:6: byte 0xff is not UTF-8"),
        ("né".encode("latin-1"), "f:4:6: byte 0xe9 is not UTF-8"),
    ],
)
def test_bytes_that_are_not_text_are_named(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "f"
    path.write_bytes(raw)
    with pytest.raises(ParseError, match=message):
        check_text(read(path), "f", 4, 5)


def test_text_without_flaws_passes() -> None:
    check_text("žluťoučký kůň 😀", "f", 1)


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with atomic_write(path) as handle:
        handle.write("kůň\n")
        assert not path.exists()
    assert path.read_bytes() == "kůň\n".encode()
    assert names(tmp_path) == ["out"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("binary", [False, True])
def test_a_failing_write_leaves_the_old_file(tmp_path: Path, binary: bool) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(path, binary=binary) as handle:
        handle.write(b"new" if binary else "new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert names(tmp_path) == ["out"]


def test_an_interrupted_write_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), atomic_write(tmp_path / "out"):
        raise KeyboardInterrupt
    assert names(tmp_path) == []


def test_what_cannot_be_written_is_a_data_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "none" / "out", tmp_path / "file" / "out"):
        with pytest.raises(DataError, match=f"^{path}: cannot write it: "), atomic_write(path):
            pass
    assert names(tmp_path) == ["file"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with atomic_write(tmp_path / "link") as handle:
        handle.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_device_is_written_not_replaced() -> None:
    with atomic_write(os.devnull) as handle:
        handle.write("gone")
    assert Path(os.devnull).is_char_device()


def test_a_dash_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with atomic_write("-") as handle:
        handle.write("text")
    with atomic_write("-", binary=True) as handle:
        handle.write(b"\x00")
    assert sorted(capsysbinary.readouterr().out) == sorted(b"text\x00")


def test_packed_text_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    content = gzip.compress("é\nzwei\n".encode())
    path.write_bytes(content)
    with open_text(path) as handle:
        assert handle.read() == "é\nzwei\n"
    for broken in (b"plain", content[:-9]):
        path.write_bytes(broken)
        with pytest.raises(DataError, match="not a whole gzip file"), open_text(path) as handle:
            handle.read()


def test_an_interruption_just_after_the_file_is_there_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Path.open

    def interrupted(self: Path, *arguments: Any, **named: Any) -> Any:
        handle = usual(self, *arguments, **named)
        handle.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", interrupted)
    with pytest.raises(KeyboardInterrupt), atomic_write(tmp_path / "out"):
        pass
    assert list(tmp_path.iterdir()) == []
