"""`treewright rules`: rules extracted and shown, constituents that rules can use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .runner import fail, succeed

TREES = "(S (NP (D das) (N Haus)) (VP (V ist) (A klein)))\n(NP (D das) (N Buch))\n"
TEXT = "the house is small\nthe book\n"
TARGET_TREES = "(S (NP (DT the) (NN house)) (VP (VB is) (JJ small)))\n(NP (DT the) (NN book))\n"
LINKS = "0-0 1-1 2-2 3-3\n0-0 1-1\n"
EXTRACT = ("rules", "extract", "trees", "text", "links")


@pytest.fixture(autouse=True)
def files(inside: None) -> None:
    """Write two aligned pairs."""
    Path("trees").write_text(TREES)
    Path("text").write_text(TEXT)
    Path("target").write_text(TARGET_TREES)
    Path("links").write_text(LINKS)


def test_rules_are_extracted_and_shown() -> None:
    made = succeed(*EXTRACT, "--parts", "1", "--model", "out")
    assert made.err == "out: 8 rules\n"
    shown = succeed("rules", "show", "out", "--root", "NP").lines
    assert [line.split("\t")[:2] for line in shown] == [
        ["2", 'NP/"" -> (NP D[1] N[2]) / "[1] [2]" @']
    ]
    [line] = succeed("rules", "show", "out", "--word", "Buch", "--json").lines
    found = json.loads(line)
    assert found["rule"] == 'N/"" -> (N Buch) / "book" @ 0-0'
    assert found["features"]["p(r|root)"] == pytest.approx(-0.6931, abs=1e-3)
    assert found["features"]["word"] == 1


def test_trees_become_trees() -> None:
    succeed(*EXTRACT[:3], "target", "links", "--kind", "trees", "--parts", "1", "--model", "out")
    shown = succeed("rules", "show", "out", "--root", "S").lines
    assert shown[0].split("\t")[1] == "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2]) @"


def test_a_line_that_is_wrong_costs_its_pair() -> None:
    Path("trees").write_text("\n" + TREES.splitlines()[1] + "\n")
    made = succeed(*EXTRACT, "--model", "out")
    assert made.err.splitlines() == [
        "skipped: trees:1: no tree; the sentence was not parsed",
        "out: 6 rules",
        "1 pair skipped (--strict stops at the first)",
    ]
    Path("trees").write_text(TREES)
    Path("links").write_text("0-0 1-1\n0-0 5-1\n")
    assert "links:2: link 5-1 leads to source word 5" in fail(
        1, *EXTRACT, "--strict", "--model", "o"
    )


def test_files_that_do_not_belong_together_are_named() -> None:
    Path("links").write_text("0-0\n")
    message = fail(1, *EXTRACT, "--model", "out")
    assert message == (
        "links: it ends after 1 lines, but trees goes on; each line must have its partner"
    )
    assert "choose one of: strings, trees" in fail(2, *EXTRACT, "--kind", "x", "--model", "out")


def test_the_wrong_file_is_refused() -> None:
    succeed("phrases", "extract", "text", "text", "links", "--model", "table")
    message = fail(1, "rules", "show", "table")
    assert message == "table: this is a phrase table; a set of rules that translate trees is needed"


def test_what_is_not_there_is_said() -> None:
    succeed(*EXTRACT, "--model", "out")
    assert fail(1, "rules", "show", "out", "--word", "Auto") == "out: no such rules"
    assert "no rules with root 'X'" in fail(2, "rules", "show", "out", "--root", "X")


def test_usable_constituents_are_counted() -> None:
    # Only sure links count. In one direction, two words of different constituents share a link.
    Path("links").write_text("0-0 1-1 2-1 3-3 0p3\n0-0 1-1\n")
    Path("more").write_text(TREES.replace("(NP (D das) (N Buch))", "(S (NP (D das) (N Buch)))"))
    assert succeed("rules", "usable", "more", "links").out == "33.3% (1 of 3)\n"
    found = json.loads(succeed("rules", "usable", "more", "links", "--reverse", "--json").out)
    assert found == {"usable": 3, "constituents": 3, "share": 1.0}
    Path("links").write_text("0-0 7-1\n0-0 1-1\n")
    assert succeed("rules", "usable", "more", "links").out == "100.0% (1 of 1)\n"
