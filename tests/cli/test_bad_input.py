"""The list of bad input that every command must live with; one bad item never loses the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .runner import fail, run, succeed, succeed_in_part

SOURCE = "(ROOT (S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ barks))))"
TARGET = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks))))"


def record(number: int, **fields: object) -> str:
    return json.dumps({"id": str(number), "source": SOURCE, "targets": [TARGET], **fields})


BAD_PAIRS: dict[str, tuple[bytes | str, str]] = {
    "not a subsequence": (
        record(2, targets=["(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"]),
        "is not a subsequence of the source: target word 1, 'the'",
    ),
    "words differ from the sentence": (
        record(2, source_text="An old dog barks"),
        "the tree's words differ from the sentence: word 1 of the tree is 'a'",
    ),
    "words differ from the tokens": (
        record(2, tokens=["a", "young", "dog", "barks"]),
        "word 2 of the tree is 'old', the sentence has 'young'",
    ),
    "10,000 words": (
        record(2, source="(S" + " (NN dog)" * 10_000 + ")"),
        "'source' has 10000 words, the limit is 1000",
    ),
    "5,000 deep": (
        record(2, source="(X " * 5000 + "dog" + ")" * 5000),
        "nesting deeper than the limit of 250",
    ),
    "unbalanced": (record(2, source=SOURCE[:-1]), "the text ends inside (ROOT, 1 bracket"),
    "a NUL byte": (record(2).replace("dog", "d\x00g"), "a NUL byte; the file is not text"),
    "an escaped NUL byte": (record(2, source="(NN d\x00g)"), "U+0000, which is not text"),
    "another encoding": (record(2).replace("dog", "cão").encode("latin-1"), "byte 0xe3 is not"),
    "not JSON": ("{nonsense}", "not JSON"),
    "no such field": ('{"id": "2", "source": "(NN x)"}', "no field 'targets'"),
    "a wrong alignment": (record(2, alignments=["0-0 9-1"]), "leads to source word 9"),
}

BAD_TREES: dict[str, tuple[bytes | str, str]] = {
    "10,000 words": (
        "(ROOT" + " (NN dog)" * 10_000 + ")",
        "t:2: the tree has 10000 words, the limit is 1000",
    ),
    "5,000 deep": ("(X " * 5000 + "dog" + ")" * 5000, "t:2:751: nesting deeper than the limit"),
    "never closed": (SOURCE[:-2], "t:2:7: the next tree begins inside (S, 2 brackets"),
    "closed too often": (SOURCE + "))", "t:2:58: ')' without a matching '('"),
    "an empty node": ("(ROOT (S (NP) (VP x)))", "t:2:13: (NP) is empty"),
    "a word beside a bracket": ("(ROOT dog (NN cat))", "t:2:11: '(NN cat)' stands beside"),
    "no bracket": ("a dog", "t:2:1: expected '(' at the start of a tree, found 'a'"),
    "a NUL byte": ("(ROOT (NN d\x00g))", "t:2:12: a NUL byte"),
    "another encoding": ("(ROOT (NN cão))".encode("latin-1"), "t:2:12: byte 0xe3 is not UTF-8"),
}


def write(name: str, *lines: str | bytes) -> None:
    raw = [line if isinstance(line, bytes) else line.encode() for line in lines]
    Path(name).write_bytes(b"".join(line + b"\n" for line in raw))


@pytest.mark.parametrize("name", BAD_PAIRS)
def test_a_bad_pair_never_loses_the_rest(name: str) -> None:
    bad, message = BAD_PAIRS[name]
    write("good.jsonl", record(1), record(3))
    write("p.jsonl", record(1), bad, record(3))
    checked = run("corpus", "check", "p.jsonl")
    assert checked.status == 1
    assert checked.out.count("\n") == 1
    assert checked.out.startswith("p.jsonl:2")
    assert message in checked.out
    gibbs = ["train", "gibbs", "--iterations", "5"]
    for command in (["train", "em"], ["train", "vb"], gibbs, ["extract"]):
        for path in ("good", "p"):
            arguments = [*command, f"{path}.jsonl", "--model", f"{path}.tw"]
            found = succeed(*arguments)
        assert message in found.err
        assert "1 pair skipped (--strict stops at the first)" in found.err
        good, all_but_one = (succeed("grammar", "show", f"{path}.tw").out for path in ("good", "p"))
        assert good == all_but_one
        assert message in fail(1, *arguments, "--strict")


@pytest.mark.parametrize("name", BAD_TREES)
def test_a_bad_tree_never_loses_the_rest(name: str, model: Path) -> None:
    bad, message = BAD_TREES[name]
    write("good", TARGET, SOURCE)
    write("t", TARGET, bad, SOURCE)
    for budget in ([], ["--rate", "0.9"], ["--corpus-rate", "0.9"]):
        good = succeed("transduce", model, "good", *budget).lines
        found = succeed_in_part("transduce", model, "t", *budget)
        assert found.lines == [good[0], "", good[1]]
        assert message in found.err
        assert "1 tree skipped (--strict stops at the first)" in found.err
    assert message in run("transduce", model, "t", "--strict").err
    lines = succeed_in_part("relations", "t").lines
    assert [bool(json.loads(line)["relations"]) for line in lines] == [True, False, True]
    assert "error" in json.loads(lines[1])


def test_an_empty_file_of_pairs_is_an_error() -> None:
    write("empty.jsonl")
    assert run("corpus", "check", "empty.jsonl").status == 1
    for name in ("em", "vb", "gibbs"):
        found = run("train", name, "empty.jsonl", "--model", "m.tw")
        assert found.status == 1
        assert "empty.jsonl: no pairs in it; expected one JSON object per line" in found.err
        assert found.err.endswith("training needs at least one aligned pair\n")
    assert not Path("m.tw").exists()
    assert "no pairs in it" in succeed("corpus", "stats", "empty.jsonl").err
    assert succeed("relations", "empty.jsonl").err == "empty.jsonl: no trees in it\n"


def test_pairs_that_are_all_bad_are_an_error() -> None:
    write("p.jsonl", "{", "[]")
    found = run("train", "em", "p.jsonl", "--model", "m.tw")
    assert found.status == 1
    assert found.err.count("skipped: p.jsonl:") == 2
    assert found.err.splitlines()[-1].startswith("treewright: there is nothing to learn from")


def test_one_side_shorter_than_the_other() -> None:
    write("s", SOURCE, SOURCE, SOURCE)
    write("t", TARGET, TARGET)
    found = succeed("corpus", "convert", "s", "t", "-o", "p.jsonl")
    assert found.out == ""
    assert "skipped: t:2: it ends before the others: s has 3, t has 2" in found.err
    assert "p.jsonl: 2 pairs" in found.err
    assert succeed("corpus", "check", "p.jsonl").err == "2 records, 2 pairs, 0 problems\n"
    assert "it ends before the others" in run("corpus", "convert", "s", "t", "--strict").err


def test_converting_keeps_good_pairs_and_alignments() -> None:
    write("s", SOURCE, SOURCE[:-1], SOURCE)
    write("t", TARGET, TARGET, TARGET)
    write("a", "0-0 2-1 3-2", "0-0", "0-0 7-1")
    found = succeed("corpus", "convert", "s", "t", "--alignment", "a")
    assert [json.loads(line)["id"] for line in found.lines] == ["1"]
    assert json.loads(found.out)["alignments"] == ["0-0 2-1 3-2"]
    assert "skipped: s:2:1: the text ends inside" in found.err
    assert "skipped: a:3: link 7-1 leads to source word 7" in found.err
    assert found.err.endswith("stdout: 1 pairs\n2 pairs skipped (--strict stops at the first)\n")
    piped = succeed("corpus", "convert", "-", "t", stdin=Path("s").read_bytes())
    assert [json.loads(line)["id"] for line in piped.lines] == ["1", "3"]


@pytest.mark.parametrize("command", [["transduce", "t"], ["grammar", "show"], ["grammar", "stats"]])
def test_a_damaged_model_is_one_line(command: list[str], model: Path) -> None:
    write("t", SOURCE)
    whole = model.read_bytes()
    middle = len(whole) // 2
    tampered = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for content in (b"", whole[:middle], tampered, b"(S x)"):
        Path("m.tw").write_bytes(content)
        trees = ["t"] if command[0] == "transduce" else []
        name = command[:1] if trees else command
        message = fail(1, *name, "m.tw", *trees)
        assert message.startswith("m.tw: ")
        assert "copy or train it again" in message or "damaged or edited" in message


def test_many_problems_are_counted_not_all_shown() -> None:
    write("t", *["nonsense", "(ROOT (NN x))"] * 50)
    found = succeed_in_part("relations", "t")
    assert len(found.lines) == 100
    assert found.err.count("skipped: ") == 20
    assert found.err.endswith("50 trees skipped (--strict stops at the first)\n")
