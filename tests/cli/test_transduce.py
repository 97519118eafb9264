from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from treewright.corpora import count_words, read_pairs
from treewright.trees import Tree, parse_tree

from ..compression.toys import LONG, SHORT, STRANGE, allowed
from .runner import fail, run, succeed, succeed_in_part


def trees_of(lines: list[str]) -> list[Tree | None]:
    return [parse_tree(line) if line else None for line in lines]


def sources(pairs: Path) -> list[Tree]:
    return [pair.source for pair in read_pairs(pairs)]


def words(lines: list[str]) -> list[int]:
    return [count_words(parse_tree(line)) for line in lines]


@pytest.fixture
def brackets(pairs: Path) -> Path:
    path = Path("sources.trees")
    path.write_text("".join(f"{tree}\n" for tree in sources(pairs)))
    return path


def test_one_tree_a_line_in_input_order(model: Path, pairs: Path, brackets: Path) -> None:
    found = succeed("transduce", model, brackets)
    outputs = trees_of(found.lines)
    for output, source in zip(outputs, sources(pairs), strict=True):
        assert output is not None
        rest = iter(source.words())
        assert all(word in rest for word in output.words())
    assert succeed("transduce", model, pairs).out == found.out
    assert succeed("transduce", model, "-", stdin=brackets.read_bytes()).out == found.out
    assert succeed("transduce", "-", brackets, stdin=model.read_bytes()).out == found.out


def test_words_and_json(model: Path, brackets: Path) -> None:
    trees = trees_of(succeed("transduce", model, brackets).lines)
    text = succeed("transduce", model, brackets, "--format", "text").lines
    assert text == [" ".join(tree.words()) for tree in trees if tree]
    objects = [json.loads(line) for line in succeed("transduce", model, brackets, "--json").lines]
    assert [found["tree"] for found in objects] == [str(tree) for tree in trees]
    for found, source in zip(objects, brackets.read_text().splitlines(), strict=True):
        assert found["words"] == [parse_tree(source).words()[place] for place in found["kept"]]
        assert found["met"] is True
        assert found["score"] < 0
        assert found["rules"][0].startswith("ROOT/ROOT -> (ROOT")
    again = succeed("transduce", model, brackets, "--format", "json").lines
    assert [json.loads(line) for line in again] == objects


def test_a_rate_caps_each_sentence(model: Path, pairs: Path) -> None:
    found = succeed("transduce", model, pairs, "--rate", "0.7")
    for count, source in zip(words(found.lines), sources(pairs), strict=True):
        assert count <= allowed(0.7, count_words(source))


def test_a_corpus_rate_is_shared(model: Path, pairs: Path) -> None:
    found = succeed("transduce", model, pairs, "--corpus-rate", "0.63")
    assert sum(words(found.lines)) == allowed(0.63, sum(map(count_words, sources(pairs))))


def test_a_number_of_words(model: Path, pairs: Path) -> None:
    found = succeed("transduce", model, pairs, "--max-words", "12")
    assert max(words(found.lines)) <= 12


def test_a_limit_that_cannot_be_met_is_said(closed_model: Path, tmp_path: Path) -> None:
    trees = tmp_path / "bare.trees"
    trees.write_text(f"{SHORT}\n" * 2, encoding="utf-8")
    found = succeed("transduce", closed_model, trees, "--max-words", "1")
    assert len(found.lines) == 2
    assert "2 of 2 outputs exceed the limit: nothing shorter can be derived" in found.err
    found = succeed("transduce", closed_model, trees, "--corpus-rate", "0.5")
    assert "the outputs together exceed the limit" in found.err
    found = succeed("transduce", closed_model, trees, "--max-words", "1", "--json")
    assert all(json.loads(line)["met"] is False for line in found.lines)


@pytest.mark.parametrize("rate", ["0.1", "0.3", "0.5", "0.8"])
def test_a_rate_is_never_exceeded(model: Path, pairs: Path, rate: str) -> None:
    found = succeed("transduce", model, pairs, "--rate", rate, "--format", "text")
    for line, pair in zip(found.lines, read_pairs(pairs), strict=True):
        assert count_words(line.split()) <= allowed(float(rate), count_words(pair.source))
    assert "exceed" not in found.err


@pytest.mark.parametrize("budget", [[], ["--rate", "0.8"], ["--max-words", "9"]])
def test_nbest_is_blocks_of_lines(model: Path, pairs: Path, budget: list[str]) -> None:
    best = succeed("transduce", model, pairs, *budget).lines
    blocks = succeed("transduce", model, pairs, "--nbest", "3", *budget).out.split("\n\n")
    assert blocks.pop() == ""
    assert len(blocks) == len(best)
    for block, first in zip(blocks, best, strict=True):
        lines = block.split("\n")
        assert 1 <= len(lines) <= 3
        assert len(set(lines)) == len(lines)
        assert lines[0] == first
    found = succeed("transduce", model, pairs, "--nbest", "3", "--json", *budget).lines
    lists = [[target["tree"] for target in json.loads(line)["nbest"]] for line in found]
    assert lists == [block.split("\n") for block in blocks]


def test_nbest_does_not_go_with_a_corpus_rate(model: Path, pairs: Path) -> None:
    message = fail(2, "transduce", model, pairs, "--nbest", "2", "--corpus-rate", "0.5")
    assert message == "nbest goes with a limit on each sentence, not a shared one"


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (["--rate", "0"], "rate must be above 0 and at most 1, found 0.0"),
        (["--corpus-rate", "63"], "rate must be above 0 and at most 1, found 63.0"),
        (["--max-words", "0"], "max_words must be a whole number of at least 1, found 0"),
        (["--rate", "0.5", "--max-words", "3"], "rate and max_words contradict each other"),
        (["--corpus-rate", "0.5", "--max-words", "3"], "--corpus-rate contradicts --rate and"),
    ],
)
def test_limits_mean_and_refuse_the_same_as_in_compress(
    model: Path, pairs: Path, limits: list[str], message: str
) -> None:
    assert message in fail(2, "transduce", model, pairs, *limits)


def test_copy_rules_step_in_and_are_mentioned(model: Path) -> None:
    strange = "(ROOT (XX (YY frobnicate) (ZZ (YY quux))))\n"
    found = succeed("transduce", model, "-", stdin=strange)
    assert found.out == strange
    assert found.err == "1 of 1 trees needed copy or deletion rules the grammar lacks\n"


@pytest.mark.parametrize("budget", [[], ["--rate", "0.8"], ["--corpus-rate", "0.8"]])
def test_where_nothing_can_be_made_there_is_an_empty_line(
    closed_model: Path, budget: list[str]
) -> None:
    content = f"{SHORT}\n{STRANGE}\n{LONG}\n"
    found = succeed_in_part("transduce", closed_model, "-", *budget, stdin=content)
    assert [bool(line) for line in found.lines] == [True, False, True]
    assert "skipped: tree 2: the grammar derives no target tree" in found.err
    assert "1 tree skipped (--strict stops at the first)" in found.err
    again = succeed_in_part("transduce", closed_model, "-", *budget, "--json", stdin=content)
    assert json.loads(again.lines[1])["tree"] is None
    strict = run("transduce", closed_model, "-", *budget, "--strict", stdin=content)
    assert strict.status == 1


def test_an_empty_file_is_said(model: Path) -> None:
    found = succeed("transduce", model, "-", stdin="\n")
    assert (found.out, found.err) == ("", "-: no trees in it\n")
    Path("empty.jsonl").write_text("")
    assert succeed("transduce", model, "empty.jsonl").err == "empty.jsonl: no trees in it\n"


def test_stdin_may_have_a_byte_order_mark(model: Path) -> None:
    tree = "(ROOT (S (NP (NN x)) (VP (VBZ y))))"
    found = succeed("transduce", model, "-", stdin=b"\xef\xbb\xbf" + tree.encode())
    assert io.StringIO(found.out).readline() == tree + "\n"
