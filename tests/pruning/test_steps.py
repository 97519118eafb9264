"""`StepPruning`: what it learns, what its prices are, and its file."""

from __future__ import annotations

import itertools
import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment import align_pair
from treewright.compiling import forced
from treewright.corpora import Pair
from treewright.errors import DataError, ModelFileError
from treewright.grammar import Grammar, pruning_rule
from treewright.modelfile import read_model, write_model
from treewright.pruning import Model, StepPruning, _kernels
from treewright.pruning.circumstances import families, features, frame
from treewright.pruning.gaps import Gaps
from treewright.pruning.steps import BOUND, MIN_COUNT, PRIOR
from treewright.trees import Tree, TreeTable, parse_tree

from ..grammar import toys
from ..grammar.strategies import trees
from ..profiles import examples

KEPT = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
PAIRS = [
    align_pair(Pair(str(number), parse_tree(source), parse_tree(target)))
    for number, (source, target) in enumerate(
        [
            ("(S (ADVP (RB now)) (NP (DT the) (NN dog)) (VP (VBZ barks)))", KEPT),
            ("(S (ADVP (RB now)) (NP (DT the) (NN dog)) (VP (VBZ barks)))", KEPT),
            ("(S (ADVP (RB then)) (NP (DT the) (NN cat)) (VP (VBZ runs)))",) * 2,
            ("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks)))", KEPT),
        ]
    )
]
PRUNING = StepPruning.learn(PAIRS)


def drop_rates(pruning: StepPruning, tree: Tree) -> list[tuple[float, float]]:
    """Return the drop rates of the root's children, behind one kept and behind one dropped."""
    skeleton = TreeTable(tree)
    steps, _ = pruning.steps(skeleton)
    return [tuple(np.exp(steps[y, 1::2]).tolist()) for y in skeleton.children[0]]


def naive_rates(pruning: StepPruning, tree: Tree) -> list[tuple[float, float]]:
    """The same by the formula: all features of each child of the root, one by one."""
    skeleton = TreeTable(tree)
    rates = []
    [family] = [f for f in families(skeleton) if f.node == 0]
    for place, views in enumerate(family.views):
        both = []
        for before in ("kept" if place else "first", "dropped"):
            found = [
                f for v in (frame(family.production, place, before), *views) for f in features(v)
            ]
            assert len(found) == len(set(found))
            odds = sum(pruning.weights.get(feature, 0.0) for feature in found)
            both.append(1 / (1 + math.exp(-max(-BOUND, min(BOUND, odds)))))
        rates.append((both[0], both[1]))
    return rates


def test_prices_are_the_formula() -> None:
    for pair in PAIRS:
        for found, expected in zip(
            drop_rates(PRUNING, pair.source), naive_rates(PRUNING, pair.source), strict=True
        ):
            assert found == pytest.approx(expected)


def test_what_is_often_dropped_is_cheap_to_drop() -> None:
    adverb, subject, verb = [rate for rate, _ in drop_rates(PRUNING, PAIRS[0].source)]
    assert adverb > 0.5
    assert subject < 0.3
    assert verb < 0.3


def test_words_tell_children_apart() -> None:
    (now, _), *_ = drop_rates(PRUNING, PAIRS[0].source)
    (then, _), *_ = drop_rates(PRUNING, PAIRS[2].source)
    assert now > then


def test_the_sibling_before_counts() -> None:
    # Adjectives go together or stay together.
    both = ["(NP (A w) (A x) (N y))", "(NP (N y))"]
    learned = StepPruning.learn(
        align_pair(Pair(f"{target}{i}", parse_tree(both[0]), parse_tree(target)))
        for target in (both[1], both[0])
        for i in range(10)
    )
    _, (behind_kept, behind_dropped), _ = drop_rates(learned, parse_tree(both[0]))
    assert behind_dropped > 0.6 > 0.4 > behind_kept


def test_the_weights_are_the_most_probable() -> None:
    """At the maximum, observed minus expected drops of a feature is its weight times the prior."""
    slope: dict[tuple[str, ...], float] = {}
    seen: dict[tuple[str, ...], int] = {}
    for pair in PAIRS:
        assert pair.alignment is not None
        linked = {i for i, _ in pair.alignment}
        tree = TreeTable(pair.source)
        for family in families(tree):
            words = [set(range(tree.left[y], tree.right[y])) for y in family.children]
            if not linked & set().union(*words):
                continue
            before = "first"
            for place, views in enumerate(family.views):
                found = [
                    f
                    for v in (frame(family.production, place, before), *views)
                    for f in features(v)
                ]
                dropped = not linked & words[place]
                odds = sum(PRUNING.weights.get(feature, 0.0) for feature in found)
                for feature in found:
                    seen[feature] = seen.get(feature, 0) + 1
                    error = dropped - 1 / (1 + math.exp(-odds))
                    slope[feature] = slope.get(feature, 0.0) + error
                before = "dropped" if dropped else "kept"
    often = {feature for feature, count in seen.items() if count >= MIN_COUNT}
    assert PRUNING.weights.keys() <= often
    for feature in often:
        expected = PRIOR * PRUNING.weights.get(feature, 0.0)
        assert slope[feature] == pytest.approx(expected, abs=2e-3)


def stop_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the optimiser give up, and say so, after a number of steps."""
    hasty = partial(scipy.optimize.minimize, options={"maxiter": steps})
    monkeypatch.setattr(scipy.optimize, "minimize", hasty)


def test_weights_far_from_the_most_probable_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(1, monkeypatch)
    message = r"no weights of pruning found, a slope of \d.* left: .*Maximum number of iterations"
    with pytest.raises(RuntimeError, match=message):
        StepPruning.learn(PAIRS)


def test_weights_near_the_most_probable_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(5, monkeypatch)
    hasty = StepPruning.learn(PAIRS)
    assert hasty != PRUNING
    assert hasty.weights == pytest.approx(PRUNING.weights, abs=0.1)


def all_prunings(pruning: StepPruning, tree: Tree) -> dict[tuple[bool, ...], float]:
    """Return the probability of every way to keep some of the root's children."""
    skeleton = TreeTable(tree)
    steps, closing = pruning.steps(skeleton)
    children = skeleton.children[0]
    found = {}
    for kept in itertools.product([True, False], repeat=len(children)):
        total, dropped = closing[0], False
        for y, keep in zip(children, kept, strict=True):
            total += steps[y, 2 * dropped + (not keep)]
            dropped = not keep
        if any(kept):
            found[kept] = math.exp(total)
    return found


@examples(40)
@given(trees(), st.sampled_from([PRUNING, StepPruning({})]))
def test_all_prunings_of_a_node_sum_to_one(tree: Tree, pruning: StepPruning) -> None:
    if len(tree.children) > 1:
        assert sum(all_prunings(pruning, tree).values()) == pytest.approx(1.0)


def naive_steps(odds: list[float]) -> tuple[float, ...]:
    """Kept and dropped after a kept sibling, then after a dropped one."""
    drops = [1 / (1 + math.exp(-max(-BOUND, min(BOUND, odd)))) for odd in odds]
    return tuple([math.log(chance) for drop in drops for chance in (1 - drop, drop)])


def naive_gaps(tree: TreeTable, odds: list[float], gaps: Gaps) -> list[float]:
    """The price of every gap, step by step."""
    places = itertools.count(0, 2)
    steps = {}
    for children in tree.children:
        for y in children if len(children) > 1 else []:
            place = next(places)
            steps[y] = naive_steps(odds[place : place + 2])
    prices = []
    for g, x in enumerate(gaps.parent.tolist()):
        children = tree.children[x]
        first, last, right = (int(column[g]) for column in (gaps.first, gaps.last, gaps.right))
        dropped = [y for y in children if first <= y <= last]
        price, after = 0.0, bool(gaps.resumes[g])
        for y in dropped:
            price += steps[y][2 * after + 1]
            after = True
        if right >= 0 and not gaps.pauses[g]:
            price += steps[right][2 * bool(dropped)]
        if right < 0:
            everything = sum(steps[y][3 if number else 1] for number, y in enumerate(children))
            price -= math.log(1 - math.exp(everything))
        prices.append(price)
    return prices


@pytest.mark.parametrize("compiled", [True, False])
@examples(40)
@given(st.data())
def test_prices_of_gaps_against_their_twin(compiled: bool, data: Any) -> None:
    tree = TreeTable(data.draw(trees()))
    children = sum(len(below) for below in tree.children if len(below) > 1)
    odd = st.floats(-15.0, 15.0)
    odds = data.draw(st.lists(odd, min_size=2 * children, max_size=2 * children))
    end = np.array(tree.end, dtype=np.int32)
    with forced(compiled):
        gaps = Gaps(*_kernels.list_gaps(end, 2))
        found = _kernels.price_gaps(end, np.array(odds), BOUND, gaps)
    assert found.tolist() == pytest.approx(naive_gaps(tree, odds, gaps), rel=1e-6, abs=1e-9)


def test_knowing_nothing_all_prunings_are_alike() -> None:
    chances = all_prunings(StepPruning({}), parse_tree("(X (Y y) (Z z))"))
    assert list(chances.values()) == pytest.approx([1 / 3] * 3)


def test_nothing_is_impossible() -> None:
    tree = parse_tree("(X (Y y) (Z z))")
    for sign in (1.0, -1.0):
        certain = StepPruning({("frame0",): sign * 1e6})
        chances = all_prunings(certain, tree)
        assert all(chance > 0.0 for chance in chances.values())
        assert sum(chances.values()) == pytest.approx(1.0)


def test_nothing_to_learn_from() -> None:
    assert StepPruning.learn([]) == StepPruning({})
    with pytest.raises(DataError, match="bare: the pair has no word alignment"):
        StepPruning.learn([Pair("bare", parse_tree("(A a)"), parse_tree("(A a)"))])


def test_circumstances() -> None:
    tree = TreeTable(parse_tree("(S (NP (DT The) (NN dog)) (VP (VBZ barks)))"))
    clause, subject = families(tree)
    assert (clause.node, clause.children, clause.production) == (0, [1, 4], "S NP VP")
    assert clause.views[0] == (
        ("size", "S", "NP", "", "2"),
        ("tag", "S", "NP", "", "NN"),
        ("word", "NP", "NN", "dog"),
        ("expansion", "S", "NP", "", "DT NN"),
    )
    assert subject.views[0][-1] == ("expansion", "NP", "DT", "", "the")
    assert frame("S NP VP", 1, "dropped") == (
        *("frame", "S", "VP", "head", "head", "S NP VP", "1"),
        "dropped",
    )
    assert features(("word", "NP", "NN", "dog")) == [("word0", "NP", "dog"), ("word1", "NN", "dog")]


def model(pruning: StepPruning | None = PRUNING) -> Model:
    return Model(
        Grammar.from_counts(dict.fromkeys(toys.rules(["A/ε -> (A a) / ε"]), 1.0)), pruning=pruning
    )


def test_it_survives_its_file(tmp_path: Path) -> None:
    assert StepPruning.restore(json.loads(json.dumps(PRUNING.as_dict())), {}) == PRUNING
    model().save(tmp_path / "m")
    assert Model.load(tmp_path / "m").pruning == PRUNING
    model(None).save(tmp_path / "m")
    assert Model.load(tmp_path / "m").pruning is None


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"features": [["word0", "NP", "dog", None]]}, "the weight of word0 NP dog is None"),
        ({"features": [["word0", math.inf]]}, "the weight of word0  is inf"),
        ({"features": [["word0", "1.0"]]}, "the weight of word0  is '1.0'"),
        ({"features": [[3, 1.0]]}, "3 is not a feature"),
        ({"features": [[1.0]]}, "unpack"),
        ({"children": []}, "features"),
        ([], "list indices"),
    ],
)
def test_a_damaged_part_is_refused(part: object, message: str, tmp_path: Path) -> None:
    if isinstance(part, dict):
        part = {"kind": "steps", **part}
    model().save(tmp_path / "m")
    parts, _ = read_model(tmp_path / "m", kind="rules")
    parts["pruning.json"] = json.dumps(part).encode()
    write_model(tmp_path / "m", kind="rules", parts=parts, metadata={})
    with pytest.raises(ModelFileError, match=message):
        Model.load(tmp_path / "m")


def test_pruning_rules_link_what_they_keep() -> None:
    rule = pruning_rule("NP", ("DT", "JJ", "NN"), [True, False, True])
    assert str(rule) == "NP/NP -> (NP DT[1] JJ[ε] NN[2]) / (NP DT[1] NN[2])"
