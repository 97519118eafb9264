"""`Grammar`, weights for the unseen, and model files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import modelfile
from treewright.errors import ModelFileError, UsageError
from treewright.grammar import (
    PCFG,
    BaseDistribution,
    BaseUnseen,
    FlatUnseen,
    Grammar,
    PlainBase,
    Rule,
    Unseen,
    parse_rule,
)
from treewright.grammar.unseen import unseen_from_dict
from treewright.modelfile import pack_array, read_model, write_model
from treewright.pruning import Model
from treewright.trees import Tree

from . import toys
from .strategies import quick, rules

TOY = toys.grammar(
    """
    3 NP/NP -> (NP N[1]) / (NP N[1])
    1 NP/NP -> (NP DT[ε] N[1]) / (NP N[1])
    2 NP/ε -> (NP N[ε]) / ε
    """
)


def test_weights_are_relative_frequencies_within_a_root_pair() -> None:
    assert [str(rule) for rule in TOY.rules] == [
        "NP/NP -> (NP N[1]) / (NP N[1])",
        "NP/NP -> (NP DT[ε] N[1]) / (NP N[1])",
        "NP/ε -> (NP N[ε]) / ε",
    ]
    assert np.exp(TOY.weights) == pytest.approx([3 / 4, 1 / 4, 1])
    assert TOY.counts.tolist() == [3, 1, 2]
    added = TOY.normalised(TOY.counts + 1.0)
    assert np.exp(added.weights) == pytest.approx([4 / 6, 2 / 6, 1])
    assert added.counts.tolist() == [3, 1, 2]


def test_roots() -> None:
    assert TOY.roots == (("NP", "NP"), ("NP", "ε"))
    assert TOY.root_of.tolist() == [0, 0, 1]
    assert TOY.root_totals(np.array([1.0, 2.0, 4.0])).tolist() == [3.0, 4.0]


counted = st.dictionaries(rules(), st.integers(1, 3).map(float), max_size=8)


@quick
@given(counted, st.randoms(use_true_random=False))
def test_the_order_of_counts_does_not_matter(counts: dict[Rule, float], random: Any) -> None:
    items = list(counts.items())
    random.shuffle(items)
    a, b = Grammar.from_counts(counts), Grammar.from_counts(dict(items))
    assert a.rules == b.rules
    assert a.weights.tobytes() == b.weights.tobytes()
    for root in a.roots:
        mine = [
            weight for rule, weight in zip(a.rules, a.weights, strict=True) if rule.root == root
        ]
        assert math.fsum(map(math.exp, mine)) == pytest.approx(1.0)


def test_no_mass_is_no_weight() -> None:
    rules = TOY.rules
    grammar = Grammar.from_counts({rules[0]: 2.0, rules[1]: 0.0, rules[2]: 0.0})
    assert grammar.weights.tolist() == [0.0, -math.inf, -math.inf]


def test_no_rules() -> None:
    empty = Grammar.from_counts({})
    assert len(empty) == 0
    assert empty.roots == ()


def test_impossible_grammars() -> None:
    one = np.zeros(1)
    with pytest.raises(ValueError, match="differ in length"):
        Grammar(TOY.rules, one, one)
    with pytest.raises(ValueError, match="a rule occurs twice"):
        Grammar((TOY.rules[0], TOY.rules[0]), np.zeros(2), np.zeros(2))


def test_other_weights_share_the_index() -> None:
    index = TOY.index
    other = TOY.with_weights(np.array([-1.0, -2.0, -3.0]))
    assert other.index is index
    assert other.root_of is TOY.root_of
    assert other.rules is TOY.rules
    assert other.weights.tolist() == [-1.0, -2.0, -3.0]
    assert other.counts is TOY.counts
    counts = np.array([7.0, 8.0, 9.0])
    assert TOY.with_weights(other.weights, counts=counts).counts is counts
    assert np.exp(TOY.weights) == pytest.approx([3 / 4, 1 / 4, 1])


TREE = Tree("NP", [Tree("N", word="a")])
P = PCFG.read_off([TREE])
FLAT = FlatUnseen({"NP": -1.5}, {"NP": -2.5, "N": -math.inf}, other=(-7.0, -8.0))
BASE = BaseUnseen(PlainBase(P), 2.0, {("NP", "NP"): 6.0, ("NP", "ε"): 0.5})
PAPER = BaseUnseen(BaseDistribution(P, P, 0.1, insertions=False), 0.5, {("NP", "NP"): 1.5})


def test_flat_weights() -> None:
    assert FLAT.weights(TREE) == (-1.5, -2.5)
    assert FLAT.weights(TREE.children[0]) == (-7.0, -math.inf)
    assert FLAT.weights(Tree("X", word="x")) == (-7.0, -8.0)
    assert FlatUnseen({}, {}).weights(TREE) == (0.0, 0.0)


def test_predictive_weights() -> None:
    # α P0 / (n + α), P0 the production's share of 1 / (1 + 1).
    assert np.exp(BASE.weights(TREE)) == pytest.approx([2 / 8 / 2, 2 / 2.5 / 2])
    assert np.exp(BASE.weights(TREE.children[0])) == pytest.approx([1 / 2, 1 / 2])
    # Copying also pays β for expanding the target root.
    stop, expand = 0.9, 0.1
    copy = (0.5 * stop) ** 2 * expand * 0.25
    assert np.exp(PAPER.weights(TREE)) == pytest.approx([copy, 0.5 * stop])


MODELS: list[Unseen | None] = [None, FLAT, BASE, PAPER]


@pytest.mark.parametrize("unseen", MODELS)
def test_reading_back_weights_for_the_unseen(unseen: Unseen | None) -> None:
    values = None if unseen is None else json.loads(json.dumps(unseen.as_dict()))
    again = unseen_from_dict(values)
    assert (again is None) == (unseen is None)
    if unseen is not None and again is not None:
        assert again.as_dict() == unseen.as_dict()
        for node in TREE.nodes():
            assert again.weights(node) == unseen.weights(node)


def test_unknown_kinds_list_the_choices() -> None:
    with pytest.raises(UsageError, match="'flatter'; choose one of: base, flat"):
        unseen_from_dict({"kind": "flatter"})


log_weights = st.floats(allow_nan=False).filter(lambda weight: weight < np.inf)
amounts = st.floats(min_value=0.0, allow_infinity=False, allow_nan=False)


@quick
@given(st.lists(st.tuples(rules(), log_weights, amounts), max_size=6, unique_by=lambda row: row[0]))
def test_models_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Rule, float, float]]
) -> None:
    folder = tmp_path_factory.mktemp("models")
    grammar = Grammar(
        tuple(rule for rule, _, _ in rows),
        np.array([weight for _, weight, _ in rows], dtype=np.float64),
        np.array([count for _, _, count in rows], dtype=np.float64),
    )
    Model(grammar, FLAT, {"learner": "none", "ε": [1, None]}).save(folder / "a")
    again = Model.load(folder / "a")
    assert again.grammar.rules == grammar.rules
    assert again.grammar.weights.tobytes() == grammar.weights.tobytes()
    assert again.grammar.counts.tobytes() == grammar.counts.tobytes()
    assert again.metadata == {"learner": "none", "ε": [1, None]}


@pytest.mark.parametrize("unseen", MODELS)
def test_the_same_model_gives_the_same_bytes(tmp_path: Path, unseen: Unseen | None) -> None:
    model = Model(TOY, unseen, {"b": 1, "a": {"d": 2, "c": 3}})
    model.save(tmp_path / "a")
    model.save(tmp_path / "b")
    Model.load(tmp_path / "a").save(tmp_path / "c")
    first = (tmp_path / "a").read_bytes()
    assert (tmp_path / "b").read_bytes() == first
    assert (tmp_path / "c").read_bytes() == first


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("rules/names.json", b"{"),
        ("rules/names.json", b"[]"),
        ("rules/names.json", b'{"labels": [1], "words": [], "features": []}'),
        ("rules/weights.npy", b"not an array"),
        ("rules/weights.npy", pack_array(np.zeros(2))),
        ("rules/weights.npy", pack_array(np.full(3, np.nan))),
        ("rules/weights.npy", pack_array(np.zeros(3, dtype=np.float32))),
        ("rules/counts.npy", pack_array(np.full(3, -1.0))),
        ("rules/target_root.npy", pack_array(np.full(3, 99, dtype=np.int32))),
        ("unseen.json", b"{"),
        ("unseen.json", b"[]"),
        ("unseen.json", b'{"kind": "flatter"}'),
        ("unseen.json", b'{"kind": "flat"}'),
        ("unseen.json", b'{"kind": "base", "alpha": 1, "totals": [], "base": {"kind": "p1"}}'),
        ("unseen.json", b'{"kind": "base", "alpha": 1, "totals": [[1]], "base": {}}'),
        ("pruning.json", b'{"kind": "guess"}'),
        ("pruning.json", b'{"features": []}'),
    ],
)
def test_parts_that_make_no_sense(tmp_path: Path, name: str, part: bytes) -> None:
    path = tmp_path / "model"
    Model(TOY).save(path)
    parts, _ = read_model(path, kind="rules")
    write_model(path, kind="rules", parts={**parts, name: part}, metadata={})
    with pytest.raises(ModelFileError, match="its parts cannot be read"):
        Model.load(path)


def test_a_missing_part(tmp_path: Path) -> None:
    write_model(tmp_path / "model", kind="rules", parts={}, metadata={})
    with pytest.raises(ModelFileError, match=r"rules/names\.json"):
        Model.load(tmp_path / "model")


def test_models_of_other_kinds(tmp_path: Path) -> None:
    for kind, message in (("deletion", "a deletion model"), ("stsg", "an earlier Treewright")):
        write_model(tmp_path / "model", kind=kind, parts={}, metadata={})
        with pytest.raises(ModelFileError, match=f"this is .*{message}"):
            Model.load(tmp_path / "model")


def test_a_large_grammar_is_mapped_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modelfile, "WORTH_MAPPING", 1)
    features = np.arange(6, dtype=np.float32).reshape(3, 2)
    grammar = Grammar(TOY.rules, TOY.weights, TOY.counts, features, ("p", "q"))
    Model(grammar).save(tmp_path / "model")
    again = Model.load(tmp_path / "model").grammar
    assert again.rules == TOY.rules
    assert again.feature_names == ("p", "q")
    assert again.features is not None
    assert again.features.tobytes() == features.tobytes()
    for array in (*again.packed.arrays().values(), again.weights, again.features):
        assert array.flags.aligned
        assert array.flags.writeable
        assert array.size == 0 or not array.flags.owndata
    again.weights[0] = 7.0
    assert Model.load(tmp_path / "model").grammar.weights[0] == TOY.weights[0]


def test_hostile_names_survive_a_model_file(tmp_path: Path) -> None:
    rule = parse_rule(r"\u{}/ε -> (\u{} \u{2028}\u{9}\/\ε\\) / ε")
    Model(Grammar.from_counts({rule: 1.0})).save(tmp_path / "model")
    assert Model.load(tmp_path / "model").grammar.rules == (rule,)
