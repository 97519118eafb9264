"""Whole runs on toy trees: they learn, repeat to the byte, and go on after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest

pytest.importorskip("torch")


from treewright.errors import ModelFileError, UsageError
from treewright.parsing.embedded import EmbeddedParser
from treewright.parsing.embedded.training.export import export
from treewright.parsing.embedded.training.run import (
    LONGEST,
    Run,
    TrainingData,
    Treebank,
    load_treebank,
)
from treewright.parsing.embedded.training.scoring import parse_with
from treewright.parsing.embedded.training.settings import Sizes
from treewright.parsing.embedded.training.trainer import Trainer
from treewright.parsing.embedded.weights import Weights
from treewright.parsing.scoring import score_brackets
from treewright.trees import Tree, parse_tree

from ..toys import SENTENCES, SIMPLE, TEXTS, TREES
from .toys import make_run


def bytes_of(run: Run, folder: Path) -> bytes:
    path = folder / "parser.tw"
    export(run.network, run.inventory, {"trace": run.trace}).write(path)
    return path.read_bytes()


class Listener:
    """Keeps what a run says."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def track(self, items: Any, description: str, total: int | None = None) -> Any:
        assert len(items) == total
        yield from items

    def say(self, message: str) -> None:
        self.said.append(message)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[dict[str, Any]]]:
    """Return the parser and the trace of an uninterrupted run."""
    run = make_run(data=with_dev())
    run.train()
    return bytes_of(run, tmp_path_factory.mktemp("run")), run.trace


def with_dev() -> TrainingData:
    return TrainingData([Treebank("news", TREES)], dev=[Treebank("news", TREES[:3])])


def test_the_loss_falls_and_the_trace_says_so(whole: tuple[bytes, list[dict[str, Any]]]) -> None:
    _, trace = whole
    assert [entry["epoch"] for entry in trace] == [1, 2]
    assert trace[1]["loss"] < trace[0]["loss"]
    for entry in trace:
        assert set(entry) == {"epoch", "loss", "news"}
        assert 0 <= entry["news"]["f1"] <= 100
        assert 0 <= entry["news"]["tags"] <= 100


def test_a_seed_fixes_every_byte(whole: tuple[bytes, list[dict[str, Any]]], tmp_path: Path) -> None:
    listener = Listener()
    again = make_run(data=with_dev(), progress=listener)
    again.train()
    assert (bytes_of(again, tmp_path), again.trace) == whole
    assert len(listener.said) == 2
    assert listener.said[0].startswith("epoch 1: loss ")
    assert "; news F1 " in listener.said[0]
    other = make_run(data=with_dev(), schedule={"seed": 2})
    other.train()
    assert bytes_of(other, tmp_path) != whole[0]


class Pressed:
    """Presses the interrupt key in the second epoch."""

    real = Trainer.epoch

    def __call__(self, trainer: Trainer, examples: Any, number: int) -> float:
        if number == 2:
            raise KeyboardInterrupt
        return Pressed.real(trainer, examples, number)


def interrupt(run: Run, checkpoint: Path) -> None:
    pressed = Pressed()
    with (
        mock.patch.object(Trainer, "epoch", lambda *given: pressed(*given)),
        pytest.raises(KeyboardInterrupt),
    ):
        run.train(str(checkpoint))


def test_a_resumed_run_ends_as_an_uninterrupted_one(
    whole: tuple[bytes, list[dict[str, Any]]], tmp_path: Path
) -> None:
    checkpoint = tmp_path / "c.tw"
    interrupt(make_run(data=with_dev()), checkpoint)
    resumed = make_run(data=with_dev())
    resumed.train(str(checkpoint), resume=True)
    assert (bytes_of(resumed, tmp_path), resumed.trace) == whole
    done = make_run(data=with_dev())
    done.train(str(checkpoint), resume=True)
    assert (bytes_of(done, tmp_path), done.trace) == whole


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "width": ({"sizes": Sizes(word=6, hidden=7, span=8)}, "hidden"),
    "seed": ({"schedule": {"seed": 3}}, "seed"),
    "dropout": ({"schedule": {"dropout": 0.1}}, "dropout"),
    "data": ({"data": TrainingData([Treebank("news", TREES[:-1])])}, "data"),
    "repeats": ({"data": TrainingData([Treebank("news", TREES, 2)])}, "data"),
}


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    checkpoint = tmp_path / "c.tw"
    interrupt(make_run(), checkpoint)
    for settings, name in OTHERS.values():
        with pytest.raises(ModelFileError) as caught:
            make_run(**settings).train(str(checkpoint), resume=True)
        assert str(caught.value) == (
            f"{checkpoint}: the checkpoint is of a run with other settings or data ({name}); "
            "repeat them, or leave --resume out"
        )


def test_going_on_needs_a_checkpoint(tmp_path: Path) -> None:
    run = make_run()
    with pytest.raises(UsageError, match="--resume needs the --checkpoint"):
        run.train(resume=True)
    with pytest.raises(ModelFileError, match="cannot read it: No such file"):
        run.train(str(tmp_path / "missing.tw"), resume=True)
    export(run.network, run.inventory, {}).write(tmp_path / "p.tw")
    with pytest.raises(ModelFileError, match="this is a parser; a checkpoint of parser train"):
        run.train(str(tmp_path / "p.tw"), resume=True)


def test_a_small_network_learns_a_few_trees_by_heart(tmp_path: Path) -> None:
    treebank = Treebank("news", SIMPLE)
    run = make_run(
        data=TrainingData([treebank]),
        sizes=Sizes(word=12, hidden=12, span=16),
        schedule={"dropout": 0.0, "epochs": 30, "rate": 3e-2, "tokens": 15},
    )
    run.train()
    scores = run.score(treebank)
    assert (scores.f1, scores.token_tag_accuracy) == (1.0, 1.0)
    export(run.network, run.inventory, {"style": "news"}).write(tmp_path / "p.tw")
    parser = EmbeddedParser(Weights.read(tmp_path / "p.tw"))
    trees = parser.parse([tree.words() for tree in SIMPLE])
    assert trees == SIMPLE
    unseen = ("the", "cat", "sleeps", "in", "a", "garden", ".")
    assert parser.parse([unseen])[0].words() == unseen


def test_a_network_in_training_parses_as_its_export_will() -> None:
    run = make_run()
    run.train()
    for style in ("any", "news"):
        guessed = parse_with(run.network, run.inventory, SENTENCES, style)
        exported = EmbeddedParser(export(run.network, run.inventory, {}), treebank=style)
        assert exported.parse(SENTENCES) == guessed
    assert score_brackets(TREES, guessed).f1 == run.score(Treebank("news", TREES)).f1


def test_a_run_starts_from_a_parser_and_goes_on_with_its_symbols(tmp_path: Path) -> None:
    first = make_run()
    first.train()
    bytes_of(first, tmp_path)
    start = str(tmp_path / "parser.tw")
    other = TrainingData([Treebank("news", TREES[:2])])
    second = make_run(data=other, start=start, sizes=Sizes(word=2, hidden=2, span=2))
    assert second.inventory == first.inventory
    assert second.sizes == first.sizes
    known = EmbeddedParser.load(start)
    assert parse_with(second.network, second.inventory, SENTENCES, "news") == EmbeddedParser.load(
        start, treebank="news"
    ).parse(SENTENCES)
    second.train()
    changed = export(second.network, second.inventory, {}).arrays["label_weight"]
    assert (changed != known.network.arrays["label_weight"]).any()


CHINESE = [
    parse_tree("(ROOT (S (NP (Nh 我)) (VC 喝) (NP (Na 茶))) (PU 。))"),
    parse_tree("(ROOT (S (NP (Nh 她)) (VC 种) (NP (Na 花))) (PU 。))"),
    parse_tree("(ROOT (NP (DM 三杯) (Na 茶)) (PU ，))"),
]


def test_a_run_in_another_script_parses_as_its_export_and_is_gone_on_with(tmp_path: Path) -> None:
    data = TrainingData([Treebank("toy", CHINESE)])
    first = make_run(data=data, script="chinese")
    first.train()
    assert first.settings()["script"] == "chinese"
    bytes_of(first, tmp_path)
    start = str(tmp_path / "parser.tw")
    sentences = [("她", "喝", "３", "杯", "茶", ","), *(tree.words() for tree in CHINESE)]
    second = make_run(data=data, start=start)
    assert second.inventory == first.inventory
    assert second.inventory.counts == first.inventory.counts
    loaded = EmbeddedParser.load(start, treebank="toy")
    assert loaded.inventory.script == "chinese"
    assert loaded.parse(sentences) == parse_with(second.network, second.inventory, sentences, "toy")
    with pytest.raises(UsageError, match="was trained with the script chinese, not alphabetic"):
        make_run(data=data, start=start, script="alphabetic")


def test_a_run_that_starts_elsewhere_knows_no_new_treebank(tmp_path: Path) -> None:
    bytes_of(make_run(), tmp_path)
    with pytest.raises(UsageError, match="unknown treebank 'web'"):
        make_run(data=TrainingData([Treebank("web", TREES)]), start=str(tmp_path / "parser.tw"))


def test_tags_and_labels_that_the_start_does_not_know_are_left_out(tmp_path: Path) -> None:
    bytes_of(make_run(), tmp_path)
    strange = Tree("ROOT", [Tree("ODD", [Tree("STRANGE", word="it"), Tree("NN", word="cat")])])
    run = make_run(
        data=TrainingData([Treebank("news", [strange])]), start=str(tmp_path / "parser.tw")
    )
    assert len(run.examples[0].spans) == 0
    assert len(run.examples[0].tags) == 1


def test_a_treebank_may_count_more_than_once() -> None:
    run = make_run(data=TrainingData([Treebank("news", TREES), Treebank("web", TREES[:2], 3)]))
    assert run.inventory.treebanks == ("any", "news", "web")
    assert [example.treebank for example in run.examples] == [1] * 8 + [2] * 6


def test_sentences_that_are_too_long_are_not_learned_from() -> None:
    long = Tree("ROOT", [Tree("NP", [Tree("NN", word="a")] * (LONGEST + 1))])
    run = make_run(data=TrainingData([Treebank("news", [*TREES, long])]))
    assert len(run.examples) == len(TREES)


def test_a_treebank_to_score_on_must_be_one_of_those_learned_from() -> None:
    with pytest.raises(UsageError, match="unknown treebank 'web'; choose one of: any, news"):
        make_run(data=TrainingData([Treebank("news", TREES)], dev=[Treebank("web", TREES)]))


def test_a_share_of_a_treebank_is_its_first_trees() -> None:
    treebank = Treebank("news", TREES, 2)
    assert treebank.first(1.0) == treebank
    assert treebank.first(0.5) == Treebank("news", TREES[:4], 2)
    assert treebank.first(0.001) == Treebank("news", TREES[:1], 2)


def test_data_is_known_by_its_content() -> None:
    one = TrainingData([Treebank("news", TREES)])
    assert one.fingerprint() == with_dev().fingerprint()
    assert one.names == ["news"]
    for other in (Treebank("web", TREES), Treebank("news", TREES[1:]), Treebank("news", TREES, 2)):
        assert TrainingData([other]).fingerprint() != one.fingerprint()


def test_a_treebank_is_read_without_nodes_over_their_own_label(tmp_path: Path) -> None:
    path = tmp_path / "t.trees"
    path.write_text("(S (NP (NP-SBJ (NN rain))) (VP (VBZ falls)))\n" + "\n".join(TEXTS))
    treebank = load_treebank("news", [str(path), str(path)], repeat=2)
    assert (treebank.name, treebank.repeat, len(treebank.trees)) == ("news", 2, 18)
    assert str(treebank.trees[0]) == "(ROOT (S (NP (NN rain)) (VP (VBZ falls))))"
    assert treebank.trees[1:9] == TREES
