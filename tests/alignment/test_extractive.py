from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment import align_extractive, align_pair, align_pairs
from treewright.alignment.extractive import ANCESTOR, JOIN, NEIGHBOUR, REACH, STEP, TAG, candidates
from treewright.corpora import Alignment, Pair, read_pairs
from treewright.errors import DataError, Problems
from treewright.trees import Tree, parse_tree

from ..profiles import examples

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "compression"


def positions(source: str, target: str) -> list[int]:
    alignment = align_extractive(parse_tree(source), parse_tree(target))
    assert [j for _, j in alignment] == list(range(len(alignment)))
    return [i for i, _ in alignment]


# The twin: the score as the module's docstring states it, over all embeddings.


def paths(tree: Tree) -> list[list[Tree]]:
    """For each word, the nodes from the root down to its preterminal."""
    found: list[list[Tree]] = []

    def walk(node: Tree, above: list[Tree]) -> None:
        if node.word is not None:
            found.append([*above, node])
        for child in node.children:
            # Equal subtrees may be one object; a fresh list tells occurrences apart.
            walk(child, [*above, node])

    walk(tree, [])
    return found


def shared(tree: Tree, a: int, b: int) -> list[str]:
    """The labels of the constituents around both words, from the root down."""
    spans: list[tuple[int, int, str]] = []

    def walk(node: Tree, start: int) -> int:
        place = len(spans)
        spans.append((start, start, node.label))
        end = start + (node.word is not None)
        for child in node.children:
            end = walk(child, end)
        spans[place] = (start, end, node.label)
        return end

    walk(tree, 0)
    return [label for start, end, label in spans if start <= a < end and start <= b < end]


def score(source: Tree, target: Tree, embedding: tuple[int, ...]) -> int:
    ours, theirs = paths(source), paths(target)
    total = 0
    for j, i in enumerate(embedding):
        a = [node.label for node in reversed(ours[i])]
        b = [node.label for node in reversed(theirs[j])]
        total += TAG * (a[0] == b[0])
        for x, y in zip(a[1 : REACH + 1], b[1 : REACH + 1], strict=False):
            if x != y:
                break
            total += ANCESTOR
    for j in range(1, len(embedding)):
        h, i = embedding[j - 1 : j + 1]
        around = shared(source, h, i)
        total += JOIN * (around[-1] == shared(target, j - 1, j)[-1])
        total += NEIGHBOUR * (h + 1 == i)
        # A way leads from h up to the constituent around both, and down to i.
        total += STEP * (len(ours[h]) + len(ours[i]) - 2 * len(around))
    return total


def all_embeddings(source: Tree, target: Tree) -> list[tuple[int, ...]]:
    words, wanted = source.words(), target.words()
    places = combinations(range(len(words)), len(wanted))
    return [place for place in places if tuple(words[i] for i in place) == wanted]


trees = st.recursive(
    st.builds(Tree, st.sampled_from("XY"), word=st.sampled_from("ab")),
    lambda inner: st.builds(Tree, st.sampled_from("PQ"), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


@st.composite
def tree_pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """A source, and a flat or nested target over some of its words."""
    source = draw(trees)
    words = source.words()
    size = draw(st.integers(1, len(words)))
    keep = sorted(draw(st.permutations(range(len(words))))[:size])
    leaves = [Tree(draw(st.sampled_from("XY")), word=words[i]) for i in keep]
    cut = draw(st.integers(0, len(leaves)))
    grouped = [Tree(draw(st.sampled_from("PQ")), leaves[:cut])] if cut else []
    return source, Tree(draw(st.sampled_from("PQ")), [*grouped, *leaves[cut:]])


@examples(300)
@given(tree_pairs())
def test_the_choice_is_the_best_of_all_embeddings_and_the_leftmost_of_those(
    pair: tuple[Tree, Tree],
) -> None:
    source, target = pair
    embeddings = all_embeddings(source, target)
    best = max(score(source, target, embedding) for embedding in embeddings)
    expected = min(e for e in embeddings if score(source, target, e) == best)
    assert tuple(i for i, _ in align_extractive(source, target)) == expected


@given(tree_pairs())
def test_candidates_are_the_places_that_embeddings_use(pair: tuple[Tree, Tree]) -> None:
    source, target = pair
    used = [sorted(set(column)) for column in zip(*all_embeddings(source, target), strict=True)]
    assert candidates(source.words(), target.words()) == used


def test_a_run_of_words_stays_a_run() -> None:
    source = "(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (DT the) (NN dog))))"
    assert positions(source, "(NP (DT the) (NN dog))") == [3, 4]


def test_an_article_goes_with_its_noun_across_a_deleted_adjective() -> None:
    source = "(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (DT the) (JJ big) (NN dog))))"
    assert positions(source, "(S (VP (VBD saw) (NP (DT the) (NN dog))))") == [2, 3, 5]
    assert positions(source, "(NP (DT the) (NN dog))") == [3, 5]


def test_an_article_goes_with_its_noun_rather_than_with_the_preposition_before_it() -> None:
    source = (
        "(PP (IN of) (NP (NP (DT the) (NN fallen)) (, ,) (NP (NP (DT the) (NNS men)) "
        "(SBAR (WHNP (WP who)) (S (VP (VBD died)))))))"
    )
    assert positions(source, "(PP (IN of) (NP (DT the) (NNS men)))") == [0, 4, 5]


def test_part_of_speech_tells_occurrences_apart() -> None:
    source = "(S (NP (NN play)) (, ,) (VP (VB play)))"
    assert positions(source, "(VP (VB play))") == [2]
    assert positions(source, "(NP (NN play))") == [0]


def test_a_true_tie_goes_to_the_left() -> None:
    assert positions("(X (A a) (A a) (A a))", "(X (A a))") == [0]


def test_a_target_that_is_no_subsequence_names_the_word() -> None:
    source, target = parse_tree("(S (X a) (X b))"), parse_tree("(S (X b) (X a))")
    with pytest.raises(DataError, match="target word 2, 'a', cannot be matched"):
        align_extractive(source, target)
    with pytest.raises(DataError, match=r"^p1: the target is not a subsequence"):
        align_pair(Pair("p1", source, target))


def test_one_bad_pair_does_not_lose_the_others() -> None:
    good, bad = parse_tree("(S (X a) (X b))"), parse_tree("(S (X c))")
    problems = Problems()
    pairs = [Pair("1", good, good), Pair("2", good, bad), Pair("3", good, good)]
    assert [pair.id for pair in align_pairs(pairs, problems)] == ["1", "3"]
    assert [error.where for error in problems.errors] == ["2"]
    with pytest.raises(DataError, match=r"^2: "):
        list(align_pairs(pairs))


def test_an_alignment_that_is_there_stays() -> None:
    tree = parse_tree("(S (X a) (X a))")
    alignment: Alignment = ((1, 0),)
    pair = Pair("1", tree, tree, alignment)
    assert align_pair(pair) is pair


def test_many_equal_words_cost_a_bounded_time() -> None:
    source = Tree("S", [Tree("X", word="a")] * 300)
    target = Tree("S", [Tree("X", word="a")] * 100)
    assert align_extractive(source, target) == tuple((i, i) for i in range(100))


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no real data in {DATA}")
@pytest.mark.parametrize(
    ("name", "target"), [("broadcast", 0), ("broadcast", 1), ("written", 0), ("google", 0)]
)
def test_real_pairs_align_word_for_word(name: str, target: int) -> None:
    for pair in align_pairs(read_pairs(DATA / f"{name}.dev.jsonl", target=target)):
        source, words = pair.source.words(), pair.target.words()
        assert pair.alignment is not None
        places = [i for i, _ in pair.alignment]
        assert places == sorted(set(places))
        assert tuple(source[i] for i in places) == words
