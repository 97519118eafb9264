from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.counts import Counts
from treewright.errors import DataError
from treewright.parsing.scoring import BracketScores, score_brackets
from treewright.parsing.treebanks import read_treebank
from treewright.trees import Tree, parse_tree, rebuild

LABELS = ("ROOT", "S", "NP", "NP-SBJ", "PP", "VP", "ADVP", "PRT")
TAGS = ("NN", "NN", "NN", "VB", ",", ".", "RP")


def score(gold: str, guess: str) -> BracketScores:
    return score_brackets([parse_tree(gold)], [parse_tree(guess)])


def counts(gold: str, guess: str) -> tuple[int, int, int]:
    found = score(gold, guess).brackets
    return found.matched, found.system, found.reference


GOLD = (
    "(ROOT (S (NP (PRP She)) (VP (VBD ate) (NP (NP (NNS chips)) (PP (IN with) (NP (NN salt)))))"
    " (. .)))"
)
FLAT = (
    "(ROOT (S (NP (PRP She)) (VP (VBD ate) (NP (NNS chips)) (PP (IN with) (NP (NN salt)))) (. .)))"
)


def test_an_attachment_worked_on_paper() -> None:
    """Gold: S NP VP NP NP PP NP, seven; the guess lacks the NP `chips with salt`."""
    scores = score(GOLD, FLAT)
    assert scores.brackets == Counts(matched=6, system=6, reference=7)
    assert (scores.precision, scores.recall, scores.f1) == (1.0, 6 / 7, 12 / 13)
    assert (scores.exact, scores.crossing, scores.no_crossing) == (0.0, 0.0, 1.0)
    assert scores.labels()["NP"] == Counts(3, 3, 4)
    assert scores.errors()["PP attachment"] == (1, 0)


def test_crossing_is_counted_in_guessed_brackets() -> None:
    """Guessed A (0, 2) and B (0, 2) cross gold C (1, 3): two, however many gold ones they cross."""
    scores = score("(S (N a) (C (D (N b) (N c))) (N d))", "(S (A (B (N a) (N b))) (N c) (N d))")
    assert scores.brackets == Counts(matched=1, system=3, reference=3)
    assert (scores.crossing, scores.no_crossing, scores.few_crossing) == (2.0, 0.0, 1.0)
    assert scores.errors()["crossing"] == (2, 2)


def test_more_than_two_crossing_brackets() -> None:
    guess = "(S (A (B (C (N a) (N b)))) (N c))"
    scores = score("(S (N a) (X (N b) (N c)))", guess)
    assert (scores.crossing, scores.few_crossing) == (3.0, 0.0)


@pytest.mark.parametrize(
    ("gold", "guess", "found"),
    [
        ("(TOP (S (N x)))", "(S1 (S (N x)))", (1, 1, 1)),
        ("( (S (N x)))", "(S (N x))", (1, 1, 1)),
        ("(S (NP-SBJ=1 (N x)))", "(S (NP (N x)))", (2, 2, 2)),
        ("(S (NP (-NONE- *)) (VP (V x)))", "(S (VP (V x)))", (2, 2, 2)),
        ("(S (PRT (RP x)))", "(S (ADVP (RP x)))", (2, 2, 2)),
        ("(S (NP (N x)) (. .))", "(S (S (NP (N x))) (. .))", (2, 3, 2)),
        ("(S (NP (N x) (, ,)) (N y))", "(S (NP (N x)) (, ,) (N y))", (2, 2, 2)),
        ("(S (N x) (X (. .)))", "(S (N x) (. .))", (1, 1, 1)),
        ("(S (N x) (-LRB- -LRB-))", "(S (X (N x)) (-LRB- -LRB-))", (1, 2, 1)),
        ("(NP (NP (NP (N x))))", "(NP (NP (N x)))", (2, 2, 3)),
        ("(N x)", "(N x)", (0, 0, 0)),
    ],
)
def test_what_counts(gold: str, guess: str, found: tuple[int, int, int]) -> None:
    assert counts(gold, guess) == found
    matched, guessed, right = found
    assert counts(guess, gold) == (matched, right, guessed)


def test_gold_tags_say_what_punctuation_is() -> None:
    gold = "(S (NP (N x)) (, ,) (V y))"
    assert counts(gold, "(S (NP (N x) (N ,)) (V y))") == (2, 2, 2)
    assert counts(gold, "(S (NP (N x)) (, ,) (, y))") == (2, 2, 2)


def test_tags_with_and_without_punctuation() -> None:
    scores = score("(S (N a) (V b) (, ,) (. .))", "(S (N a) (N b) (, ,) (, .))")
    assert (scores.tag_accuracy, scores.token_tag_accuracy) == (1 / 2, 2 / 4)
    scores = score("(S (N a) (V b) (, ,) (. .))", "(S (N a) (V b) (, ,) (, .))")
    assert (scores.tag_accuracy, scores.token_tag_accuracy) == (1.0, 3 / 4)
    assert scores.exact == 1.0


def test_scores_are_micro_averages() -> None:
    gold = [parse_tree(text) for text in (GOLD, "(S (NP (N x)))")]
    guessed = [parse_tree(text) for text in (FLAT, "(S (VP (N x)))")]
    scores = score_brackets(gold, guessed)
    assert scores.brackets == Counts(matched=7, system=8, reference=9)
    assert [one.brackets.matched for one in scores.sentences] == [6, 1]
    assert list(scores.labels()) == ["NP", "S", "PP", "VP"]
    assert scores.labels()["VP"] == Counts(matched=1, system=2, reference=1)


def test_short_sentences_apart() -> None:
    long = Tree("S", [Tree("N", word="x")] * 40 + [Tree(".", word=".")])
    short = parse_tree("(S (NP (N x)))")
    scores = score_brackets([long, short], [long, parse_tree("(S (VP (N x)))")])
    assert scores.f1 == 2 / 3
    assert scores.up_to().f1 == 1 / 2
    assert len(scores.up_to(41).sentences) == 2
    assert scores.up_to().signature == f"{scores.signature}|tokens:≤40"
    assert scores.up_to(0).as_dict()["f1"] == scores.up_to(0).exact == 0.0


def test_a_sentence_without_a_tree_has_missed_everything() -> None:
    tree = parse_tree(GOLD)
    scores = score_brackets([tree, Tree("N", word="x")], [None, None])
    assert scores.brackets == Counts(0, 0, 7)
    assert (scores.unparsed, scores.exact, scores.tag_accuracy) == (2, 0.0, 0.0)


@pytest.mark.parametrize(
    ("gold", "guess", "kind", "found"),
    [
        ("(S (NP (N a)) (V b))", "(S (VP (N a)) (V b))", "wrong label", (1, 1)),
        ("(S (NP (N a)) (V b))", "(S (N a) (V b))", "unary", (1, 0)),
        ("(S (X (N a) (N b)) (V c))", "(S (X (Y (N a) (N b))) (V c))", "unary", (0, 1)),
        (
            "(S (NP (NP (N a) (N b)) (NP (N c))))",
            "(S (NP (N a) (N b) (NP (N c))))",
            "NP in NP",
            (1, 0),
        ),
        (
            "(VP (V a) (PP (P b) (N c)) (X (N d)))",
            "(S (VP (V a) (PP (P b) (N c))) (X (N d)))",
            "other",
            (0, 1),
        ),
        ("(S (N a) (X (N b) (N c)) (N d))", "(S (N a) (N b) (N c) (N d))", "other", (1, 0)),
    ],
)
def test_kinds_of_mistakes(gold: str, guess: str, kind: str, found: tuple[int, int]) -> None:
    assert score(gold, guess).errors()[kind] == found


def test_other_words_are_an_error() -> None:
    with pytest.raises(DataError, match="tree 1: word 2 is 'c', in the gold tree 'b'"):
        score("(S (N a) (N b))", "(S (N a) (N c))")
    with pytest.raises(DataError, match="tree 1: 1 words guessed, 2 in the gold tree"):
        score("(S (N a) (N b))", "(S (N a))")
    escaped = Tree("S", [Tree("-LRB-", word="(")])
    assert score_brackets([escaped], [parse_tree("(S (-LRB- -LRB-))")]).f1 == 1.0


def test_other_numbers_of_trees_are_an_error() -> None:
    tree = parse_tree("(S (N a))")
    with pytest.raises(DataError, match="1 guessed trees for 2 gold ones"):
        score_brackets([tree, tree], [tree])
    with pytest.raises(DataError, match="no trees to score"):
        score_brackets([], [])


def random_tree(words: list[Tree], rng: random.Random, depth: int = 0) -> Tree:
    """Make a tree over given leaves, with unary chains of few labels, so that brackets repeat."""
    if len(words) == 1 and (depth > 3 or rng.random() < 0.5):
        return words[0]
    cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.randrange(3))))
    if not cuts and depth > 5:
        cuts = list(range(1, len(words)))
    bounds = [0, *cuts, len(words)]
    parts = [words[a:b] for a, b in pairwise(bounds)]
    return Tree(rng.choice(LABELS), [random_tree(part, rng, depth + 1) for part in parts])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Two trees over the same words and tags."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    leaves = [Tree(rng.choice(TAGS), word=f"w{i}") for i in range(rng.randrange(1, 9))]
    return random_tree(leaves, rng), random_tree(leaves, rng)


def naive_brackets(tree: Tree) -> list[tuple[str, int, int]]:
    """Read brackets off as evalb does: in one pass, punctuation never counted as a word."""
    found: list[tuple[str, int, int]] = []

    def walk(node: Tree, start: int) -> int:
        if node.word is not None:
            return start + (node.label not in (",", ".", ":", "``", "''"))
        end = start
        for child in node.children:
            end = walk(child, end)
        label = node.label.split("-")[0]
        if end > start and label not in ("ROOT", "TOP", "S1", ""):
            found.append((label, start, end))
        return end

    walk(tree, 0)
    return found


def naive_evalb(gold: Tree, guess: Tree) -> tuple[int, int, int, int]:
    """Match and cross brackets by evalb's own loops."""
    ours, theirs = naive_brackets(gold), naive_brackets(guess)
    free = [True] * len(theirs)
    matched = crossing = 0
    for label, start, end in ours:
        for j, (other, a, b) in enumerate(theirs):
            equal = label == other or {label, other} == {"ADVP", "PRT"}
            if free[j] and (start, end) == (a, b) and equal:
                free[j] = False
                matched += 1
                break
    for _, a, b in theirs:
        for _, start, end in ours:
            if start < a < end < b or a < start < b < end:
                crossing += 1
                break
    return matched, len(theirs), len(ours), crossing


@given(pairs())
def test_counts_are_evalbs(pair: tuple[Tree, Tree]) -> None:
    [found] = score_brackets([pair[0]], [pair[1]]).sentences
    one = found.brackets
    assert (one.matched, one.system, one.reference, found.crossing) == naive_evalb(*pair)


@given(pairs())
def test_swapping_the_sides_swaps_precision_and_recall(pair: tuple[Tree, Tree]) -> None:
    gold, guess = pair
    there, back = score_brackets([gold], [guess]), score_brackets([guess], [gold])
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)
    assert there.exact == back.exact
    assert there.errors() == {kind: (b, a) for kind, (a, b) in back.errors().items()}


@given(pairs())
def test_a_tree_against_itself(pair: tuple[Tree, Tree]) -> None:
    scores = score_brackets([pair[0]], [pair[0]])
    assert scores.brackets.matched == scores.brackets.reference == scores.brackets.system
    assert scores.exact == scores.no_crossing == scores.token_tag_accuracy == 1.0
    assert set(scores.errors().values()) == {(0, 0)}


@given(pairs())
def test_each_unmatched_bracket_is_one_mistake(pair: tuple[Tree, Tree]) -> None:
    scores = score_brackets([pair[0]], [pair[1]])
    one, errors = scores.brackets, scores.errors()
    assert sum(missing for missing, _ in errors.values()) == one.reference - one.matched
    assert sum(extra for _, extra in errors.values()) == one.system - one.matched
    assert errors["wrong label"][0] == errors["wrong label"][1]
    assert sum(scores.labels().values(), start=Counts()) == one


@given(pairs())
def test_particles_and_function_tags_make_no_difference(pair: tuple[Tree, Tree]) -> None:
    def disguise(node: Tree, children: list[Tree]) -> Tree:
        label = {"ADVP": "PRT", "PRT": "ADVP-TMP"}.get(node.label, node.label)
        tail = "-1" if children and label != "ROOT" else ""
        return Tree(label + tail, children, word=node.word)

    plain = score_brackets([pair[0]], [pair[1]])
    disguised = rebuild(pair[1], disguise)
    assert score_brackets([pair[0]], [disguised]).as_dict() == plain.as_dict()


def test_real_trees_flattened_at_random(data: Path) -> None:
    """Dropping brackets costs recall by exactly their number and never precision."""
    rng = random.Random(1)
    gold = list(read_treebank(data / "treebank" / "wsj-sample.dev.mrg"))
    dropped = Counter[str]()

    def flatten(node: Tree, children: list[Tree]) -> Tree:
        kept: list[Tree] = []
        for child in children:
            if child.children and rng.random() < 0.2:
                dropped[child.label] += 1
                kept += child.children
            else:
                kept.append(child)
        return Tree(node.label, kept, word=node.word)

    scores = score_brackets(gold, [rebuild(tree, flatten) for tree in gold])
    assert scores.precision == scores.no_crossing == scores.tag_accuracy == 1.0
    assert scores.brackets.reference - scores.brackets.matched == dropped.total()
    assert len(scores.sentences) == 405
    assert 0.75 < scores.recall < 0.85
