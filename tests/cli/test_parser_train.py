"""`treewright parser train` and `parser label` on toy trees."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from treewright.trees import parse_tree

from ..parsing.embedded.toys import SENTENCES, TEXTS
from ..parsing.embedded.training.toys import make_run, make_transformer
from .runner import fail, run, succeed

TINY = ["--word", 6, "--hidden", 6, "--span", 6, "--batch", 30, "--rate", 0.01, "--epochs", 2]
TRAIN = ["parser", "train", "news=t.trees", "--model", "p.tw", *TINY]


@pytest.fixture(autouse=True)
def files(inside: None) -> None:
    """Put a treebank and some text where the commands run."""
    Path("t.trees").write_text("\n".join(TEXTS), encoding="utf-8")
    lines = [" ".join(words) for words in SENTENCES]
    Path("t.txt").write_text("\n".join([*lines, "", "word " * 99]), encoding="utf-8")


@pytest.fixture
def torch() -> Iterator[Any]:
    """Return torch, or skip; what a command sets for the whole process is set back."""
    module = pytest.importorskip("torch")
    threads = module.get_num_threads()
    yield module
    module.use_deterministic_algorithms(False)
    module.set_num_threads(threads)
    module.set_flush_denormal(False)


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a random transformer."""
    return make_transformer(tmp_path_factory.mktemp("transformer"))


def test_a_trained_parser_parses(torch: Any) -> None:
    trained = succeed(*TRAIN, "--dev", "news=t.trees", "--trace", "t.jsonl", "--style", "news")
    lines = trained.err.splitlines()
    assert trained.out == ""
    assert lines[0].startswith("epoch 1: loss ")
    assert "; news F1 " in lines[1]
    assert lines[2].startswith("p.tw: ")
    trace = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert [entry["epoch"] for entry in trace] == [1, 2]
    parsed = succeed("parse", "--tokenized", "--parser", "embedded=p.tw", stdin="a cat\n\n1/2 (\n")
    words = [parse_tree(line).words() if line else () for line in parsed.lines]
    assert words == [("a", "cat"), (), ("1/2", "-LRB-")]
    styled = ["parse", "--tokenized", "--parser", "embedded=p.tw", "--treebank"]
    assert succeed(*styled, "any", stdin="the cat\n").lines
    message = "unknown treebank 'poems'; choose one of: any, news"
    assert fail(2, *styled, "poems", stdin="the cat\n") == message


def test_the_same_seed_gives_the_same_file(torch: Any) -> None:
    found = []
    for number, seed in enumerate((1, 1, 2)):
        path = f"{number}.tw"
        succeed("parser", "train", "news=t.trees", "--model", path, *TINY, "--seed", seed)
        found.append(Path(path).read_bytes())
    assert found[0] == found[1] != found[2]


def test_several_treebanks_and_how_often_each_is_seen(torch: Any) -> None:
    more = ["web=t.trees", "web=u.trees", "--repeat", "news=3", "--style", "web"]
    Path("u.trees").write_text(TEXTS[0], encoding="utf-8")
    succeed(*TRAIN, *more)
    from treewright.parsing.embedded.weights import Weights

    weights = Weights.read("p.tw")
    assert weights.inventory.treebanks == ("any", "news", "web")
    assert weights.metadata["treebanks"] == {"news": 8, "web": 9}
    assert weights.metadata["style"] == "web"
    assert weights.metadata["labelled"] == 0


def test_the_first_share_of_each_treebank(torch: Any) -> None:
    succeed(*TRAIN, "--share", 0.25)
    shared = Path("p.tw").read_bytes()
    Path("t.trees").write_text("\n".join(TEXTS[:2]), encoding="utf-8")
    succeed(*TRAIN)
    assert Path("p.tw").read_bytes() == shared


def test_bad_trees_are_skipped_and_counted(torch: Any) -> None:
    Path("t.trees").write_text("\n".join([*TEXTS, "(ROOT (NN"]), encoding="utf-8")
    trained = succeed(*TRAIN)
    assert "skipped: t.trees:9" in trained.err
    assert trained.err.endswith("1 tree skipped (--strict stops at the first)\n")
    assert fail(1, *TRAIN, "--strict").startswith("t.trees:9")


def test_a_teacher_labels_text_and_a_parser_learns_from_it(torch: Any, transformer: Path) -> None:
    encoder = ["--encoder", transformer]
    for seed in (1, 2):
        arguments = [*TINY, *encoder, "--seed", seed, "--encoder-layers", 1, "--encoder-half"]
        succeed("parser", "train", "news=t.trees", "--model", f"teacher{seed}.tw", *arguments)
        label = ["parser", "label", f"teacher{seed}.tw", "t.txt", "--treebank", "news"]
        found = succeed(*label, *encoder, "-o", f"labels{seed}.tw")
        assert found.err == f"labels{seed}.tw: 8 sentences labelled as news\n"
        assert found.out == ""
    succeed(*TRAIN, "--labels", "labels1.tw,labels2.tw", "--labels", "labels1.tw")
    from treewright.parsing.embedded.weights import Weights

    assert Weights.read("p.tw").metadata["labelled"] == 16
    parsed = succeed("parse", "--tokenized", "--parser", "embedded=p.tw", stdin="the cat\n")
    assert parse_tree(parsed.lines[0]).words() == ("the", "cat")
    message = "teacher1.tw: this teacher needs the --encoder it was trained with"
    assert fail(1, *label[:2], "teacher1.tw", *label[3:], "-o", "x.tw") == message
    message = "p.tw: this is a parser; a teacher of parsers is needed"
    assert fail(1, *label[:2], "p.tw", *label[3:], *encoder, "-o", "x.tw") == message
    message = "teacher1.tw: this is a teacher of parsers; a parser is needed"
    assert fail(1, "parse", "--parser", "embedded=teacher1.tw", stdin="a\n") == message
    Path("none.txt").write_text("\n\n")
    message = "none.txt: no sentences to label"
    assert fail(1, *label[:3], "none.txt", *label[4:], *encoder, "-o", "x.tw") == message
    assert fail(2, *label, *encoder, "-o", "t.txt").startswith("t.txt is also an input")
    unknown = [*label[:4], "--treebank", "poems", *encoder, "-o", "x.tw"]
    message = "unknown treebank 'poems'; choose one of: any, news"
    assert fail(2, *unknown) == message
    assert not Path("x.tw").exists()


def teach(name: str) -> None:
    """Write a teacher that needs no transformer."""
    from treewright.parsing.embedded.training.storage import write_teacher

    made = make_run(schedule={"epochs": 1})
    write_teacher(name, made.network, made.inventory, {})


LABEL = ["parser", "label", "teacher.tw", "--treebank", "news"]


def test_a_bad_line_never_loses_the_labels_of_the_rest(torch: Any) -> None:
    teach("teacher.tw")
    Path("bad.txt").write_bytes(b"the cat\nein B\xe4r\na\x00b\nthe dog\n")
    found = succeed(*LABEL, "bad.txt", "-o", "labels.tw")
    assert "skipped: bad.txt:2:6: byte 0xe4 is not UTF-8" in found.err
    assert found.err.endswith("2 sentences skipped (--strict stops at the first)\n")
    from treewright.parsing.embedded.training.labels import read_labels

    assert [e.words for e in read_labels("labels.tw")] == [("the", "cat"), ("the", "dog")]
    assert fail(1, *LABEL, "bad.txt", "-o", "x.tw", "--strict").startswith("bad.txt:2:6")


def test_a_parser_teaches_and_goes_on_learning(torch: Any) -> None:
    succeed(*TRAIN)
    first = Path("p.tw").read_bytes()
    labels = ["t.txt", "--treebank", "news", "-o", "labels.tw"]
    assert "sentences labelled as news" in succeed("parser", "label", "p.tw", *labels).err
    more = ["--labels", "labels.tw", "--start", "p.tw", "--model", "q.tw"]
    succeed("parser", "train", "news=t.trees", *more, "--epochs", 1)
    parsed = succeed("parse", "--tokenized", "--parser", "embedded=q.tw", stdin="a cat\n")
    assert parse_tree(parsed.lines[0]).words() == ("a", "cat")
    assert Path("p.tw").read_bytes() == first
    assert fail(2, *TRAIN, "--start", "p.tw").startswith("p.tw is ")


def test_runs_from_one_start_can_be_averaged(torch: Any) -> None:
    succeed(*TRAIN)
    for seed in (1, 2):
        more = ["--start", "p.tw", "--model", f"{seed}.tw", "--seed", seed, "--epochs", 1]
        succeed("parser", "train", "news=t.trees", *more)
    found = succeed("parser", "average", "1.tw", "2.tw", "--model", "mean.tw")
    assert found.err == "mean.tw: the mean of 2 parsers\n"
    from treewright.parsing.embedded.weights import Weights

    one, two, mean = (Weights.read(f"{name}.tw") for name in ("1", "2", "mean"))
    expected = (one.arrays["tags_bias"] + two.arrays["tags_bias"]) / 2
    assert mean.arrays["tags_bias"] == pytest.approx(expected)
    succeed("parser", "train", "web=t.trees", "--model", "other.tw", *TINY)
    message = "parsers to average must have started from the same parser"
    assert fail(2, "parser", "average", "1.tw", "other.tw", "--model", "x.tw") == message


def test_only_short_sentences_are_labelled(torch: Any) -> None:
    teach("teacher.tw")
    found = succeed(*LABEL, "t.txt", "--longest", 5, "-o", "labels.tw")
    assert found.err == "labels.tw: 5 sentences labelled as news\n"


def test_labels_to_average_must_be_of_the_same_sentences(torch: Any) -> None:
    teach("teacher.tw")
    for name, text in (("1", "the cat"), ("2", "the dog"), ("3", "the cat\nthe dog")):
        Path(f"{name}.txt").write_text(text)
        succeed(*LABEL, f"{name}.txt", "-o", f"{name}.tw")
    message = "labels to average are of different sentences; label the same text"
    for files in ("1.tw,2.tw", "1.tw,3.tw"):
        assert fail(1, *TRAIN, "--labels", files) == message
    succeed(*TRAIN, "--labels", "1.tw,1.tw", "--labels", "2.tw")


def test_a_teacher_of_another_transformer_is_refused(
    torch: Any, transformer: Path, tmp_path: Path
) -> None:
    encoder = ["--encoder", transformer]
    succeed("parser", "train", "news=t.trees", "--model", "teacher.tw", *TINY, *encoder)
    wider = tmp_path / "wider"
    wider.mkdir()
    make_transformer(wider, width=32)
    message = fail(1, *LABEL, "t.txt", "-o", "x.tw", "--encoder", wider)
    assert message.startswith("teacher.tw: this teacher was trained with another --encoder (")


def press(number: int) -> Any:
    """Return a patch that presses the interrupt key in some epoch."""
    from treewright.parsing.embedded.training.trainer import Trainer

    real = Trainer.epoch

    def epoch(trainer: Trainer, examples: Any, now: int) -> float:
        if now == number:
            raise KeyboardInterrupt
        return real(trainer, examples, now)

    return mock.patch.object(Trainer, "epoch", epoch)


def test_an_interrupted_run_says_what_is_left_and_goes_on(torch: Any) -> None:
    succeed(*TRAIN)
    whole = Path("p.tw").read_bytes()
    Path("p.tw").unlink()
    with press(2):
        stopped = run(*TRAIN)
    assert stopped.status == 130
    message = "nothing was saved; --checkpoint FILE saves what --resume continues from"
    assert stopped.err.splitlines()[-1] == f"treewright: interrupted: {message}"
    kept = [*TRAIN, "--checkpoint", "c.tw"]
    with press(1):
        stopped = run(*kept)
    assert stopped.status == 130
    assert stopped.err.splitlines()[-1] == "treewright: interrupted: there was no checkpoint yet"
    with press(2):
        stopped = run(*kept)
    assert stopped.status == 130
    message = "the last checkpoint is kept in c.tw; add --resume to continue"
    assert stopped.err.splitlines()[-1] == f"treewright: interrupted: {message}"
    assert not Path("p.tw").exists()
    resumed = succeed(*kept, "--resume")
    assert resumed.err.startswith("epoch 2: ")
    assert Path("p.tw").read_bytes() == whole
    message = fail(1, *kept, "--resume", "--dropout", 0.1)
    assert message.startswith("c.tw: the checkpoint is of a run with other settings or data (drop")


WRONG: dict[str, tuple[list[object], str]] = {
    "no name": (["t.trees"], "expected NAME=FILE, found 't.trees'"),
    "an empty name": (["=t.trees"], "expected NAME=FILE, found '=t.trees'"),
    "no file": (["news="], "expected NAME=FILE, found 'news='"),
    "dev without a name": (["--dev", "t.trees"], "expected NAME=FILE, found 't.trees'"),
    "repeat without a number": (["--repeat", "news"], "expected NAME=N, found 'news'"),
    "repeat never": (["--repeat", "news=0"], "--repeat news=0: expected a whole number from 1"),
    "repeat in part": (["--repeat", "news=1.5"], "--repeat news=1.5: expected a whole number"),
    "repeat squared": (["--repeat", "news=²"], "--repeat news=²: expected a whole number from 1"),
    "repeat what is not there": (
        ["--repeat", "web=2"],
        "--repeat names web, which is not one of the treebanks",
    ),
    "an unknown style": (
        ["--style", "web"],
        "--style web is neither one of the treebanks nor 'any'",
    ),
    "an unknown script": (
        ["--script", "runes"],
        "unknown script 'runes'; choose one of: alphabetic, chinese",
    ),
    "vectors of characters for words": (
        ["--vectors", "t"],
        "--vectors needs --script chinese",
    ),
    "nothing to continue from": (["--resume"], "--resume needs the --checkpoint to continue from"),
    "the input as output": (["--trace", "t.trees"], "t.trees is also an input"),
    "scored on an unknown treebank": (
        ["--dev", "web=t.trees"],
        "unknown treebank 'web'; choose one of: any, news",
    ),
    "the name of no treebank": (["any=t.trees"], "no treebank can be called 'any'"),
    "two inputs from one stream": (["a=-", "--dev", "news=-"], "only one of the inputs can be -"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_requests(name: str, torch: Any) -> None:
    arguments, message = WRONG[name]
    assert fail(2, *TRAIN, *arguments).startswith(message)
    assert not Path("p.tw").exists()


def test_wrong_files(torch: Any) -> None:
    assert "No such file" in fail(1, *TRAIN, "news=missing.trees")
    Path("empty.trees").write_text("")
    assert fail(1, *TRAIN, "web=empty.trees") == "empty.trees: no trees in it"
    assert fail(1, *TRAIN, "--dev", "news=empty.trees") == "empty.trees: no trees in it"
    assert "missing.tw: cannot read it" in fail(1, *TRAIN, "--labels", "missing.tw")
    assert "c.tw: cannot read it" in fail(1, *TRAIN, "--checkpoint", "c.tw", "--resume")
    Path("c.tw").write_text("hello")
    message = fail(1, *TRAIN, "--checkpoint", "c.tw", "--resume")
    assert message.startswith("c.tw: not a whole model file")
    assert fail(1, *TRAIN, "--trace", "nowhere/t.jsonl").startswith("nowhere/t.jsonl: cannot write")


@pytest.mark.parametrize(
    "command", [TRAIN, ["parser", "label", "x.tw", "t.txt", "--treebank", "news", "-o", "y.tw"]]
)
def test_without_torch_it_says_how_to_get_it(
    command: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert fail(2, *command) == (
        "training a parser needs torch, which is not installed; "
        "run pip install '.[train]' in the folder that Treewright was installed from"
    )


def test_an_encoder_needs_transformers_and_a_folder_of_theirs(
    torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    message = "no transformer in this folder: it has no config.json"
    assert fail(1, *TRAIN, "--encoder", ".") == f".: {message}"
    assert fail(1, *TRAIN, "--encoder", "nowhere") == f"nowhere: {message}"
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert fail(2, *TRAIN, "--encoder", ".") == (
        "training a parser needs transformers, which is not installed; "
        "run pip install '.[train]' in the folder that Treewright was installed from"
    )


@pytest.mark.parametrize(
    "arguments", [["--seed", -1], ["--rate", -1], ["--epochs", 0], ["--dropout", 1]]
)
def test_numbers_out_of_range(arguments: list[object], torch: Any) -> None:
    found = run(*TRAIN, *arguments)
    assert found.status == 2
    assert f"Invalid value for '{arguments[0]}'" in found.err


def test_a_treebank_without_constituents_still_makes_a_parser(torch: Any) -> None:
    Path("flat.trees").write_text("(ROOT (UH yes))\n(ROOT (NN a) (NN b))\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        succeed("parser", "train", "news=flat.trees", "--model", "p.tw", *TINY)
    parsed = succeed("parse", "--tokenized", "--parser", "embedded=p.tw", stdin="a b\n")
    assert parse_tree(parsed.lines[0]).words() == ("a", "b")


def test_the_parser_may_go_to_standard_output(torch: Any) -> None:
    succeed(*TRAIN)
    found = succeed("parser", "train", "news=-", "--model", "-", *TINY, stdin="\n".join(TEXTS))
    assert found.raw == Path("p.tw").read_bytes()
