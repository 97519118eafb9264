"""`treewright align refine`: the paper's example in files, and what bad input says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..translation.forcing.test_spans import TEXT
from .runner import fail, succeed, succeed_in_part


@pytest.fixture(autouse=True)
def texts(inside: None) -> None:
    """Write the text of the example into the current folder, some of it in upper case."""
    lines = [(" ".join(p.source), " ".join(p.target).capitalize(), p.links) for p in TEXT]
    Path("src").write_text("".join(f"{source}\n" for source, _, _ in lines))
    Path("tgt").write_text("".join(f"{target}\n" for _, target, _ in lines))
    links = [" ".join(f"{i}-{j}" for i, j in links) for _, _, links in lines]
    Path("links").write_text("".join(f"{line}\n" for line in links))


def test_links_of_files_are_refined() -> None:
    result = succeed("align", "refine", "src", "tgt", "links", "--report", "report.json")
    assert result.lines[0] == "0-1 1-3 2-4 3-2"
    assert result.lines[1:] == Path("links").read_text().splitlines()[1:]
    assert "8 pairs derived: 100.0 % as they are" in result.err
    (report,) = json.loads(Path("report.json").read_text())
    assert report["deleted"] == report["added"] == 1
    assert report["reached"] == {"none": 8}
    succeed("align", "refine", "src", "tgt", "links", "-o", "out", "--jobs", 2)
    assert Path("out").read_text() == result.out


def test_what_goes_and_comes_is_chosen() -> None:
    command = ["align", "refine", "src", "tgt", "links"]
    assert succeed(*command, "--no-add").lines[0] == "0-1 1-3 2-4"
    assert succeed(*command, "--no-delete").lines[0] == "0-1 1-3 2-4 3-0 3-2"
    assert succeed(*command, "--confidence", 1).lines[0] == "0-1 1-3 2-4 3-2"
    assert len(json.loads(_report("--iterations", 2))) == 2


def test_a_pair_that_is_not_left_out_explains_itself() -> None:
    alone = ["--keep-own", "--length", 7, "--beam", 50, "--distortion", -1]
    found = succeed("align", "refine", "src", "tgt", "links", *alone, "--word-price", -100)
    assert found.lines[0] == "0-1 1-3 2-4 3-0"


def _report(*arguments: object) -> str:
    succeed("align", "refine", "src", "tgt", "links", "--report", "again.json", *arguments)
    return Path("again.json").read_text()


def test_empty_and_bad_pairs_keep_their_places() -> None:
    Path("src").write_bytes(b"a b\n\n\xff\na\n")
    Path("tgt").write_text("x y\n\nx\nx\n")
    Path("links").write_text("0-0 1-1\n\n\n0-0\n")
    result = succeed_in_part("align", "refine", "src", "tgt", "links")
    assert result.lines == ["0-0 1-1", "", "", "0-0"]
    assert "src:3:1: byte 0xff is not UTF-8" in result.err
    assert "1 pair skipped" in result.err
    assert "src:3:1: " in fail(1, "align", "refine", "src", "tgt", "links", "--strict")


def test_an_empty_text_has_no_links() -> None:
    for name in ("src", "tgt", "links"):
        Path(name).write_text("")
    assert succeed("align", "refine", "src", "tgt", "links").out == ""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tgt", "x\n", "tgt: it ends after 1 lines, but src goes on"),
        ("links", "0-0\n", "links: it ends after 1 lines, the text after 8"),
        ("links", "9-0\n" + 7 * "\n", "links:1: link 9-0 leads to source word 9"),
        ("links", "0:0\n" + 7 * "\n", "links:1: "),
    ],
)
def test_files_that_do_not_fit_are_errors(name: str, content: str, message: str) -> None:
    Path(name).write_text(content)
    assert fail(1, "align", "refine", "src", "tgt", "links").startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--beam", "0"], "length and beam are at least 1"),
        (["--word-price", "3"], "floor and word_price are logs of probabilities"),
        (["--confidence", "2"], "confidence is between 0 and 1"),
        (["-o", "links"], "links is also an input"),
    ],
)
def test_requests_that_cannot_be_met(arguments: list[str], message: str) -> None:
    assert message in fail(2, "align", "refine", "src", "tgt", "links", *arguments)
