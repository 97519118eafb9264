from __future__ import annotations

import json
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from .runner import fail, succeed

REFERENCE = "The cat sat on the mat .\nA dog ran over the green hill .\nWe saw three old boats .\n"
SECOND = "A cat was on the mat .\nA dog ran up the green hill .\nWe saw three boats .\n"
SYSTEM = "the cat sat on the mat .\na dog ran over a hill .\n\n"
OTHER = "The cat sat on the mat .\nA dog ran over a hill .\nWe saw three boats .\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"ref": REFERENCE, "ref2": SECOND, "hyp": SYSTEM, "other": OTHER}
    for name, text in texts.items():
        Path(name).write_text(text)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lowercase", [False, True])
def test_scores_are_those_of_sacrebleu(lowercase: bool) -> None:
    flags = ["--lowercase"] if lowercase else []
    arguments = ["evaluate", "translation", "hyp", "ref", "ref2", "--json", "--samples", 50]
    report = json.loads(succeed(*arguments, *flags).out)
    outputs, references = SYSTEM.splitlines(), [REFERENCE.splitlines(), SECOND.splitlines()]
    expected = {
        "bleu": BLEU(lowercase=lowercase, tokenize="none"),
        "chrf": CHRF(lowercase=lowercase),
        "ter": TER(case_sensitive=not lowercase),
    }
    for name, metric in expected.items():
        assert report[name] == pytest.approx(metric.corpus_score(outputs, references).score)
        assert report["signatures"][name] == str(metric.get_signature())
        low, high = report["intervals"][name]
        assert low <= high
    assert report["words"] == {"output": 14, "reference": 20}
    assert report["sentences"] == 3
    assert "|n:3|data:" in report["signature"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_two_systems(test: str) -> None:
    arguments = ["evaluate", "translation", "hyp", "ref", "--against", "other"]
    options = ["--samples", 60, "--test", test, "--seed", 2]
    report = json.loads(succeed(*arguments, *options, "--json").out)
    [other] = report["others"]
    assert (report["name"], other["name"]) == ("hyp", "other")
    for name in ("bleu", "chrf", "ter"):
        comparison = report["comparisons"][name]
        assert comparison["difference"] == pytest.approx(other[name] - report[name])
        assert 0 < comparison["p_value"] <= 1
    lines = succeed(*arguments, *options).lines
    assert "BLEU" in lines[1]
    assert lines[-3].startswith("BLEU of other minus that of hyp: +")
    assert lines[-1].startswith("TER of other minus that of hyp: -")
    assert lines[-1].endswith(f"({test}, 60 samples, seed 2)")


@pytest.mark.usefixtures("files")
def test_standard_input_and_other_tokens() -> None:
    arguments = ["evaluate", "translation", "-", "ref", "--tokenize", "char", "--json"]
    report = json.loads(succeed(*arguments, "--samples", 9, stdin=OTHER).out)
    expected = BLEU(tokenize="char").corpus_score(OTHER.splitlines(), [REFERENCE.splitlines()])
    assert report["bleu"] == pytest.approx(expected.score)


@pytest.mark.usefixtures("files")
def test_bad_input_is_named() -> None:
    def failing(*arguments: object, status: int = 1) -> str:
        return fail(status, "evaluate", "translation", *arguments)

    Path("short").write_text("one\ntwo\n")
    assert failing("short", "ref").startswith("short: it has 2 lines, but ref has 3; give one")
    assert failing("hyp", "ref", "short").startswith("short: it has 2 lines, but ref has 3")
    assert failing("hyp", "ref", "--against", "short").startswith("short: it has 2 lines")
    Path("empty").write_text("")
    assert failing("empty", "ref").startswith("empty: it is empty; one line")
    assert failing("empty", "empty").startswith("empty: it is empty; one line")
    Path("latin").write_bytes(b"one\ntw\xe9\nthree\n")
    assert failing("latin", "ref").startswith("latin:2:3: byte 0xe9 is not UTF-8")
    assert failing("missing", "ref").startswith("missing: cannot read it: No such file")
    assert "only one of the inputs" in failing("-", "-", status=2)
    assert "is the same file" in failing("hyp", "ref", "--against", "hyp", status=2)
    assert "choose one of: 13a" in failing("hyp", "ref", "--tokenize", "x", status=2)
    assert "choose one of: boot" in failing("hyp", "ref", "--test", "x", status=2)
