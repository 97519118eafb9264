from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import treewright.parsing
from treewright.errors import DataError
from treewright.parsing.scoring.timing import Speed, parse_timed
from treewright.trees import Tree, parse_tree

from .runner import fail, succeed

RAW = """\
( (S (NP-SBJ-1 (PRP She)) (VP (VBD ate) (NP (NP (NNS chips)) (PP (IN with) (NP (NN salt)))))
    (. .) ))
( (S (NP (-NONE- *))) )
( (FRAG (NP (NN End)) (NP (-NONE- *T*-1))) )
"""
FLAT = (
    "(ROOT (S (NP (PRP She)) (VP (VBD ate) (NP (NNS chips)) (PP (IN with) (NP (NN salt)))) (. .)))"
)
GUESSED = f"{FLAT}\n(ROOT (FRAG (NP (NN End))))\n"


class Flat:
    """Puts every sentence under S, nouns throughout; refuses the word `bad`."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.calls.append(len(sentences))
        if any("bad" in words for words in sentences):
            raise DataError("too bad to parse")
        leaves = [[Tree("NN", word=word) for word in words] for words in sentences]
        return [Tree("ROOT", [Tree("S", nodes)]) for nodes in leaves]


@pytest.fixture
def gold() -> Path:
    path = Path("gold.mrg")
    path.write_text(RAW)
    Path("guessed.trees").write_text(GUESSED)
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """Put a toy in the place of every parser; return what was asked for."""
    asked: list[tuple[str, str | None]] = []

    def open_parser(spec: str, *, treebank: str | None = None) -> Flat:
        asked.append((spec, treebank))
        return Flat()

    monkeypatch.setattr(treewright.parsing, "open_parser", open_parser)
    return asked


def test_trees_that_are_already_parsed(gold: Path) -> None:
    found = succeed("parser", "evaluate", gold, "--guessed", "guessed.trees", "--json")
    report = json.loads(found.out)
    assert (report["matched"], report["system"], report["reference"]) == (8, 8, 9)
    assert report["sentences"] == report["up_to_40"]["sentences"] == 2
    assert report["exact"] == 0.5
    assert report["tag_accuracy"] == report["token_tag_accuracy"] == 1.0
    assert "speed" not in report
    assert "labels" not in report
    assert "|brackets:evalb|" in report["signature"]


def test_the_table_shows_what_matters(gold: Path) -> None:
    found = succeed("parser", "evaluate", gold, "--guessed", "guessed.trees", "--errors").out
    for heading in ("F1", "Exact", "No cross", "Tags", "up to 40 tokens", "Label", "Missing"):
        assert heading in found
    assert "94.12" in found
    assert "sentences/s" not in found


def test_mistakes_by_kind_and_label(gold: Path) -> None:
    arguments = ["parser", "evaluate", gold, "--guessed", "guessed.trees"]
    report = json.loads(succeed(*arguments, "--errors", "--json").out)
    assert report["errors"]["PP attachment"] == {"missing": 1, "extra": 0}
    assert report["labels"]["NP"]["recall"] == 4 / 5


def test_a_parser_gets_the_words(gold: Path, asked: list[tuple[str, str | None]]) -> None:
    arguments = ["parser", "evaluate", gold]
    report = json.loads(succeed(*arguments, "--json").out)
    assert (report["matched"], report["system"], report["reference"]) == (1, 2, 9)
    assert (report["tag_accuracy"], report["token_tag_accuracy"]) == (2 / 6, 2 / 7)
    assert report["speed"]["tokens"] == 7
    options = ["--parser", "embedded=m.tw", "--treebank", "wsj"]
    assert "sentences/s, " in succeed(*arguments, *options).lines[-1]
    assert asked == [("embedded", None), ("embedded=m.tw", "wsj")]


def test_the_first_sentences_only(gold: Path, asked: list[tuple[str, str | None]]) -> None:
    arguments = ["parser", "evaluate", gold, "--limit", 1, "--json"]
    for options in ([], ["--guessed", "guessed.trees"]):
        assert json.loads(succeed(*arguments, *options).out)["sentences"] == 1
    assert len(asked) == 1


def test_bad_sentences_are_skipped_and_counted(asked: list[tuple[str, str | None]]) -> None:
    Path("g.mrg").write_text("(S (NN bad))\n(S (NN x)))\n(S (NN good))\n")
    found = succeed("parser", "evaluate", "g.mrg", "--json")
    report = json.loads(found.out)
    assert (report["sentences"], report["unparsed"], report["recall"]) == (2, 1, 0.5)
    assert "skipped: too bad to parse" in found.err
    assert "2 trees skipped" in found.err
    assert "Unparsed" in succeed("parser", "evaluate", "g.mrg").out
    assert "g.mrg:2:" in fail(1, "parser", "evaluate", "g.mrg", "--strict")


def test_broken_guesses_keep_their_places(gold: Path) -> None:
    Path("s.trees").write_text(f"(ROOT (S (NP x)\n{GUESSED.splitlines()[1]}\n")
    found = succeed("parser", "evaluate", gold, "--guessed", "s.trees", "--json")
    report = json.loads(found.out)
    assert (report["matched"], report["unparsed"]) == (2, 1)
    assert "skipped: s.trees:1:" in found.err


def test_what_does_not_fit_is_an_error(gold: Path) -> None:
    arguments = ["parser", "evaluate", gold, "--guessed", "s.trees"]
    Path("s.trees").write_text(f"{FLAT}\n")
    assert "1 guessed trees for 2 gold ones" in fail(1, *arguments)
    Path("s.trees").write_text(f"{FLAT}\n(ROOT (NN Begin))\n")
    assert fail(1, *arguments) == "tree 2: word 1 is 'Begin', in the gold tree 'End'"
    Path("empty").write_text("")
    assert fail(1, "parser", "evaluate", "empty") == "empty: no trees to score against"
    assert "leave --parser and --treebank out" in fail(2, *arguments, "--parser", "embedded")
    assert "only one of the inputs" in fail(2, "parser", "evaluate", "-", "--guessed", "-")
    assert "unknown parser 'x'" in fail(2, "parser", "evaluate", gold, "--parser", "x")


def test_either_file_may_be_stdin(gold: Path) -> None:
    expected = succeed("parser", "evaluate", gold, "--guessed", "guessed.trees", "--json").out
    for arguments, stdin in (
        (("-", "--guessed", "guessed.trees"), RAW),
        ((gold, "--guessed", "-"), GUESSED),
    ):
        assert succeed("parser", "evaluate", *arguments, "--json", stdin=stdin).out == expected


def test_batches_after_a_warm_up() -> None:
    parser = Flat()
    trees, speed = parse_timed(parser, [["a"], ["b", "c"], ["d"]], batch=2, warm_up=1)
    assert parser.calls == [1, 2, 1]
    assert trees[1] == parse_tree("(ROOT (S (NN b) (NN c)))")
    assert (speed.sentences, speed.tokens) == (3, 4)
    assert Speed(3, 4, 2.0).as_dict()["tokens_per_second"] == 2.0
    assert Speed(0, 0, 0.0).sentences_per_second == 0.0


def test_trees_of_a_file_are_not_used_up_by_the_warm_up() -> None:
    trees = "(S (NP (NN a)) (VP (VB b)))\n(S (X (NN a) (VB b)))\n(S (NP (NN a)) (VP (VB b)))\n"
    Path("same.mrg").write_text(trees)
    found = succeed("parser", "evaluate", "same.mrg", "--parser", "file=same.mrg", "--json")
    assert json.loads(found.out)["f1"] == 1
