from __future__ import annotations

import json
from pathlib import Path

import pytest

from .runner import fail, run, succeed

TEXT = "the cat sat\nthe dog sat\na cat\n\nthe dog and the cat sat\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text(TEXT)
    return tmp_path


def test_train_score_and_measure(folder: Path) -> None:
    told = succeed("lm", "train", "text", "text", "--order", 3, "--model", "m", "--arpa", "a").err
    assert "too little text to estimate the discounts of order 1" in told
    (folder / "new").write_text("the cat sat\n\nthe zebra\n")
    found = {}
    for name in ("m", "a"):
        found[name] = json.loads(succeed("lm", "perplexity", name, "new", "--json").out)
        totals = [float(line) for line in succeed("lm", "score", name, "new").lines]
        words = [line.split() for line in succeed("lm", "score", name, "new", "--words").lines]
        assert [len(line) for line in words] == [4, 1, 3]
        assert totals == pytest.approx([sum(map(float, line)) for line in words], abs=1e-5)
        assert totals[0] + totals[2] == pytest.approx(found[name]["log_prob"], abs=1e-5)
    assert found["m"] == pytest.approx(found["a"])
    assert {name: found["m"][name] for name in ("oov", "tokens", "sentences", "order")} == {
        "oov": 1,
        "tokens": 7,
        "sentences": 2,
        "order": 3,
    }
    assert found["m"]["perplexity_without_oov"] < found["m"]["perplexity"]
    assert "oov: 1\n" in succeed("lm", "perplexity", "m", "new").out


def test_streams(folder: Path) -> None:
    arpa = succeed("lm", "train", "-", "--order", 2, "--model", "m", "--arpa", "-", stdin=TEXT).out
    assert arpa.startswith("\\data\\\nngram 1=9\n")
    told = succeed("lm", "score", "m", "--json", stdin="the zebra\n").out
    assert json.loads(told)["unknown"] == ["zebra"]
    assert succeed("lm", "perplexity", "-", "text", "--json", stdin=arpa).out == (
        succeed("lm", "perplexity", "m", "text", "--json").out
    )


def test_bad_lines_are_skipped_and_named(folder: Path) -> None:
    (folder / "bad").write_bytes(b"the cat\nthe <s> cat\ncaf\xe9\n" + b"x " * 501 + b"\nthe dog\n")
    told = succeed("lm", "train", "bad", "--model", "m").err
    assert "skipped: bad:2: the word '<s>', which every model has for itself" in told
    assert "skipped: bad:3:4: byte 0xe9 is not UTF-8" in told
    assert "skipped: bad:4: the line has 501 words" in told
    assert "3 lines skipped" in told
    scored = run("lm", "score", "m", "bad")
    assert (scored.status, len(scored.lines), scored.lines[2]) == (1, 5, "")
    assert "bad:2: the word" in fail(1, "lm", "train", "bad", "--model", "n", "--strict")
    assert not Path("n").exists()


@pytest.mark.parametrize(
    ("status", "arguments", "message"),
    [
        (2, ["train", "text", "--model", "m", "--order", "9"], "1 to 6, found 9"),
        (2, ["train", "text", "--model", "m", "--prune", "0 x"], "counts such as '0 0 1'"),
        (2, ["train", "text", "--model", "text"], "is also an input"),
        (2, ["train", "text", "--model", "-", "--arpa", "-"], "only one of --model and --arpa"),
        (1, ["train", "none", "--model", "m"], "none: cannot read it"),
        (1, ["score", "text", "text"], "text:1: no line \\data\\; this is not an ARPA file"),
        (1, ["perplexity", "none", "text"], "none: cannot read it"),
    ],
)
def test_what_cannot_be_done_is_said(
    folder: Path, status: int, arguments: list[str], message: str
) -> None:
    assert message in fail(status, "lm", *arguments)


def test_an_empty_text_is_reported(folder: Path) -> None:
    (folder / "empty").write_text("\n\n")
    assert "every sentence is empty" in fail(1, "lm", "train", "empty", "--model", "m")
    succeed("lm", "train", "text", "--model", "m")
    found = succeed("lm", "perplexity", "m", "empty", "--json")
    assert json.loads(found.out)["perplexity"] is None
    assert "empty: no sentences in it" in found.err
