"""The deletion model through every command that takes a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.corpora import count_words, read_pairs
from treewright.data import sample_path
from treewright.learning import Deletion
from treewright.pruning.deletion import DeletionModel
from treewright.trees import parse_tree

from ..compression.toys import allowed, sample_pairs
from .runner import fail, run, succeed

TRAIN = sample_path("train")


@pytest.fixture(scope="module")
def deleting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a deletion model of the sample corpus."""
    path = tmp_path_factory.mktemp("model") / "deletion.tw"
    Deletion(epochs=3, bits=16).fit(sample_pairs("train")).model_.save(path)
    return path


def test_training_writes_a_model(pairs: Path) -> None:
    arguments = ["train", "deletion", TRAIN, "--model", "m.tw", "--epochs", "2", "--bits", "16"]
    found = succeed(*arguments)
    assert found.out == ""
    assert found.err.startswith("m.tw: ")
    assert found.err.endswith(" weights from 90 pairs, 2 epochs\n")
    model = DeletionModel.load("m.tw")
    assert model.metadata["settings"]["epochs"] == 2
    first = Path("m.tw").read_bytes()
    succeed(*arguments)
    assert Path("m.tw").read_bytes() == first
    succeed(*arguments, "--seed", "1")
    assert Path("m.tw").read_bytes() != first
    found = succeed(
        "train",
        "deletion",
        "-",
        *arguments[3:3],
        "--model",
        "-",
        *arguments[5:],
        stdin=TRAIN.read_bytes(),
    )
    assert found.raw == first


def test_dev_pairs_are_scored_and_a_grid_is_searched(pairs: Path) -> None:
    arguments = ["train", "deletion", TRAIN, "--model", "m.tw", "--dev", pairs, "--bits", "16"]
    found = succeed(*arguments)
    assert "as decoded" in found.out
    assert "at the gold rate" in found.out
    found = succeed(*arguments, "--grid", "cost=0.001,1", "--jobs", "2")
    assert "grid search" in found.out
    assert "weights" in found.out
    assert DeletionModel.load("m.tw").metadata["settings"]["cost"] in (0.001, 1.0)
    message = fail(2, *arguments, "--grid", "epochs=1,2")
    assert "unknown grid setting 'epochs'; choose from: augment, cost" in message


def test_settings_come_from_a_config_file_too() -> None:
    Path("c.toml").write_text("epochs = 2\ncost = 1\n")
    succeed("train", "deletion", TRAIN, "--model", "m.tw", "--config", "c.toml", "--bits", "16")
    settings = DeletionModel.load("m.tw").metadata["settings"]
    assert (settings["epochs"], settings["cost"], settings["bits"]) == (2, 1, 16)
    assert "epochs must be at least 1" in fail(
        2, "train", "deletion", TRAIN, "--model", "m.tw", "--epochs", "0"
    )


def test_trees_are_rewritten(deleting: Path, pairs: Path) -> None:
    sources = [pair.source for pair in read_pairs(pairs)]
    found = succeed("transduce", deleting, pairs)
    assert found.err == ""
    assert len(found.lines) == len(sources)
    assert succeed("transduce", "-", pairs, stdin=deleting.read_bytes()).out == found.out
    objects = [json.loads(line) for line in succeed("transduce", deleting, pairs, "--json").lines]
    for described, line, source in zip(objects, found.lines, sources, strict=True):
        assert described["tree"] == line
        assert described.keys() == {"tree", "words", "kept", "score", "dropped", "met"}
        assert described["words"] == [source.words()[place] for place in described["kept"]]
        places = sorted([*described["kept"], *described["dropped"]])
        assert places == list(range(len(source.words())))


def test_budgets_are_kept(deleting: Path, pairs: Path) -> None:
    sources = [pair.source for pair in read_pairs(pairs)]

    def lengths(*budget: str) -> list[int]:
        lines = succeed("transduce", deleting, pairs, *budget).lines
        return [count_words(parse_tree(line)) for line in lines]

    assert max(lengths("--max-words", "3")) <= 3
    for length, source in zip(lengths("--rate", "0.5"), sources, strict=True):
        assert length <= allowed(0.5, count_words(source))
    assert sum(lengths("--corpus-rate", "0.5")) == allowed(0.5, sum(map(count_words, sources)))


def test_several_outputs_differ(deleting: Path, pairs: Path) -> None:
    for budget in ([], ["--max-words", "4"]):
        found = succeed("transduce", deleting, pairs, "--nbest", "3", "--json", *budget)
        for line in found.lines:
            described = json.loads(line)
            trees = [each["tree"] for each in described["nbest"]]
            assert len(set(trees)) == len(trees) == 3
            scores = [each["score"] for each in described["nbest"]]
            assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("decode", ["mbr", "mpt"])
def test_decoders_that_need_probabilities_are_refused(
    decode: str, deleting: Path, pairs: Path
) -> None:
    message = f"decode {decode} needs probabilities, which a deletion model does not have"
    assert message in fail(2, "transduce", deleting, pairs, "--decode", decode)


def test_outputs_are_evaluated_and_drawn(deleting: Path, model: Path, pairs: Path) -> None:
    Path("out.trees").write_text(succeed("transduce", deleting, pairs).out)
    assert "RelF1" in succeed("evaluate", "out.trees", pairs).out
    pytest.importorskip("matplotlib")
    found = succeed(
        "plot", "rates", pairs, f"a={deleting}", f"b={model}", "--out", "r.svg", "--rates", "0.5"
    )
    assert "a" in found.out
    assert Path("r.svg").stat().st_size > 0
    message = "decode mbr needs probabilities"
    arguments = ["plot", "rates", pairs, deleting, "--out", "r.svg", "--decode", "mbr"]
    assert message in fail(2, *arguments)


def test_stats_describe_a_deletion_model(deleting: Path) -> None:
    size = len(DeletionModel.load(deleting))
    lines = succeed("grammar", "stats", deleting).lines
    assert lines[0] == f"weights: {size}"
    assert "training learner: deletion" in lines
    assert "training settings epochs: 3" in lines
    described = json.loads(succeed("grammar", "stats", deleting, "--json").out)
    assert (described["weights"], described["training"]["settings"]["bits"]) == (size, 16)


def test_models_of_the_wrong_kind_and_damaged_ones_are_refused(deleting: Path, pairs: Path) -> None:
    message = fail(1, "grammar", "show", deleting)
    assert message.endswith(": this is a deletion model; a model of rules is needed")
    raw = bytearray(deleting.read_bytes())
    raw[len(raw) // 2] ^= 255
    Path("damaged.tw").write_bytes(raw)
    assert "damaged.tw: " in fail(1, "transduce", "damaged.tw", pairs)
    Path("cut.tw").write_bytes(raw[:100])
    assert "cut.tw: not a whole model file" in fail(1, "transduce", "cut.tw", pairs)
    assert "none.tw: cannot read it" in fail(1, "transduce", "none.tw", pairs)


SOURCE = "(ROOT (S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ barks))))"
TARGET = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks))))"


def record(number: int, target: str, **fields: object) -> str:
    return json.dumps({"id": str(number), "source": SOURCE, "targets": [target], **fields}) + "\n"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (record(2, TARGET.replace("(DT a)", "(DT the)")), "is not a subsequence of the source"),
        (record(2, ""), "p.jsonl:2"),
        (record(2, TARGET, alignments=["1-0 2-1 3-2"]), "'a', is aligned to another word, 'old'"),
        (record(2, TARGET, alignments=["0-0 3-2"]), "does not lead, in order"),
    ],
)
def test_a_bad_pair_never_loses_the_rest(bad: str, message: str) -> None:
    Path("good.jsonl").write_text(record(1, TARGET) + record(3, TARGET))
    Path("p.jsonl").write_text(record(1, TARGET) + bad + record(3, TARGET))
    arguments = ["train", "deletion", "p.jsonl", "--model", "p.tw", "--bits", "16"]
    found = succeed(*arguments)
    assert message in found.err
    assert "1 pair skipped (--strict stops at the first)" in found.err
    succeed("train", "deletion", "good.jsonl", "--model", "good.tw", "--bits", "16")
    assert Path("p.tw").read_bytes() == Path("good.tw").read_bytes()
    assert message in fail(1, *arguments, "--strict")


def test_nothing_to_learn_from_is_an_error() -> None:
    Path("empty.jsonl").write_text("")
    found = run("train", "deletion", "empty.jsonl", "--model", "m.tw")
    assert found.status == 1
    assert found.err.endswith("training needs at least one aligned pair\n")
    assert not Path("m.tw").exists()
