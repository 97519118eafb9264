"""Features of rules: the paper's figures by hand, matrices, and productions never seen."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import ModelFileError, UsageError
from treewright.grammar import Extraction, Grammar, Rule, copy_rule, parse_rule
from treewright.grammar.features import (
    RULE_TEMPLATES,
    FeatureIndex,
    Frequencies,
    Frequency,
    LinearUnseen,
    RuleFeatures,
)
from treewright.grammar.features.view import LOWEST, edits
from treewright.grammar.unseen import unseen_from_dict
from treewright.pruning import Model
from treewright.trees import Tree, parse_tree

from . import toys
from .strategies import quick, rules, trees

FIGURE_2 = toys.PAPER_RULES[-1]
FIGURE_3 = Grammar.from_counts(
    {
        rule: count
        for rule, count in Extraction(parts=1)([toys.DOCUMENTATION]).items()
        if rule.target is not None
    }
)
COUNTED = toys.grammar(
    """
    3 NP/NP -> (NP DT[1] NN[2]) / (NP DT[1] NN[2])
    1 NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])
    4 NP/NP -> (NP NN[1]) / (NP NN[1])
    2 NP/ε -> (NP DT[ε] NN[ε]) / ε
    """
)
# All features but the identity of the rule; a number in front is a value other than 1.
BY_HAND = {
    "S/S -> (S ADVP[ε] NP[1] VP[2]) / (S NP[1] (VP (AUX do) VP[2]))": """
        source:(S ADVP[] NP[] VP[])
        target:(S NP[] (VP (AUX do) VP[]))
        production:S -> NP VP
        production:VP -> AUX VP
        root:S/S
        target_yield:NP[] do VP[]
        both_yields:ADVP[] NP[] VP[] / NP[] do VP[]
        word:do
        tree_edit:+VP
        tree_edit:+AUX
        yield_edit:-ADVP[]
        yield_edit:+do
        target_words
        rules
        dropped
        """,
    "NP/NP -> (NP (DT the) (, ,) (DT the) NN[1]) / (NP NN[1] (, ,) (, ,))": """
        source:(NP (DT the) (, ,) (DT the) NN[])
        target:(NP NN[] (, ,) (, ,))
        production:NP -> NN , ,
        root:NP/NP
        source_yield:the , the NN[]
        target_yield:NN[] , ,
        both_yields:the , the NN[] / NN[] , ,
        2 word:,
        2 tree_edit:-DT
        tree_edit:+,
        2 yield_edit:-the
        yield_edit:-,
        2 yield_edit:+,
        rules
        """,
    "PP/NP -> (PP IN[ε] NP[1]) / NP[1]": """
        source:(PP IN[] NP[])
        target:NP[]
        root:PP/NP
        subset
        tree_edit:-PP
        yield_edit:-IN[]
        rules
        dropped
        """,
    "NP/ε -> (NP (DT the) NN[ε]) / ε": """
        source:(NP (DT the) NN[])
        target:ε
        root:NP/ε
        source_yield:the NN[]
        both_yields:the NN[] / ε
        subset
        tree_edit:-NP
        tree_edit:-DT
        yield_edit:-the
        yield_edit:-NN[]
        rules
        dropped
        """,
    r"ε/N\/A -> ε / (N\/A c\u{9}d)": r"""
        source:ε
        target:(N\/A c\u{9}d)
        root:ε/N\/A
        word:c\u{9}d
        tree_edit:+N\/A
        yield_edit:+c\u{9}d
        target_words
        rules
        """,
    # Figure 2 of the paper.
    FIGURE_2: """
        source:(VP (VP (AUX is) ADJP[]) CC[] VP[])
        target:(VP (AUX is) NP[])
        production:VP -> AUX NP
        root:VP/VP
        source_yield:is ADJP[] CC[] VP[]
        target_yield:is NP[]
        both_yields:is ADJP[] CC[] VP[] / is NP[]
        word:is
        tree_edit:-VP
        yield_edit:-ADJP[]
        yield_edit:-CC[]
        yield_edit:-VP[]
        yield_edit:+NP[]
        target_words
        rules
        2 dropped
        """,
    # Rules of Figure 3.
    "VP/VP -> (VP VP[1] CC[ε] VP[ε]) / VP[1]": """
        source:(VP VP[] CC[] VP[])
        target:VP[]
        root:VP/VP
        subset
        tree_edit:-VP
        yield_edit:-CC[]
        yield_edit:-VP[]
        rules
        2 dropped
        """,
    "NN/NN -> (NN documentation) / (NN Documentation)": """
        source:(NN documentation)
        target:(NN Documentation)
        root:NN/NN
        word:Documentation
        yield_edit:-documentation
        yield_edit:+Documentation
        target_words
        rules
        """,
}


def by_hand(rule: str) -> dict[str, float]:
    found = {f"both:{rule}": 1.0}
    for line in map(str.strip, BY_HAND[rule].strip().splitlines()):
        found[line.removeprefix("2 ")] = 2.0 if line.startswith("2 ") else 1.0
    return found


def vector(text: str, features: RuleFeatures | None = None) -> dict[str, float]:
    return (features or RuleFeatures()).vector(parse_rule(text))


@pytest.mark.parametrize("rule", BY_HAND)
def test_every_template_by_hand(rule: str) -> None:
    assert vector(rule) == by_hand(rule)


def test_the_hand_made_vectors_show_every_template() -> None:
    shown = {name.partition(":")[0] for rule in BY_HAND for name in by_hand(rule)}
    assert shown == set(RULE_TEMPLATES) - {"frequency", "unseen"}


def test_a_word_spelled_out_is_no_variable() -> None:
    spelled = "VP/VP -> (VP (VP (AUX is) ADJP[1]) (CC and) VP[ε]) / (VP (AUX is) NP[1])"
    changed = vector(spelled)
    assert changed["dropped"] == 1
    assert changed["tree_edit:-CC"] == changed["yield_edit:-and"] == 1


def test_figure_3() -> None:
    assert set(FIGURE_3.rules) == set(toys.rules(toys.FIGURE_3))
    features = RuleFeatures(Frequencies.of(FIGURE_3))
    whole = Counter[str]()
    for rule in FIGURE_3.rules:
        whole.update(features.vector(rule))
    assert whole["rules"] == 10
    assert whole["target_words"] == 4  # the full stop is free
    assert whole["dropped"] == 3
    assert whole["subset"] == 9
    assert whole["tree_edit:-VP"] == 1


def test_frequencies_are_logs_of_shares_and_of_the_count() -> None:
    found = Frequencies.of(COUNTED)
    kept, shortened, single, deleted = (
        found[parse_rule(text)]
        for text in (
            "NP/NP -> (NP DT[1] NN[2]) / (NP DT[1] NN[2])",
            "NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])",
            "NP/NP -> (NP NN[1]) / (NP NN[1])",
            "NP/ε -> (NP DT[ε] NN[ε]) / ε",
        )
    )
    assert kept == pytest.approx((math.log(3 / 6), 0.0, math.log(3)))
    assert shortened == pytest.approx((math.log(1 / 6), math.log(1 / 5), 0.0))
    assert single == pytest.approx((0.0, math.log(4 / 5), math.log(4)))
    assert deleted == pytest.approx((math.log(2 / 6), 0.0, math.log(2)))
    assert found[copy_rule("NP", ("NNS",))] == Frequency(0.0, 0.0, 0.0)


def test_a_rule_without_any_count_has_finite_frequencies() -> None:
    found = Frequencies.of(COUNTED.with_weights(COUNTED.weights, counts=np.zeros(4)))
    assert set(found.seen.values()) == {Frequency(LOWEST, LOWEST, LOWEST)}


def test_the_frequency_template() -> None:
    features = RuleFeatures(Frequencies.of(COUNTED), ("frequency",))
    found = vector("NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])", features)
    assert found == pytest.approx(
        {
            "frequency:target_given_source": math.log(1 / 6),
            "frequency:source_given_target": math.log(1 / 5),
        }
    )
    assert features.vector(COUNTED.rules[0], unseen=True) == {}


def test_unseen_rules_are_flagged() -> None:
    rule = copy_rule("NP", ("NN",))
    features = RuleFeatures(templates=("unseen", "rules"))
    assert features.vector(rule) == {"rules": 1}
    assert features.vector(rule, unseen=True) == {"rules": 1, "unseen": 1}


def test_an_unknown_template_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UsageError, match=r"unknown feature template 'yeild'; choose .* yield_edit"):
        RuleFeatures(templates=("source", "yeild"))
    with pytest.raises(UsageError, match="twice"):
        RuleFeatures(templates=("source", "source"))


def test_a_template_is_added_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULE_TEMPLATES, "variables", lambda view: {"": view.rule.variables})
    assert vector(FIGURE_2, RuleFeatures(templates=("variables",))) == {"variables": 1}
    assert vector(FIGURE_2)["variables"] == 1


short = st.lists(st.sampled_from("abc"), max_size=6)
seeds = st.integers(0, 1000)


@quick
@given(short, short)
def test_edits_are_the_fewest_that_turn_one_into_the_other(
    source: list[str], target: list[str]
) -> None:
    removed, inserted = edits(source, target)
    turned = Counter(source) - Counter(removed) + Counter(inserted)
    assert turned == Counter(target)
    common = max(
        size
        for size in range(len(source) + 1)
        if set(itertools.combinations(source, size)) & set(itertools.combinations(target, size))
    )
    assert len(removed) == len(source) - common
    assert len(inserted) == len(target) - common


@quick
@given(st.lists(rules(), max_size=6, unique=True), st.lists(rules(), max_size=2), seeds)
def test_the_matrix_holds_the_vectors(seen: list[Rule], unseen: list[Rule], seed: int) -> None:
    features = RuleFeatures(Frequencies.of(Grammar.from_counts(dict.fromkeys(seen, 2.0))))
    index = features.index(seen, unseen=unseen)
    vectors = [features.vector(rule) for rule in seen]
    vectors += [features.vector(rule, unseen=True) for rule in unseen]
    weights = np.random.default_rng(seed).normal(size=len(index.names))
    by_name = index.named(weights)
    expected = [sum(by_name[name] * value for name, value in v.items()) for v in vectors]
    assert index.matrix @ weights == pytest.approx(expected)
    total = Counter[str]()
    for found in vectors:
        total.update(found)
    summed = np.asarray(index.matrix.sum(axis=0)).ravel()
    assert summed == pytest.approx([total[name] for name in index.names])
    assert list(index.names) == sorted(total)


@quick
@given(rules(), rules())
def test_names_fit_a_line_of_a_table_and_tell_rules_apart(one: Rule, other: Rule) -> None:
    names = list(RuleFeatures().vector(one))
    assert all(len(name.splitlines()) == 1 and "\t" not in name for name in names)
    for template, same in (
        ("source", one.source == other.source),
        ("target", one.target == other.target),
        ("both", one == other),
    ):
        features = RuleFeatures(templates=(template,))
        assert (features.vector(one) == features.vector(other)) == same


def test_columns_do_not_depend_on_the_order_of_rules() -> None:
    features = RuleFeatures(Frequencies.of(FIGURE_3))
    index = features.index(FIGURE_3.rules)
    turned = features.index(reversed(FIGURE_3.rules))
    assert index.names == turned.names
    assert np.array_equal(index.matrix.toarray()[::-1], turned.matrix.toarray())


def test_without_rules_there_are_no_features() -> None:
    assert FeatureIndex.of([]).matrix.shape == (0, 0)


@quick
@given(trees(), seeds)
def test_unseen_copies_score_as_their_row_and_survive_json(tree: Tree, seed: int) -> None:
    nodes = list(tree.nodes())
    copies = [copy_rule(n.label, tuple(c.label for c in n.children), word=n.word) for n in nodes]
    features = RuleFeatures(Frequencies(unseen=Frequency(-1.0, -2.0, 0.5)))
    index = features.index([], unseen=copies)
    weights = np.random.default_rng(seed).normal(size=len(index.names))
    unseen = LinearUnseen.of(features, {"gap:NP": 5.0, **index.named(weights)})
    again = unseen_from_dict(json.loads(json.dumps(unseen.as_dict())))
    assert again == unseen
    for model in (unseen, unseen, again):
        assert model is not None
        found = [model.weights(node) for node in nodes]
        assert [copy for copy, _ in found] == pytest.approx(list(index.matrix @ weights))
        assert {deletion for _, deletion in found} == {0.0}


def test_a_word_without_weights_is_like_any_other_of_its_tag() -> None:
    weights = {"root:NN/NN": 1.0, "word:dog": 2.0, "unseen": -4.0}
    unseen = LinearUnseen(weights, tuple(RULE_TEMPLATES))
    dog, cat, yak = (unseen.weights(Tree("NN", word=word)) for word in ("dog", "cat", "yak"))
    assert dog == (-1.0, 0.0)
    assert cat == yak == (-3.0, 0.0)
    assert unseen.weights(parse_tree("(NP (NN dog))")) == (-4.0, 0.0)


def test_a_model_file_keeps_it(tmp_path: Path) -> None:
    unseen = LinearUnseen({"word:dog": 2.0, "unseen": -4.0}, ("word", "unseen"))
    Model(COUNTED, unseen).save(tmp_path / "toy.model")
    assert Model.load(tmp_path / "toy.model").unseen == unseen


class Newer(LinearUnseen):
    def as_dict(self) -> dict[str, object]:
        return {**super().as_dict(), "templates": ["word", "rhyme", "metre"]}


def test_templates_of_a_newer_version_are_named(tmp_path: Path) -> None:
    Model(COUNTED, Newer({}, ("word",))).save(tmp_path / "newer.model")
    with pytest.raises(ModelFileError, match="unknown here: rhyme, metre; upgrade treewright"):
        Model.load(tmp_path / "newer.model")


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": {"word:dog": "2"}},
        {"weights": {"word:dog": math.inf}},
        {"weights": {"word:dog": True}},
        {"frequency": [0.0, 0.0, math.nan]},
        {"frequency": [0.0, 0.0]},
    ],
)
def test_damaged_values_are_errors(wrong: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        unseen_from_dict({**LinearUnseen({}, ("word",)).as_dict(), **wrong})
