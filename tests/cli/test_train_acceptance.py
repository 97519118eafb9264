"""`treewright train acceptance`: verdicts in, a model with an estimate out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.grammar import FlatUnseen, Grammar
from treewright.pruning import Model
from treewright.pruning.encoded import EncodedPruning

from ..compression.toys import sample_pairs
from ..pruning.encoded.toys import model_of, random_pruning
from ..pruning.test_heads import PRUNING
from .runner import fail, succeed

TEXTS = ["The old dog barks now.", "Of course the cat sleeps, they said."]
TREES = [
    "(ROOT (S (NP (DT The) (JJ old) (NN dog)) (VP (VBZ barks) (ADVP (RB now))) (. .)))",
    "(ROOT (S (S (PP (IN Of) (NP (NN course))) (NP (DT the) (NN cat)) (VP (VBZ sleeps))) (, ,)"
    " (NP (PRP they)) (VP (VBD said)) (. .)))",
]
VERSIONS = [
    [([0, 2, 3, 5], "fine"), ([0, 3, 5], "broken"), ([2, 3], "weak")],
    [([2, 3, 4, 8], "fine"), ([0, 4, 8], "broken"), ([0, 1, 2, 3, 4, 8], "fine")],
]
PARSER = ["--parser", "file=t.trees"]


@pytest.fixture(autouse=True)
def files(inside: None) -> None:
    """Put a model without rules, verdicts, running text and pairs where the commands run."""
    Model(Grammar.from_counts({}), FlatUnseen({}, {}, (0.0, 0.0)), {}, PRUNING).save("base.tw")
    trees = [*TREES, *[str(pair.source) for pair in sample_pairs("test")]]
    Path("t.trees").write_text("".join(f"{tree}\n" for tree in trees))
    write_verdicts("v.jsonl")
    Path("text.txt").write_text(" ".join(TEXTS) + "\n")
    tagged = {"tokens": "the dog of it", "tags": "DT NN IN PRP"}
    Path("tagged.jsonl").write_text(f"{json.dumps(tagged)}\n" * 9)


def write_verdicts(path: str, *more: str) -> None:
    lines = [
        json.dumps(
            {"text": text, "versions": [{"kept": k, "verdict": verdict} for k, verdict in versions]}
        )
        for text, versions in zip(TEXTS, VERSIONS, strict=True)
    ]
    Path(path).write_text("\n".join([*lines, *more]) + "\n")


def train(pairs: Path, *arguments: object) -> list[object]:
    """The arguments that train with everything that is needed."""
    needed = ["--text", "text.txt", "--text", "tagged.jsonl", "--pairs", pairs]
    base = ["train", "acceptance", "v.jsonl", "--base", "base.tw", "--model", "out.tw"]
    return [*base, *needed, *PARSER, *arguments]


def test_a_model_gets_an_estimate(pairs: Path) -> None:
    found = succeed(*train(pairs))
    acceptance = Model.load("out.tw").acceptance
    assert acceptance is not None
    assert found.err == f"out.tw: {len(acceptance.losses)} weights of losses\n"
    assert found.out == ""
    assert {"the", "dog", "sleeps"} <= set(acceptance.neighbours.words)
    assert "" in acceptance.grammar
    assert Model.load("base.tw").acceptance is None
    shown = json.loads(
        succeed("compress", TEXTS[0], "--model", "out.tw", *PARSER, "--json", "--rate", 0.7).out
    )
    assert 0.0 < shown["acceptable"] < 1.0


def test_training_is_deterministic(pairs: Path) -> None:
    succeed(*train(pairs))
    first = Path("out.tw").read_bytes()
    succeed(*train(pairs))
    assert Path("out.tw").read_bytes() == first


def test_an_estimate_can_be_learned_anew_from_verdicts_alone(pairs: Path) -> None:
    succeed(*train(pairs))
    command = ["train", "acceptance", "v.jsonl", "--base", "out.tw", "--model", "new.tw", *PARSER]
    succeed(*command)
    before, after = (Model.load(path).acceptance for path in ("out.tw", "new.tw"))
    assert before is not None
    assert after is not None
    assert after.grammar == before.grammar
    assert after.neighbours.words == before.neighbours.words


def test_opinions_count_beside_verdicts(pairs: Path) -> None:
    weights = []
    for opinion in (0.0, 1.0):
        version = {"kept": [2, 3, 4, 8], "verdict": opinion}
        Path("o.jsonl").write_text(json.dumps({"text": TEXTS[1], "versions": [version] * 9}) + "\n")
        succeed(*train(pairs, "--opinions", "o.jsonl"))
        acceptance = Model.load("out.tw").acceptance
        assert acceptance is not None
        weights.append(acceptance.losses["label", "PP"])
    assert weights[0] < weights[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no counts of neighbours; give running text with --text"),
        (["--text", "text.txt"], "no prices of grammar; give tree pairs with --pairs"),
    ],
)
def test_a_base_without_an_estimate_needs_counts(arguments: list[str], message: str) -> None:
    command = ["train", "acceptance", "v.jsonl", "--base", "base.tw", "--model", "out.tw"]
    assert message in fail(2, *command, *PARSER, *arguments)
    assert not Path("out.tw").exists()


def test_a_model_of_rules_is_refused(pairs: Path, closed_model: Path) -> None:
    message = fail(2, *train(pairs, "--base", closed_model))
    assert message == "acceptance is estimated for models without rules, such as news"


def test_a_bad_line_is_reported_with_its_place(pairs: Path) -> None:
    bad = '{"text": "A.", "versions": [{"kept": [0], "verdict": "good"}]}'
    far = json.dumps({"text": TEXTS[0], "versions": [{"kept": [99], "verdict": "fine"}]})
    write_verdicts("v.jsonl", bad, far)
    found = succeed(*train(pairs))
    assert found.err.endswith("\n2 verdicts skipped (--strict stops at the first)\n")
    assert "v.jsonl:3: the verdict 'good' is none of: fine, weak, changed, broken\n" in found.err
    assert "a version keeps tokens beyond the 6 of its text: The old dog barks now.\n" in found.err
    assert Path("out.tw").exists()
    assert "v.jsonl:3" in fail(1, *train(pairs, "--strict", "--model", "other.tw"))


def test_no_verdict_teaches_nothing(pairs: Path) -> None:
    Path("v.jsonl").write_text("\n")
    assert fail(1, *train(pairs)) == "there is no verdict to learn from"


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"tokens": "a b"}', '{"tokens": "a b", "tags": "DT"}', '{"tokens": 1}']
)
def test_bad_running_text_is_one_line(line: str, pairs: Path) -> None:
    Path("tagged.jsonl").write_text(f'{{"tokens": "a", "tags": "DT"}}\n{line}\n')
    assert fail(1, *train(pairs)).startswith("tagged.jsonl:2:")


SURPRISES = {"text": TEXTS[0], "seams": [[0, 2, 1.0], [2, 5, 7.5]]}


def test_a_network_learns_surprises(pairs: Path) -> None:
    pytest.importorskip("torch")
    model_of(random_pruning(seams={})).save("base.tw")
    far = {"text": TEXTS[1], "seams": [[0, 99, 1.0]]}
    lines = [json.dumps(SURPRISES), json.dumps(far), '{"text": "A."}']
    Path("s.jsonl").write_text("\n".join(lines) + "\n")
    found = succeed(*train(pairs, "--surprises", "s.jsonl"))
    assert "a seam is beyond the 9 tokens of its text: Of course the cat sleeps" in found.err
    assert "s.jsonl:3: expected" in found.err
    model = Model.load("out.tw")
    assert isinstance(model.pruning, EncodedPruning)
    assert "surprise_out" in model.pruning.network.arrays
    assert model.acceptance is not None
    succeed("compress", TEXTS[0], "--model", "out.tw", *PARSER, "--rate", 0.7)


def test_layers_of_a_network_learn_from_verdicts(pairs: Path) -> None:
    pytest.importorskip("torch")
    model_of(random_pruning(seams={}, regret=0)).save("base.tw")
    found = succeed(*train(pairs, "--layers"))
    model = Model.load("out.tw")
    assert model.acceptance is not None
    assert found.err == f"out.tw: {len(model.acceptance.losses)} weights of losses\n"
    assert isinstance(model.pruning, EncodedPruning)
    assert {"regret_out", "clash_out"} <= set(model.pruning.network.arrays)
    succeed("compress", TEXTS[0], "--model", "out.tw", *PARSER, "--rate", 0.7)
    # Without the option, what the base has learned from other verdicts is gone.
    succeed(*train(pairs, "--base", "out.tw", "--model", "plain.tw"))
    plain = Model.load("plain.tw")
    assert isinstance(plain.pruning, EncodedPruning)
    assert "regret_out" not in plain.pruning.network.arrays


def test_layers_need_a_network(pairs: Path) -> None:
    pytest.importorskip("torch")
    message = fail(2, *train(pairs, "--layers"))
    assert message == "layers are those of a network, and the model has none"


def test_surprises_need_a_network(pairs: Path) -> None:
    pytest.importorskip("torch")
    Path("s.jsonl").write_text(json.dumps(SURPRISES) + "\n")
    message = fail(2, *train(pairs, "--surprises", "s.jsonl"))
    assert message == "surprises are learned by models with a network, such as news"
