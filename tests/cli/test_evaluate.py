from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.corpora import read_pairs

from .runner import fail, run, succeed


@pytest.fixture
def gold(pairs: Path) -> Path:
    """Return the references as a perfect system's output."""
    path = Path("gold.trees")
    path.write_text("".join(f"{pair.target}\n" for pair in read_pairs(pairs)))
    return path


@pytest.fixture
def copies(pairs: Path) -> Path:
    path = Path("copies.trees")
    path.write_text("".join(f"{pair.source}\n" for pair in read_pairs(pairs)))
    return path


def test_a_perfect_system(gold: Path, pairs: Path) -> None:
    report = json.loads(succeed("evaluate", gold, pairs, "--json").out)
    assert report["relations"]["f1"] == report["exact_match"] == 1.0
    assert report["rate"] == report["gold_rate"]
    assert "|target:0|" in report["signature"]
    table = succeed("evaluate", gold, pairs).out
    assert "RelF1" in table
    assert "Word rate" in table
    assert "reference" in table


def test_either_file_may_be_stdin(gold: Path, pairs: Path) -> None:
    report = json.loads(succeed("evaluate", gold, pairs, "--json").out)
    for arguments, stdin in ((("-", pairs), gold), ((gold, "-"), pairs)):
        found = succeed("evaluate", *arguments, "--json", stdin=stdin.read_bytes()).out
        assert json.loads(found)["relations"] == report["relations"]


def test_baselines_stand_beside(gold: Path, pairs: Path) -> None:
    report = json.loads(succeed("evaluate", gold, pairs, "--baselines", "--json").out)
    assert [other["name"] for other in report["others"]] == ["copy all", "first words", "ceiling"]
    assert report["others"][0]["rate"]["words"] == 1.0


def test_systems_are_compared(gold: Path, copies: Path, pairs: Path) -> None:
    arguments = ["evaluate", copies, pairs, "--against", gold, "--samples", "200"]
    for test in ("bootstrap", "randomisation"):
        report = json.loads(succeed(*arguments, "--test", test, "--json").out)
        assert report["comparison"]["p_value"] < 0.05
        assert report["comparison"]["difference"] > 0.1
        last = succeed(*arguments, "--test", test).lines[-1]
        assert last.startswith("RelF1 of gold.trees minus that of copies.trees: +")
        assert "200 samples, seed 0)" in last


def test_each_sentence_on_request(gold: Path, pairs: Path) -> None:
    lines = succeed("evaluate", gold, pairs, "--per-sentence", "--json").lines
    rows = [json.loads(line) for line in lines[:-1]]
    assert [row["id"] for row in rows] == [pair.id for pair in read_pairs(pairs)]
    assert all(row["relation_f1"] == 1.0 for row in rows)


def test_empty_and_broken_lines_are_missing_outputs(gold: Path, pairs: Path) -> None:
    lines = gold.read_text().splitlines()
    lines[1], lines[4] = "", lines[4][:-1]
    Path("s.trees").write_text("\n".join(lines) + "\n")
    found = succeed("evaluate", "s.trees", pairs, "--json")
    assert json.loads(found.out)["missing"] == 2
    assert "skipped: s.trees:5:1: the text ends inside" in found.err
    assert fail(1, "evaluate", "s.trees", pairs, "--strict").startswith("s.trees:5:1")
    assert "Missing" in succeed("evaluate", "s.trees", pairs).out


def test_a_bad_pair_takes_its_output_along(gold: Path, pairs: Path) -> None:
    lines = pairs.read_text().splitlines()
    lines[2] = "{"
    Path("p.jsonl").write_text("\n".join(lines) + "\n")
    found = succeed("evaluate", gold, "p.jsonl", "--json")
    report = json.loads(found.out)
    assert (report["sentences"], report["relations"]["f1"]) == (11, 1.0)
    assert "skipped: p.jsonl:3:2: not JSON" in found.err
    assert "p.jsonl:3:2: not JSON" in fail(1, "evaluate", gold, "p.jsonl", "--strict")


def test_a_side_that_is_too_short_is_an_error_with_both_counts(gold: Path, pairs: Path) -> None:
    lines = gold.read_text().splitlines()
    for count in (11, 13):
        Path("s.trees").write_text("\n".join((lines * 2)[:count]) + "\n")
        message = fail(1, "evaluate", "s.trees", pairs)
        assert message.startswith(f"s.trees: {count} outputs for 12 pairs; give one line for each")


def test_empty_files(gold: Path, pairs: Path) -> None:
    Path("empty").write_text("")
    assert "0 outputs for 12 pairs" in fail(1, "evaluate", "empty", pairs)
    found = run("evaluate", gold, "empty")
    assert found.status == 1
    assert "12 outputs for 0 pairs" in found.err
    assert "no pairs to evaluate against" in fail(1, "evaluate", "empty", "empty")


def test_a_name_with_markup_is_just_a_name(gold: Path, pairs: Path) -> None:
    path = Path("[red]s:smile:.trees")
    path.write_bytes(gold.read_bytes())
    assert "[red]s:smile:.trees" in succeed("evaluate", path, pairs).out
