"""Base distributions: hand-computed numbers, total mass, and brute force over alignments."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import pytest

from treewright.errors import UsageError
from treewright.grammar import PCFG, BaseDistribution, PlainBase, Rule, parse_rule
from treewright.grammar.base import base_from_dict, log_alignments
from treewright.trees import Tree, parse_tree

from . import oracle

# S -> NP VP (2), NP -> N (1) | N N (2), N -> a (4) | b (1), VP -> V (2), V -> c (2)
TREES = [
    parse_tree("(S (NP (N a)) (VP (V c)))"),
    parse_tree("(S (NP (N a) (N a)) (VP (V c)))"),
    parse_tree("(NP (N a) (N b))"),
]
P = PCFG.read_off(TREES)
QUARTER = BaseDistribution(P, P, beta=0.25)


def probability(text: str, base: BaseDistribution = QUARTER) -> float:
    return math.exp(base.log_probability(parse_rule(text)))


def test_pcfg() -> None:
    def p(*production: str) -> float:
        return math.exp(P.log_probability(production))

    assert p("S", "NP", "VP") == pytest.approx(2 / 3)
    assert p("NP", "N") == pytest.approx(1 / 4)
    assert p("NP", "N", "N") == pytest.approx(2 / 4)
    assert p("N", "", "a") == pytest.approx(4 / 6)
    assert p("N", "", "unseen") == pytest.approx(1 / 6)
    assert p("NP", "VP") == pytest.approx(1 / 4)
    assert p("X", "Y") == 1.0


def test_p0_by_hand() -> None:
    # Two frontier nodes a side: 1 + 4 + 2 = 7 alignments. The target root expands with β = 1/4,
    # the source root for nothing.
    copy = "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])"
    side = 2 / 3 * 0.75**2
    assert probability(copy) == pytest.approx(0.25 * side**2 / 7)
    crossed = "S/S -> (S NP[1] VP[2]) / (S VP[2] NP[1])"
    assert probability(crossed) == pytest.approx(0.25 * side * (1 / 3 * 0.75**2) / 7)
    # A deletion is one fragment alone: NP expands for nothing, N with β.
    deletion = "NP/ε -> (NP (N a) N[ε]) / ε"
    assert probability(deletion) == pytest.approx(2 / 4 * (0.25 * 4 / 6) * 0.75)
    insertion = "ε/NP -> ε / (NP (N a) N[ε])"
    assert probability(insertion) == pytest.approx(probability(deletion))
    # One frontier node against none: one alignment.
    lexical = probability("NP/N -> (NP N[ε]) / (N a)")
    assert lexical == pytest.approx(1 / 4 * 0.75 * 0.25 * 4 / 6)
    # A bare target is a decision to stop; with one node a side there are two alignments.
    assert probability("NP/N -> (NP N[1]) / N[1]") == pytest.approx(1 / 4 * 0.75 * 0.75 / 2)


def test_p0_may_charge_the_root() -> None:
    charged = BaseDistribution(P, P, beta=0.25, beta_at_root=True)
    copy = "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])"
    assert probability(copy, charged) == pytest.approx(probability(copy) * 0.25)
    assert probability("NP/ε -> (NP N[ε]) / ε", charged) == pytest.approx(0.25 / 4 * 0.75)
    bare = "NP/N -> (NP N[1]) / N[1]"
    assert probability(bare, charged) == pytest.approx(probability(bare) * 0.25)


def test_p0_without_insertions() -> None:
    strict = BaseDistribution(P, P, beta=0.25, insertions=False)
    side = 2 / 3 * 0.75**2
    copy = "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])"
    assert probability(copy, strict) == pytest.approx(0.25 * side**2 / 2)
    assert probability("S/NP -> (S NP[1] VP[ε]) / NP[1]", strict) == pytest.approx(side * 0.75 / 2)
    assert probability("S/S -> (S NP[ε] VP[1]) / (S NP[ε] VP[1])", strict) == 0.0
    assert probability("NP/NP -> (NP N[1]) / (NP N[1] N[ε])", strict) == 0.0


def fragments(label: str, depth: int) -> list[Tree]:
    """Every fragment of the toy PCFG of at most this depth, the bare label among them."""
    made = [Tree(label)]
    if depth:
        for first, *rest in P.counts:
            if first != label:
                continue
            if rest[0] == "":
                made.append(Tree(label, word=rest[1]))
            else:
                below = [fragments(child, depth - 1) for child in rest]
                made += [Tree(label, children) for children in product(*below)]
    return made


def matchings(sources: int, targets: int) -> list[tuple[int, ...]]:
    """Every way to link frontiers one to one, ε on either side."""
    found = []
    for k in range(min(sources, targets) + 1):
        for chosen in combinations(range(sources), k):
            for images in permutations(range(targets), k):
                to = dict(zip(chosen, images, strict=True))
                found.append(tuple(to.get(i, -1) for i in range(sources)))
    return found


def rules(source_label: str, target_label: str, depth: int) -> list[Rule]:
    return [
        Rule(source, target, links)
        for source in fragments(source_label, depth)
        if not source.is_frontier
        for target in fragments(target_label, depth)
        for links in matchings(len(oracle.frontier(source)), len(oracle.frontier(target)))
    ]


@pytest.mark.parametrize("insertions", [True, False])
@pytest.mark.parametrize("roots", [("NP", "NP"), ("S", "NP"), ("N", "VP")])
def test_p0_adds_up_to_no_more_than_one(roots: tuple[str, str], insertions: bool) -> None:
    paid = BaseDistribution(P, P, beta=0.4, beta_at_root=True, insertions=insertions)
    total = sum(math.exp(paid.log_probability(rule)) for rule in rules(*roots, 3))
    assert 0.0 < total <= 0.4  # a source that does not expand is no rule
    free = BaseDistribution(P, P, beta=0.4, insertions=insertions)
    assert total < sum(math.exp(free.log_probability(rule)) for rule in rules(*roots, 3)) <= 1.0


@pytest.mark.parametrize("label", ["S", "NP", "N"])
def test_p0_of_deletions_adds_up_to_no_more_than_one(label: str) -> None:
    deletions = [
        Rule(source, None, (-1,) * len(oracle.frontier(source)))
        for source in fragments(label, 3)
        if not source.is_frontier
    ]
    total = sum(math.exp(QUARTER.log_probability(rule)) for rule in deletions)
    assert 0.5 < total <= 1.0


@pytest.mark.parametrize("sources", range(5))
@pytest.mark.parametrize("targets", range(5))
def test_alignments_are_counted(sources: int, targets: int) -> None:
    every = matchings(sources, targets)
    assert math.exp(log_alignments(sources, targets, True)) == pytest.approx(len(every))
    whole = [links for links in every if set(range(targets)) <= set(links)]
    if whole:
        assert math.exp(log_alignments(sources, targets, False)) == pytest.approx(len(whole))
    else:
        assert log_alignments(sources, targets, False) == math.inf


def test_many_alignments_do_not_overflow() -> None:
    assert math.isfinite(log_alignments(500, 500, True))


def test_plain_base_knows_copies_and_deletions_of_one_production() -> None:
    base = PlainBase(P)

    def p(text: str) -> float:
        return math.exp(base.log_probability(parse_rule(text)))

    assert p("S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])") == pytest.approx(2 / 3)
    assert p("S/ε -> (S NP[ε] VP[ε]) / ε") == pytest.approx(2 / 3)
    assert p("N/N -> (N a) / (N a)") == pytest.approx(4 / 6)
    assert p("S/S -> (S NP[1] VP[2]) / (S VP[2] NP[1])") == 0.0
    assert p("S/S -> (S (NP N[1]) VP[2]) / (S (NP N[1]) VP[2])") == 0.0
    assert p("S/ε -> (S (NP N[ε]) VP[ε]) / ε") == 0.0
    assert p("N/N -> (N a) / (N b)") == 0.0
    assert p("ε/N -> ε / (N a)") == 0.0


@pytest.mark.parametrize("base", [PlainBase(P), QUARTER])
@pytest.mark.parametrize("path", oracle.paths(TREES[1]))
def test_copy_and_deletion(base: PlainBase | BaseDistribution, path: oracle.Path) -> None:
    own = oracle.own_rules(TREES[1], path)
    assert base.copy_and_deletion(oracle.at(TREES[1], path)) == pytest.approx(
        [base.log_probability(own["copy"]), base.log_probability(own["delete"])]
    )


@pytest.mark.parametrize(
    "base",
    [
        PlainBase(P),
        QUARTER,
        BaseDistribution(P, PCFG({}), 0.5, beta_at_root=True, insertions=False),
    ],
)
def test_reading_back(base: PlainBase | BaseDistribution) -> None:
    again = base_from_dict(base.as_dict())
    assert again.as_dict() == base.as_dict()
    assert again.copy_and_deletion(TREES[0]) == base.copy_and_deletion(TREES[0])


def test_reading_files_that_still_say_pruned() -> None:
    values = PlainBase(P).as_dict()
    assert base_from_dict(values | {"pruned": False}).as_dict() == values


@pytest.mark.parametrize("beta", [0.0, 1.0, -1.0, 2.0])
def test_impossible_beta(beta: float) -> None:
    with pytest.raises(UsageError, match=f"beta must lie between 0 and 1, found {beta}"):
        BaseDistribution(P, P, beta=beta)


def test_unknown_kinds_list_the_choices() -> None:
    with pytest.raises(UsageError, match=r"unknown kind .* 'p1'; choose one of: p0, plain"):
        base_from_dict({"kind": "p1"})
