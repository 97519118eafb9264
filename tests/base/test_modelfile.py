import hashlib
import io
import json
import random
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import MANIFEST, read_kind, read_model, write_model

PARTS = {"rules.tsv": b"-0.5\tA -> B\n" * 50, "weights.npy": bytes(range(256)), "empty": b""}
METADATA = {"learner": "em", "seed": 3, "name": "kůň", "nested": {"a": [1, 2.5, None]}}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.tw"
    write_model(path, kind="toy", parts=PARTS, metadata=METADATA)
    return path


def rewrite(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def files_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_manifest(path: Path, *, sign: bool = False, **changes: Any) -> None:
    """Change fields of the manifest, as a person with an editor would, or (`sign`) a forger."""
    files = files_of(path)
    manifest = {**json.loads(files[MANIFEST]), **changes}
    if sign:
        del manifest["checksum"]
        text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
        manifest["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    rewrite(path, {**files, MANIFEST: json.dumps(manifest).encode()})


def refused(path: Path, message: str) -> None:
    with pytest.raises(ModelFileError, match=message) as caught:
        read_model(path, kind="toy")
    assert caught.value.where == str(path)
    assert "\n" not in str(caught.value)


def test_what_is_written_is_read(model: Path) -> None:
    assert read_model(model, kind="toy") == (PARTS, METADATA)
    assert list(model.parent.iterdir()) == [model]


def test_the_kind_is_told_and_stdin_can_then_be_read(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_kind(model) == "toy"
    for _ in range(2):
        raw = io.BytesIO(model.read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw, encoding="utf-8"))
        assert read_kind("-") == "toy"
        assert read_model("-", kind="toy") == (PARTS, METADATA)
        write_model(model, kind="toy", parts=PARTS, metadata=METADATA)


def test_the_kind_of_a_damaged_file_is_not_told(model: Path) -> None:
    model.write_bytes(model.read_bytes()[:50])
    with pytest.raises(ModelFileError, match="not a whole model file"):
        read_kind(model)


def test_the_same_parts_give_the_same_bytes(model: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    write_model(again, kind="toy", parts=dict(reversed(PARTS.items())), metadata=METADATA)
    assert again.read_bytes() == model.read_bytes()


def test_it_is_a_zip_that_any_tool_opens(model: Path) -> None:
    assert list(files_of(model)) == [MANIFEST, *sorted(PARTS)]


def test_a_failing_write_leaves_the_old_model(model: Path) -> None:
    before = model.read_bytes()
    with pytest.raises(TypeError):
        write_model(model, kind="toy", parts={}, metadata={"bad": object()})
    with pytest.raises(TypeError):
        write_model(model, kind="toy", parts={"part": "text"}, metadata={})  # type: ignore[dict-item]
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


def test_a_dash_is_standard_input_and_output(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_model("-", kind="toy", parts=PARTS, metadata=METADATA)
    data = capsysbinary.readouterr().out
    assert data == model.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read_model("-", kind="toy") == (PARTS, METADATA)


def test_a_truncated_file_is_refused(model: Path) -> None:
    whole = model.read_bytes()
    for length in {0, 1, 10, *range(len(whole) - 1, 0, -37), len(whole) - 1}:
        model.write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            read_model(model, kind="toy")


def test_a_flipped_byte_is_refused_or_harmless(model: Path) -> None:
    """Some bytes of a zip mean nothing (times, permissions); none may change what is read."""
    whole = model.read_bytes()
    flips = random.Random(0)
    refusals = 0
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= flips.choice([1 << flips.randrange(8), flips.randrange(1, 256)])
        model.write_bytes(damaged)
        try:
            assert read_model(model, kind="toy") == (PARTS, METADATA)
        except ModelFileError:
            refusals += 1
    assert refusals > len(whole) / 2


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"(ROOT (S x))\n", b"PK\x03\x04" + bytes(100)):
        (tmp_path / "x").write_bytes(content)
        refused(tmp_path / "x", "not a whole model file")
    refused(tmp_path / "none", "cannot read it: No such file")
    refused(tmp_path, "cannot read it: Is a directory")


@pytest.mark.parametrize(
    "files",
    [
        {"document.xml": b"<a/>"},
        {MANIFEST: b"[1, 2]"},
        {MANIFEST: b"{}"},
        {MANIFEST: b"\xff"},
        {MANIFEST: b"[" * 100_000},
        {MANIFEST: b'{"format": "treewright-model"}'},
    ],
)
def test_a_foreign_zip_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    rewrite(tmp_path / "x", files)
    refused(tmp_path / "x", "not a Treewright model|not a whole model file")


def test_a_newer_version_says_to_upgrade(model: Path) -> None:
    with_manifest(model, version=3, sign=True)
    refused(model, "format version 3, this Treewright reads up to 2; install a newer")
    with_manifest(model, version="1.0")
    refused(model, "format version 1.0")


def test_another_kind_is_refused(model: Path) -> None:
    with pytest.raises(ModelFileError, match="a model of kind 'toy'; a model of kind 'tune' is"):
        read_model(model, kind="tune")


def test_another_format_is_refused(model: Path) -> None:
    with_manifest(model, format="othertool-model")
    refused(model, "expected a treewright-model file, found 'othertool-model'")


@pytest.mark.parametrize("changes", [{"metadata": {"seed": 4}}, {"kind": "lm"}, {"parts": {}}])
def test_an_edited_manifest_is_refused(model: Path, changes: dict[str, Any]) -> None:
    with_manifest(model, **changes)
    refused(model, "the checksum of manifest.json is wrong: damaged or edited")


@pytest.mark.parametrize(
    "changes", [{"parts": [1]}, {"parts": 3}, {"metadata": None}, {"parts": {"rules.tsv": 1}}]
)
def test_a_forged_manifest_of_another_shape_is_refused(
    model: Path, changes: dict[str, Any]
) -> None:
    with_manifest(model, sign=True, **changes)
    refused(model, "not a Treewright model|no such model has")


def test_an_edited_or_missing_part_is_refused(model: Path) -> None:
    files = files_of(model)
    rewrite(model, {**files, "rules.tsv": files["rules.tsv"] + b"x"})
    refused(model, "the checksum of rules.tsv is wrong: damaged or edited")
    del files["rules.tsv"]
    rewrite(model, files)
    refused(model, r"not a whole model file .*rules\.tsv")


def test_parts_that_the_manifest_does_not_name_are_refused(model: Path) -> None:
    rewrite(model, {**files_of(model), "stranger.py": b"import os"})
    refused(model, r"it has parts that no such model has: 'stranger\.py'")


def test_parts_that_the_kind_does_not_have_are_refused(model: Path) -> None:
    assert read_model(model, kind="toy", known=("*.*", "empty"))[0] == PARTS
    with pytest.raises(ModelFileError, match=r"no such model has: 'empty', 'weights\.npy'$"):
        read_model(model, kind="toy", known=("rules.tsv",))


@pytest.mark.parametrize("limit", ["SMALL", "MAX_SUM"])
def test_a_sum_of_parts_that_is_too_large_is_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr("treewright.modelfile.MAX_RATIO", 1)
    monkeypatch.setattr(f"treewright.modelfile.{limit}", 500)
    write_model(model, kind="toy", parts={"a": bytes(400), "b": bytes(400)}, metadata={})
    refused(model, r"it unpacks to 1\d\d\d bytes, more than the \d+ that a model of its size may")


def test_a_small_file_that_unpacks_to_gigabytes_takes_no_memory(model: Path) -> None:
    """What would fill memory is refused before it is read."""
    blob = bytes(1 << 20)
    with zipfile.ZipFile(model, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(3):
            with archive.open(f"extra{number}", "w") as part:
                for _ in range(300):
                    part.write(blob)
    code = (
        "import resource, sys\n"
        "from treewright.errors import ModelFileError\n"
        "from treewright.modelfile import read_kind, read_model\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for read in (read_kind, lambda path: read_model(path, kind='toy')):\n"
        "    try: read(sys.argv[1])\n"
        "    except ModelFileError as error: assert 'unpacks to' in str(error), error\n"
        "    else: sys.exit('not refused')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, model], capture_output=True, text=True, timeout=60, check=False
    )
    assert told.stderr == ""
    assert int(told.stdout) < 20_000, "kilobytes"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device")
def test_an_endless_stream_is_refused_at_its_start() -> None:
    refused(Path("/dev/zero"), "not a whole model file")


def test_a_part_that_unpacks_to_too_much_is_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.modelfile.MAX_PART", 500)
    refused(model, "unpacks to more than 500 bytes")


def test_an_interruption_while_an_entry_is_written_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = zipfile.ZipFile.open

    def interrupted(self: zipfile.ZipFile, *given: Any, **named: Any) -> Any:
        usual(self, *given, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(zipfile.ZipFile, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_model(tmp_path / "some.model", kind="rules", parts={"a": b"b"}, metadata={})
    assert not list(tmp_path.iterdir())
