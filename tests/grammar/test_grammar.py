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
from treewright.modelfile import write_model
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
    added = Grammar.from_counts(dict(zip(TOY.rules, TOY.counts.tolist(), strict=True)), add=1.0)
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
    ("rules", "unseen"),
    [
        ("no columns\n", "null"),
        ("x\t1\tNP/ε -> (NP a) / ε\n", "null"),
        ("0\t1\tNP/ε -> (NP a\n", "null"),
        ("0\t1\tNP/ε -> (NP a) / ε\n" * 2, "null"),
        (r"0	1	N/ε -> (N \u{fffffffffffff}) / ε" + "\n", "null"),
        ("", "{"),
        ("", "[]"),
        ("", '{"kind": "flatter"}'),
        ("", '{"kind": "flat"}'),
        ("", '{"kind": "base", "alpha": 1, "totals": [], "base": {"kind": "p1"}}'),
        ("", '{"kind": "base", "alpha": 1, "totals": [[1]], "base": {}}'),
    ],
)
def test_parts_that_make_no_sense(tmp_path: Path, rules: str, unseen: str) -> None:
    path = tmp_path / "model"
    parts = {"rules.tsv": rules.encode(), "unseen.json": unseen.encode()}
    write_model(path, kind="stsg", parts=parts, metadata={})
    with pytest.raises(ModelFileError, match="its parts cannot be read"):
        Model.load(path)


def test_a_missing_part(tmp_path: Path) -> None:
    write_model(tmp_path / "model", kind="stsg", parts={}, metadata={})
    with pytest.raises(ModelFileError, match=r"rules\.tsv"):
        Model.load(tmp_path / "model")


def test_rules_are_named_where_they_fail(tmp_path: Path) -> None:
    lines = "0\t1\tNP/ε -> (NP a) / ε\n0\t1\tNP/ε -> oops\n"
    parts = {"rules.tsv": lines.encode(), "unseen.json": b"null"}
    write_model(tmp_path / "model", kind="stsg", parts=parts, metadata={})
    with pytest.raises(ModelFileError, match=r"rules\.tsv:2"):
        Model.load(tmp_path / "model")


def test_hostile_names_survive_a_model_file(tmp_path: Path) -> None:
    rule = parse_rule(r"\u{}/ε -> (\u{} \u{2028}\u{9}\/\ε\\) / ε")
    Model(Grammar.from_counts({rule: 1.0})).save(tmp_path / "model")
    assert Model.load(tmp_path / "model").grammar.rules == (rule,)
