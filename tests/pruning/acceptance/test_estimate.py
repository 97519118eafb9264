"""`Acceptance`: what it says of a version, and its part in the search, against all prunings."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.errors import ModelFileError
from treewright.forest import derivation_count, expectation, kbest
from treewright.grammar import FlatUnseen, Grammar
from treewright.modelfile import read_model, write_model
from treewright.pruning import CompressionForest, Model, StepPruning, split_by_heads
from treewright.pruning.acceptance import (
    PARTS,
    Acceptance,
    Judged,
    drop_odds,
    dropped_nodes,
    seam_features,
    seams,
    seams_of,
    split_by_seams,
)
from treewright.trees import Tree, TreeTable, parse_tree

from ...grammar.strategies import trees
from ...profiles import examples
from ..test_heads import PRUNING, SENTENCES, forest_of
from .toys import random_acceptance

brief = examples(15)
HUGE = 10**6
MOST = 100
VALUES = PARTS[0]
NEW = "regret"
"""What older files lack."""


def ways(forest: CompressionForest, weights: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return every pruning by the tokens that it keeps, with its weight."""
    found: dict[tuple[int, ...], float] = {}
    for score, derivation in kbest(forest.forest, weights):
        target = forest.target(derivation)
        assert target is not None
        found[target.positions] = max(score, found.get(target.positions, -math.inf))
    return found


def split(tree: Tree) -> CompressionForest:
    return split_by_heads(forest_of(tree), pairs=True)


def judged_of(forest: CompressionForest, seed: int) -> Judged:
    needed = dict.fromkeys(range(1, len(forest.source), 3), "subject")
    return random_acceptance(seed).judge(forest, needed)


# The model's own odds of dropping.


@pytest.mark.parametrize("sentence", SENTENCES)
def test_odds_of_dropping_are_those_of_all_prunings(sentence: str) -> None:
    forest = forest_of(parse_tree(sentence))
    total = forest.expectation[0]
    table = forest.source
    stays, goes = np.zeros(len(table)), np.zeros(len(table))
    for kept, score in ways(forest, forest.weights).items():
        alive = {x for x in range(len(table)) if _overlaps(kept, table.left[x], table.right[x])}
        for node in range(1, len(table)):
            if table.parent[node] in alive:
                (stays if node in alive else goes)[node] += math.exp(score - total)
    expected = np.full(len(table), -9.2)
    may_go = goes > 1e-12
    expected[may_go] = np.log(goes[may_go] / stays[may_go])
    found = drop_odds(forest)
    assert found.tolist() == pytest.approx(expected.clip(-9.2, 9.2).tolist(), abs=1e-6)


def _overlaps(kept: tuple[int, ...], start: int, end: int) -> bool:
    return any(start <= place < end for place in kept)


def test_some_nodes_may_go() -> None:
    odds = drop_odds(forest_of(parse_tree(SENTENCES[2])))
    assert (odds > -9.0).sum() >= 4


# What is said of a version.


def test_what_keeps_everything_is_accepted() -> None:
    judged = judged_of(split(MAN_SHORT), 0)
    assert judged.log_probability(range(len(MAN_SHORT.words()))) == 0.0


MAN_SHORT = parse_tree("(S (NP (DT the) (JJ old) (NN man)) (VP (VBZ is) (ADVP (RB now))) (. .))")


MAN_TABLE = TreeTable(MAN_SHORT)


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("kept", [(0, 2, 3, 5), (2, 3, 4), (1,)])
def test_losses_and_seams_are_taken_as_independent(kept: tuple[int, ...], told: bool) -> None:
    random = np.random.default_rng(1)
    own = {"regrets": random.normal(size=len(MAN_TABLE)), "clashes": random.normal(size=(8, 8))}
    forest = replace(split(MAN_SHORT), **(own if told else {}))
    acceptance = replace(random_acceptance(3), regret=0.7)
    needed = {forest.source.leaves[0]: "subject", forest.source.leaves[1]: "unpriced"}
    judged = acceptance.judge(forest, needed)
    odds = drop_odds(forest)
    expected = 0.0
    for node in dropped_nodes(forest.source, kept):
        value = sum(acceptance.losses.get(name, 0.0) for name in judged.losses.features(node))
        value += acceptance.odds * odds[node] + acceptance.constant
        value -= 0.7 * own["regrets"][node] if told else 0.0
        part = -math.log1p(math.exp(-value))
        if node in needed:
            part = min(part, {"subject": -4.0, "unpriced": -2.5}[needed[node]])
        expected += part
    seams = seams_of(kept, 6)
    for seam in seams:
        features = seam_features(acceptance.neighbours, judged.classes, [seam])
        [odd] = acceptance.seams.odds(features, judged.tags, [seam])
        if told:
            odd += acceptance.seams.features[-2] * own["clashes"][seam[0] + 1, seam[1] + 1]
        expected -= np.logaddexp(0.0, -odd)
    assert judged.log_probability(kept) == pytest.approx(expected)
    assert judged.probability(kept) == pytest.approx(math.exp(expected))
    assert 0.0 < judged.probability(kept) < 1.0


@pytest.mark.parametrize(
    ("kept", "seams"),
    [
        ((0, 1, 2), []),
        ((1, 2), [(-1, 1)]),
        ((0, 2), [(0, 2)]),
        ((0,), [(0, 3)]),
        ((1,), [(-1, 1), (1, 3)]),
    ],
)
def test_seams_are_where_tokens_become_neighbours(
    kept: tuple[int, ...], seams: list[tuple[int, int]]
) -> None:
    assert seams_of(kept, 3) == seams


# Its part in the search.


Best = dict[int, tuple[float, tuple[int, ...]]]
"""By the number of tokens: the best score, and what that version keeps."""


def searched(
    judged: Judged, forest: CompressionForest, weights: np.ndarray, trust: float, beam: int
) -> Best:
    """Return what is best with this beam; 0 is exact search."""
    with pytest.MonkeyPatch.context() as patch, forced(compiled=False):
        patch.setattr(seams, "BEAM", beam)
        patch.setattr(seams, "SMALL", 0 if beam else HUGE)
        total = weights + trust * judged.edge_weights(forest)
        found, refined = split_by_seams(forest, total, judged.seams, trust)
    curve = found.curve(weights=refined, costs=np.ones(len(forest.source.words), dtype=np.int64))
    return {
        cost: (curve.scores[cost], found.positions(curve.edge_uses(cost)))
        for cost in np.flatnonzero(np.isfinite(curve.scores)).tolist()
    }


def random_weights(forest: CompressionForest, seed: int, scale: float) -> np.ndarray:
    """Return weights under which it often pays to drop something."""
    noise = np.random.default_rng(seed).normal(0.0, scale, forest.forest.num_edges)
    return forest.agreed_weights(price=0.3) + noise


def check_search(tree: Tree, seed: int, trust: float) -> None:
    forest = split(tree)
    judged = judged_of(forest, seed)
    weights = random_weights(forest, seed, 3.0 * trust)
    every = {
        kept: score + trust * judged.log_probability(kept)
        for kept, score in ways(forest, weights).items()
    }
    exact = searched(judged_of(forest, seed), forest, weights, trust, 0)
    assert exact.keys() == {len(kept) for kept in every}
    for cost, (score, kept) in exact.items():
        assert len(kept) == cost
        assert score == pytest.approx(every[kept], abs=1e-4)
        assert score == pytest.approx(max(every[k] for k in every if len(k) == cost), abs=1e-4)
    wide = searched(judged, forest, weights, trust, HUGE)
    assert {n: wide[n][0] for n in wide} == pytest.approx({n: exact[n][0] for n in exact})
    for beam in (1, 2, 4):
        for cost, (score, kept) in searched(judged, forest, weights, trust, beam).items():
            assert score <= exact[cost][0] + 1e-6
            assert score == pytest.approx(every[kept], abs=1e-4)


@brief
@given(tree=trees(), seed=st.integers(0, 99), beam=st.sampled_from([1, 2, 4, HUGE]))
def test_what_is_split_already_is_only_weighed(tree: Tree, seed: int, beam: int) -> None:
    """It is weighed as another split would weigh it, with what its beam leaves out at the root."""
    assume(derivation_count(forest_of(tree).forest) <= MOST)
    forest = split(tree)
    judged = judged_of(forest, seed)
    with pytest.MonkeyPatch.context() as patch, forced(compiled=False):
        patch.setattr(seams, "SMALL", HUGE)
        found, _ = split_by_seams(forest, forest.weights, judged.seams, 1.0)
        weights = random_weights(found, seed, 2.0)
        patch.setattr(seams, "BEAM", beam)
        patch.setattr(seams, "SMALL", 0)
        same, weighed = split_by_seams(found, weights, judged.seams, 1.0)
        nothing = np.zeros((len(forest.source.words) + 2,) * 2)
        again = seams._refined(found, weights, seams._algebra(found, nothing, judged.seams, 1.0))
    assert same is found
    other = found.carried_to(again.forest, again.node, again.origin)
    costs = np.ones(len(forest.source.words), dtype=np.int64)
    np.testing.assert_allclose(
        found.curve(weights=weighed, costs=costs).scores,
        other.curve(weights=again.weights, costs=costs).scores,
    )


@brief
@given(tree=trees(), seed=st.integers(0, 99), trust=st.sampled_from([0.5, 1.0, 8.0]))
def test_the_version_found_is_the_best_of_all(tree: Tree, seed: int, trust: float) -> None:
    assume(2 <= derivation_count(forest_of(tree).forest) <= MOST)
    check_search(tree, seed, trust)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tree", [*map(parse_tree, SENTENCES[1:]), MAN_SHORT])
def test_the_version_found_is_the_best_of_all_of_a_sentence(tree: Tree, seed: int) -> None:
    check_search(tree, seed, 2.0)


def test_seams_change_what_is_best() -> None:
    """Otherwise the tests above would say little."""
    forest = split(MAN_SHORT)
    weights = random_weights(forest, 0, 1.0)
    every = ways(forest, weights)
    changed = 0
    for seed in range(9):
        for cost, (_, kept) in searched(
            judged_of(forest, seed), forest, weights, 4.0, HUGE
        ).items():
            changed += every[kept] < max(every[k] for k in every if len(k) == cost) - 1e-6
    assert changed > 9


def test_a_small_beam_loses_something() -> None:
    forest = split(MAN_SHORT)
    weights = random_weights(forest, 0, 1.0)
    exact, near = (searched(judged_of(forest, 1), forest, weights, 4.0, n) for n in (HUGE, 1))
    assert len(near) < len(exact) or any(near[cost][0] < exact[cost][0] - 1e-6 for cost in near)


def test_nodes_are_judged_only_where_they_may_go() -> None:
    forest = split(MAN_SHORT)
    judged = judged_of(forest, 0)
    assert np.isnan(judged.nodes).all()
    judged.edge_weights(forest)
    assert np.isnan(judged.nodes[0])
    assert not np.isnan(judged.nodes[forest.source.leaves[0]])


def test_what_hardly_any_reader_would_miss_is_dispensable_if_the_estimate_can_tell() -> None:
    forest = split(parse_tree(max(SENTENCES, key=len)))
    nodes = range(1, len(forest.source))
    found = set()
    for seed in range(8):
        judged = judged_of(forest, seed)
        assert judged.dispensable(nodes) == frozenset()
        known = replace(judged.acceptance, losses={**judged.acceptance.losses, ("weighed",): 0.0})
        judged = replace(judged, acceptance=known)
        found.add(judged.dispensable(nodes))
        assert judged.dispensable(nodes) == {x for x in nodes if math.exp(judged.nodes[x]) >= 0.8}
        assert judged.dispensable([]) == frozenset()
    assert len(found) > 1


def test_a_split_forest_weighs_what_it_did() -> None:
    forest = split(MAN_SHORT)
    judged = judged_of(forest, 0)
    with pytest.MonkeyPatch.context() as patch, forced(compiled=False):
        patch.setattr(seams, "BEAM", HUGE)
        found, _ = split_by_seams(forest, forest.weights, judged.seams, 1.0)
    assert expectation(found.forest, found.weights)[0] == pytest.approx(forest.expectation[0])
    assert ways(found, found.weights) == pytest.approx(ways(forest, forest.weights))
    assert found.pairs is not None
    assert len(found.pairs) == found.forest.num_edges


# The model file.


@cache
def toy_model() -> Model:
    unseen = FlatUnseen({}, {}, (0.0, 0.0))
    grammar = Grammar.from_counts({})
    return Model(grammar, unseen, {}, PRUNING, random_acceptance(5))


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    before = toy_model()
    before.save(tmp_path / "a")
    after = Model.load(tmp_path / "a")
    assert isinstance(after.pruning, StepPruning)
    assert after.acceptance is not None
    after.save(tmp_path / "b")
    again = Model.load(tmp_path / "b")
    again.save(tmp_path / "c")
    assert (tmp_path / "c").read_bytes() == (tmp_path / "b").read_bytes()
    assert after.acceptance.grammar == {"": -2.5, "subject": -4.0}
    forest = split(MAN_SHORT)
    for kept in [(0, 2, 3), (2, 3, 4, 5), (1, 4)]:
        first, second = (
            each.acceptance.judge(forest, {}).log_probability(kept)
            for each in (before, after)
            if each.acceptance is not None
        )
        assert second == pytest.approx(first, abs=0.02)


def test_a_model_needs_no_estimate(tmp_path: Path) -> None:
    Model(Grammar.from_counts({}), None, {}, PRUNING).save(tmp_path / "a")
    assert Model.load(tmp_path / "a").acceptance is None
    assert Acceptance.restore({}) is None


def changed(**changes: object) -> bytes:
    values = json.loads(toy_model().acceptance.parts()[VALUES])  # type: ignore[union-attr]
    for name, value in changes.items():
        if value is None:
            del values[name]
        else:
            values[name] = value
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    "changes",
    [
        *[{name: None} for name in json.loads(random_acceptance().parts()[VALUES]) if name != NEW],
        {"losses": [["label", "NN", "much"]]},
        {"losses": [[]]},
        {"losses": [["label", "NN", math.nan]]},
        {"odds": "x"},
        {"constant": math.inf},
        {"regret": math.nan},
        {"seams": {"joined": 1.0}},
        {"tags": [["NN", 1.0]]},
        {"tags": [["NN", "DT", math.nan]]},
        {"grammar": {"subject": -1.0}},
        {"grammar": {"": 1.0}},
        {"neighbours": {"words": [], "tags": ["NN"], "bonds": []}},
    ],
)
def test_damaged_values_are_refused(changes: dict[str, object], tmp_path: Path) -> None:
    check_refused({VALUES: changed(**changes)}, tmp_path)


@pytest.mark.parametrize(
    "parts",
    [
        {VALUES: b""},
        {VALUES: b"[1]"},
        {VALUES: b"null"},
        {"acceptance/pair.npy": b""},
        {"acceptance/values.npy": b"nonsense"},
    ],
)
def test_damaged_parts_are_refused(parts: dict[str, bytes], tmp_path: Path) -> None:
    check_refused(parts, tmp_path)


def test_nouns_are_needed(tmp_path: Path) -> None:
    """They stand for what has an unknown tag."""
    acceptance = toy_model().acceptance
    assert acceptance is not None
    values = acceptance.neighbours.as_dict()
    tags = ["XX" if tag == "NN" else tag for tag in values["tags"]]
    check_refused({VALUES: changed(neighbours={**values, "tags": tags})}, tmp_path)


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    toy_model().save(tmp_path / "model")
    parts, metadata = read_model(tmp_path / "model", kind="rules")
    del parts["acceptance/rest.npy"]
    write_model(tmp_path / "bad", kind="rules", parts=parts, metadata=metadata)
    with pytest.raises(ModelFileError, match=r"acceptance/rest\.npy"):
        Model.load(tmp_path / "bad")


def check_refused(parts: dict[str, bytes], folder: Path) -> None:
    toy_model().save(folder / "model")
    whole, metadata = read_model(folder / "model", kind="rules")
    assert set(parts) <= set(whole)
    write_model(folder / "bad", kind="rules", parts={**whole, **parts}, metadata=metadata)
    with pytest.raises(ModelFileError, match="cannot be read"):
        Model.load(folder / "bad")


def test_a_pronoun_alone_is_one_more_loss() -> None:
    """With a weight for it; an estimate that has none knows nothing of pronouns."""
    tree = parse_tree(
        "(S (S (NP (NNS Dogs)) (VP (VBP bark))) (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) "
        "(NP (PRP them)))))"
    )
    forest = split(tree)
    plain = random_acceptance(1)
    weights = {("orphan",): -0.5, ("orphan", "them"): -1.25}
    aware = replace(plain, losses={**plain.losses, **weights})
    for kept, alone in (((3, 4, 5), True), ((0, 3, 4, 5), False), ((3, 4), False)):
        found = [each.judge(forest, {}).log_probability(kept) for each in (plain, aware)]
        loss = -math.log1p(math.exp(1.75 - plain.constant)) if alone else 0.0
        assert found[1] - found[0] == pytest.approx(loss)
