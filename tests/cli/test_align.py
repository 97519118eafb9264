"""`treewright align`: links of parallel text, their scores, and what bad input says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..alignment.statistical.toys import toy_pairs
from .runner import fail, run, succeed, succeed_in_part


@pytest.fixture(autouse=True)
def texts(inside: None) -> None:
    """Write toy text into the current folder."""
    for name, sentences in zip(("src", "tgt"), toy_pairs(40), strict=True):
        Path(name).write_text("".join(f"{' '.join(words)}\n" for words in sentences))


def gold() -> str:
    """Return the right links of the toy text, which is translated word by word."""
    from ..alignment.statistical.toys import LEXICON

    lines = []
    for source, target in zip(*toy_pairs(40), strict=True):
        words = [LEXICON[word] for word in source]
        lines.append(
            " ".join(
                f"{i}{'-' if words.count(word) == 1 else 'p'}{j}"
                for i, word in enumerate(words)
                for j, other in enumerate(target)
                if word == other
            )
        )
    return "".join(f"{line}\n" for line in lines)


def test_links_of_files_are_printed_and_scored() -> None:
    succeed("align", "src", "tgt", "-o", "out")
    assert succeed("align", "src", "tgt").out == Path("out").read_text()
    Path("gold").write_text(gold())
    scores = json.loads(succeed("align", "score", "out", "gold", "--json").out)
    assert scores["pairs"] == 40
    assert scores["aer"] < 0.1
    assert scores["f1"] > 0.9
    assert {"precision", "recall"} <= scores.keys()
    table = succeed("align", "score", "out", "gold", "--text", "src", "tgt").out
    assert f"{100 * scores['aer']:.1f}" in table


def test_more_text_is_learned_from_but_not_printed() -> None:
    Path("few.src").write_text("haus alt\n")
    Path("few.tgt").write_text("house old\n")
    found = succeed("align", "few.src", "few.tgt", "--also", "src", "tgt", "--seed", 1)
    assert found.out == "0-0 1-1\n"


def test_jobs_do_not_change_the_output() -> None:
    alone = succeed("align", "src", "tgt", "--symmetrize", "union").out
    assert succeed("align", "src", "tgt", "--symmetrize", "union", "--jobs", 2).out == alone


def test_bad_pairs_keep_their_places() -> None:
    long = " ".join(["haus"] * 501)
    Path("bad.src").write_bytes(b"haus alt\n\nbuch\n\xff\n" + long.encode() + b"\nbaum\n")
    Path("bad.tgt").write_text("house old\nman\nbook\nman\nman\ntree\n")
    result = succeed_in_part("align", "bad.src", "bad.tgt", "--also", "src", "tgt")
    assert [bool(line) for line in result.lines] == [True, False, True, False, False, True]
    assert "bad.src:2: an empty line, whose partner bad.tgt:2 has words" in result.err
    assert "bad.src:4:1: byte 0xff is not UTF-8" in result.err
    assert "bad.src:5: " in result.err
    assert "3 pairs skipped" in result.err
    assert "bad.src:2: " in fail(1, "align", "bad.src", "bad.tgt", "--strict")


def test_files_of_different_length_are_an_error() -> None:
    Path("short").write_text("house\n")
    message = fail(1, "align", "src", "short")
    assert (
        message == "short: it ends after 1 lines, but src goes on; each line must have its partner"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["src", "tgt", "--method", "best"], "unknown method 'best'; choose one of: "),
        (["src", "tgt", "--symmetrize", "grow"], "unknown symmetrization 'grow'; choose one of: "),
        (["src", "tgt", "--threshold", "1"], "threshold must be at least 0 and below 1"),
        (["src", "tgt", "--also", "src"], "--also src lacks its translations"),
        (["-", "-"], "only one of the inputs can be -"),
        (["src", "tgt", "-o", "src"], "src is also an input"),
    ],
)
def test_requests_that_cannot_be_met(arguments: list[str], message: str) -> None:
    assert message in fail(2, "align", *arguments)


def test_scores_of_bad_files_are_errors() -> None:
    Path("hyp").write_text("0-0\n0-9\n")
    Path("gold").write_text("0-0\n0-0 1x1\n")
    assert "gold:2: '1x1' is not a link" in fail(1, "align", "score", "hyp", "gold")
    Path("gold").write_text("0-0\n")
    assert "gold: it ends after 1 lines" in fail(1, "align", "score", "hyp", "gold")
    Path("gold").write_text("0-0\n0-0\n")
    for name in ("two.src", "two.tgt"):
        Path(name).write_text("a b\na b\n")
    message = fail(1, "align", "score", "hyp", "gold", "--text", "two.src", "two.tgt")
    assert message.startswith("hyp:2: link 0-9 leads to target word 9")


def test_an_empty_text_has_no_links() -> None:
    Path("empty").write_text("")
    assert run("align", "empty", "empty").out == ""
