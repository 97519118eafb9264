"""`treewright skeleton`: found, shown, generalised and projected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .runner import fail, run, succeed

TEXT = "A young man in a red coat is walking his dogs along the river .\n\nYes .\n"
TREE = "(ROOT (S (NP (Nh 我)) (PP (P 在) (NP (Nc 家))) (VC 看) (NP (Na 书))) (PU 。))"


@pytest.fixture(autouse=True)
def text(inside: None) -> None:
    """Write a small text and skeletons by hand."""
    Path("text").write_text(TEXT)
    Path("skeletons").write_text("0 2 7 8 14\n\n0 1\n")


def test_skeletons_are_found_written_and_shown() -> None:
    found = succeed("skeleton", "text", "--rate", "0.5")
    assert found.lines == [
        "A young man [-in a red coat-] is walking his dogs [-along the river-] .",
        "",
        "Yes .",
    ]
    assert found.err == "10 of 17 tokens kept (58.8%)\n"
    succeed("skeleton", "text", "--rate", "0.5", "--format", "positions", "-o", "out")
    assert Path("out").read_text() == "0 1 2 7 8 9 10 14\n\n0 1\n"
    assert succeed("skeleton", "show", "text", "out").out == found.out


def test_several_skeletons() -> None:
    request = ["skeleton", "text", "--rate", "0.5", "--nbest", "2"]
    first, empty, short = map(json.loads, succeed(*request, "--format", "json").lines)
    assert first["kept"] == first["nbest"][0] == [0, 1, 2, 7, 8, 9, 10, 14]
    assert len(first["nbest"]) == 2
    assert empty == {"tokens": [], "kept": [], "nbest": [[]]}
    assert short["nbest"] == [[0, 1]]
    positions = succeed(*request, "--format", "positions").out
    assert positions.splitlines()[0].split(" | ")[0] == "0 1 2 7 8 9 10 14"
    Path("out").write_text(positions)
    shown = succeed("skeleton", "show", "text", "out").out
    assert shown == succeed(*request).out
    assert len(shown.split("\n\n")[0].splitlines()) == 2


def test_trees_may_come_from_a_file() -> None:
    Path("one").write_text("Now it rains .\n")
    Path("trees").write_text("(ROOT (S (ADVP (RB Now)) (NP (PRP it)) (VP (VBZ rains)) (. .)))\n")
    shown = succeed("skeleton", "one", "--parser", "file=trees", "--rate", "0.7").out
    assert shown == "[-Now-] it rains .\n"
    missing = run("skeleton", "text", "--parser", "file=trees")
    assert missing.status == 1
    assert missing.lines[0] == "A young man in a red coat is walking his dogs along the river ."


def test_targets_are_generalised() -> None:
    Path("s").write_text("der alte Mann schläft\nja\n")
    Path("t").write_text("the old man is asleep\nyes\n")
    Path("links").write_text("0-0 1-1 2-2 3-4\n0-0\n")
    Path("k").write_text("0 2 3\n\n")
    assert succeed("skeleton", "generalise", "s", "t", "links", "k").out == (
        "the X man is asleep\nX\n"
    )
    Path("k").write_text("0 2 4\n0\n")
    message = fail(1, "skeleton", "generalise", "s", "t", "links", "k")
    assert message.startswith("k:1: it keeps token 4, but the sentence has 4 tokens")


def test_skeletons_of_a_translation_are_projected() -> None:
    Path("trees").write_text(f"{TREE}\n\n")
    Path("en").write_text("I read books at home .\nyes\n")
    Path("links").write_text("0-0 1-3 2-4 3-1 4-2 5-5\n0-0\n")
    Path("k").write_text("0 1 2 5\n0\n")
    made = run("skeleton", "project", "trees", "en", "links", "k", "-o", "pairs.jsonl")
    assert made.status == 1
    assert "taken: 1" in made.err
    assert "trees:2: no tree" in made.err
    [pair] = [json.loads(line) for line in Path("pairs.jsonl").read_text().splitlines()]
    assert pair["source"] == TREE
    assert pair["targets"] == ["(ROOT (S (NP (Nh 我)) (VC 看) (NP (Na 书))) (PU 。))"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["text", "--format", "brackets"], "unknown format 'brackets'; choose one of: json"),
        (["text", "--rate", "1.5"], "rate must be above 0 and at most 1, found 1.5"),
        (["text", "-o", "text"], "text is also an input"),
        (["show", "-", "-"], "only one of the inputs can be -"),
    ],
)
def test_requests_that_cannot_be_met(arguments: list[str], message: str) -> None:
    assert message in fail(2, "skeleton", *arguments)


def test_a_file_of_another_text() -> None:
    Path("skeletons").write_text("0 2\n")
    message = fail(1, "skeleton", "show", "text", "skeletons")
    assert message.startswith("skeletons: it ends after 1 lines, the text after 3")
