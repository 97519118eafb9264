"""Guarded forests against the list of all derivations: those that break a guard go, no other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from treewright.forest import derivation_count
from treewright.grammar import FlatUnseen, Grammar, parse_rule
from treewright.pruning import CompressionForest, Gaps, Need, Pruner, StepPruning
from treewright.pruning.guards import JOINED, LOOSE, STRICT, WEIGHED, guard
from treewright.pruning.guards.articles import clashing_gaps
from treewright.pruning.guards.chinese import chinese_needs
from treewright.pruning.guards.clinging import clinging_gaps
from treewright.pruning.guards.coordination import emptying_gaps, leading_gaps, parting_gaps
from treewright.pruning.guards.grammar import essential, head_ties
from treewright.pruning.guards.guarding import NEGOTIABLE
from treewright.pruning.guards.meaning import FAITHFUL, meaningful, speaker_ties
from treewright.pruning.guards.negation import inseparable
from treewright.pruning.guards.reference import references
from treewright.pruning.guards.subordination import main_clauses
from treewright.trees import TreeTable, parse_tree

from ..test_heads import obeys
from ..test_holding import Way, check_left, extractive, is_left, ways
from ..test_needing import obeys as obeys_needs

TREES = [
    "(S (NP (PRP he)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))))",
    "(NP (NP (DT a) (JJ old) (NN city)) (PP (IN of) (NP (NNP Rome))))",
    "(S (NP (NN bread) (CC and) (NN wine)) (VP (VBP are) (RB not) (ADJP (JJ dear))))",
    "(NP (DT an) (JJ old) (NN dog) (, ,) (NP (NNP Rex)) (, ,))",
    "(S (NP (PRP it)) (VP (MD may) (VP (VB rain) (SBAR (IN if) (S (NP (PRP we)) (VP (VBP go)))))))",
    "(S (NP (DT all) (JJ former) (NNS spies)) (ADVP (RB possibly)) (VP (VBD failed)))",
    "(S (ADVP (RB now)) (NP (NN rain)) (VP (VBZ has) (VP (VBN come) (PP (IN of) (NP (NN it))))))",
    "(NP (NP (DT a) (NN way)) (TO to) (VP (VB go)) (CC and) (ADVP (RB then)) (S (VP (VB come))))",
    "(S (NP (PRP it)) (VP (VBD ran) (SBAR (IN until) (S (NP (PRP we)) (VP (VBD left))))))",
    "(S (NP (PRP it)) (VP (VBZ has) (NP (NP (NNS beds)) (CC and) (NP (DT no) (NN bath)))))",
    "(S (S (NP (NNS dogs)) (VP (VBP bark))) (CC and) (S (NP (PRP they)) (VP (VBP bite))))",
    "(S (SBAR (IN if) (S (NP (NN ice)) (VP (VBZ melts)))) (S (VP (VB go))) (CC or) "
    "(S (VP (VB sit))))",
    "(S (NP (NP (NNP Ann)) (SBAR (S (VP (VBN left))))) (VP (VBD sold) (NP (PRP$ her) (NN car))))",
    "(S (NP (Nh 我)) (Nd 今天) (D 不) (VC 看) (NP (DM 这本) (Na 书)))",
]
RULES = """
S/S -> (S NP[ε] (VP VBD[ε] (SBAR (IN that) S[1]))) / S[1]
S/S -> (S NP[1] VP[ε]) / (S NP[1])
S/S -> (S NP[ε] VP[1]) / (S VP[1])
S/S -> (S ADVP[ε] NP[1] VP[2]) / (S NP[1] VP[2])
VP/VP -> (VP VBD[ε] SBAR[1]) / (VP SBAR[1])
VP/VP -> (VP VBZ[1] (VP VBN[2] PP[ε])) / (VP VBZ[1] (VP VBN[2]))
VP/VP -> (VP VBP[1] RB[ε] ADJP[2]) / (VP VBP[1] ADJP[2])
NP/NP -> (NP NP[1] PP[ε]) / (NP NP[1])
NP/NP -> (NP NP[ε] PP[1]) / (NP PP[1])
NP/NP -> (NP DT[1] JJ[ε] NN[2]) / (NP DT[1] NN[2])
NP/NP -> (NP NN[1] CC[ε] NN[2]) / (NP NN[1] NN[2])
NP/NP -> (NP NN[1] CC[ε] NN[ε]) / (NP NN[1])
NP/NP -> (NP DT[1] JJ[2] NN[3] ,[ε] NP[4] ,[5]) / (NP DT[1] JJ[2] NN[3] NP[4] ,[5])
PP/PP -> (PP IN[ε] NP[1]) / (PP NP[1])
"""
UNSEEN = FlatUnseen({}, {}, (-0.5, -0.25))
PRUNINGS = StepPruning({("frame0",): -0.5, ("frame4", "dropped"): 0.5})


def pruned(text: str) -> CompressionForest:
    return Pruner(Grammar.from_counts({}), UNSEEN, PRUNINGS).forest(parse_tree(text))


def ruled(text: str) -> CompressionForest:
    rules = tuple(parse_rule(line) for line in RULES.strip().splitlines())
    grammar = Grammar(rules, -np.arange(1.0, 1.0 + len(rules)) / 4, np.ones(len(rules)))
    return Pruner(grammar, UNSEEN).forest(parse_tree(text))


def passes(source: TreeTable, forest: CompressionForest, way: Way) -> set[tuple[int, int, int]]:
    """The gaps that a derivation leaves: a kept node, and neighbours among its kept children."""
    found = set()
    for node, children in enumerate(source.children):
        if children and is_left(forest, node, way.positions):
            kept = [child for child in children if is_left(forest, child, way.positions)]
            found |= {(node, *two) for two in pairwise([-1, *kept, -1])}
    return found


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("faithful", FAITHFUL)
@pytest.mark.parametrize("grammar", [STRICT, WEIGHED, JOINED, LOOSE])
@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("make", [pruned, ruled])
def test_all_that_is_left_obeys_every_guard_and_nothing_else_is_gone(
    make: type[CompressionForest], text: str, grammar: int, faithful: str, pairs: bool
) -> None:
    forest = extractive(make(text))
    source = forest.source
    gaps = Gaps.of(np.array(source.end, dtype=np.int32))
    claim = inseparable(source) | meaningful(source, faithful)
    dispensable = sorted(claim.weighed)[::2] if pairs else []
    held = chinese_needs(source) | claim.whole - {*dispensable}
    for node, kind in essential(source).items():
        if grammar == STRICT or (grammar == WEIGHED and kind not in NEGOTIABLE):
            held |= {node}
    closed = leading_gaps(source, gaps)
    if grammar != LOOSE:
        closed |= clashing_gaps(source, gaps) | parting_gaps(source, gaps)
        closed |= clinging_gaps(source, gaps) | emptying_gaps(source, gaps)
    ends = np.stack([gaps.parent, gaps.left, gaps.right], axis=1)
    broken = set(map(tuple, ends[closed].tolist()))
    released = np.arange(len(ends)) % 3 == 0 if pairs and make is pruned else None
    free = set() if released is None else set(map(tuple, ends[released].tolist()))

    def is_free(node: int, way: Way) -> bool:
        """Whether a node went through a released gap."""
        through = [gap for gap in passes(source, forest, way) if gap[0] == source.parent[node]]
        return any(
            left < node and (node < right or right < 0)
            for _, left, right in free.intersection(through)
        )

    def admissible(way: Way) -> bool:
        if 0 not in way.positions:
            return False
        for node in held:
            above = is_left(forest, source.parent[node], way.positions)
            gone = above and not is_left(forest, node, way.positions)
            if gone and not is_free(node, way):
                return False
        ties = head_ties(source)
        if grammar == LOOSE:
            ties = speaker_ties(source, ties)
        tied = all(obeys(forest, tie, way) for tie in ties)
        needs = [*references(source), *main_clauses(source)]
        tied &= grammar == LOOSE or obeys_needs(needs, way)
        return tied and broken.isdisjoint(passes(source, forest, way))

    options = {"grammar": grammar, "faithful": faithful, "dispensable": dispensable}
    options |= {"released": released}
    guarded = guard(make(text), {0}, pairs=pairs and make is pruned, **options)
    check_left(forest, guarded, admissible)
    if grammar == LOOSE and make is pruned:
        assert derivation_count(guarded.forest) > 0


def test_needs_that_nothing_can_meet_are_not_heeded() -> None:
    forest = pruned("(S (NP (NN rain)) (VP (VBD fell) (PP (IN in) (NP (NNP Rome)))))")
    need = Need(frozenset([0]), frozenset([3]))
    asked = guard(forest, {0}, grammar=STRICT, needs=[need])
    assert {way.positions for way in ways(asked)} == {(0, 1, 2, 3)}
    # Without `in`, Rome cannot stay, either.
    impossible = guard(forest, {0}, {2}, grammar=STRICT, needs=[need])
    assert {way.positions for way in ways(impossible)} == {(0, 1)}


def test_a_subject_never_stays_without_its_verb() -> None:
    forest = ruled(TREES[0])
    best = forest.best()
    assert best is not None
    texts = {" ".join(t.tree.words()) for t in guard(forest, grammar=STRICT).nbest(50)}
    assert "he said that it rained" in texts
    assert not texts & {"he", "he it rained", "he that it rained", "he said"}
