import copy
import pickle
import sys

import pytest
from hypothesis import given

from treewright.trees import Tree, parse_tree

from ..programs import run_program
from .strategies import trees

DEPTH = 50_000
DOG = parse_tree("(S (NP (DT a) (NN dog)) (VP (VBZ barks)))")


def chain(depth: int, word: str = "x") -> Tree:
    tree = Tree("X", word=word)
    for _ in range(depth - 1):
        tree = Tree("X", [tree])
    return tree


def test_a_tree_cannot_be_changed() -> None:
    for name in ("label", "children", "word", "_hash", "new"):
        with pytest.raises(AttributeError, match="immutable; cannot set"):
            setattr(DOG, name, "x")
    with pytest.raises(AttributeError, match="immutable; cannot delete"):
        del DOG.label
    assert isinstance(DOG.children, tuple)


def test_a_node_has_children_or_a_word_but_not_both() -> None:
    with pytest.raises(ValueError, match="'NP' has both children and the word 'dog'"):
        Tree("NP", [Tree("NN", word="dog")], word="dog")


def test_the_kinds_of_nodes() -> None:
    kinds = [(n.is_preterminal, n.is_frontier) for n in (DOG, Tree("NN", word="x"), Tree("NP"))]
    assert kinds == [(False, False), (True, False), (False, True)]


def test_nodes_come_in_preorder_and_words_from_left_to_right() -> None:
    assert [node.label for node in DOG.nodes()] == ["S", "NP", "DT", "NN", "VP", "VBZ"]
    assert [node.label for node in DOG.preterminals()] == ["DT", "NN", "VBZ"]
    assert DOG.words() == ("a", "dog", "barks")


def test_trees_are_equal_by_value() -> None:
    other = parse_tree(str(DOG))
    assert other == DOG
    assert other is not DOG
    assert {other: 1}[DOG] == 1
    assert str(DOG) != DOG


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (DT a) (NN dog)) (VP (VBZ bark)))",
        "(S (NP (DT a) (NN dog)) (VP (VBD barks)))",
        "(S (NP (DT a) (NN dog)) (VBZ barks))",
        "(S (NP (DT a)) (NN dog) (VP (VBZ barks)))",
        "(S (NP (DT a) (NN dog)))",
    ],
)
def test_any_difference_makes_trees_unequal(text: str) -> None:
    assert parse_tree(text) != DOG


def test_a_word_is_not_a_label() -> None:
    assert Tree("A", word="B") != Tree("A", [Tree("B")])
    assert Tree("A", word="") != Tree("A")


def test_trees_under_one_hash_are_still_compared() -> None:
    """Hashes may collide: equality must not rest on them alone."""
    one, two = Tree("A", [Tree("B", word="x")]), Tree("A", [Tree("B", word="y")])
    object.__setattr__(two.children[0], "_hash", one.children[0]._hash)
    object.__setattr__(two, "_hash", one._hash)
    assert one != two


@given(trees())
def test_copies_are_equal(tree: Tree) -> None:
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        assert other == tree
        assert hash(other) == hash(tree)


def test_a_pickle_from_another_process_is_equal_here() -> None:
    """Every process hashes strings in its own way, so hashes may not travel."""
    script = (
        "import pickle, sys; from treewright.trees import parse_tree; "
        f"sys.stdout.buffer.write(pickle.dumps(parse_tree({str(DOG)!r})))"
    )
    run = run_program(sys.executable, "-c", script)
    tree = pickle.loads(run.stdout)
    assert tree == DOG
    assert hash(tree) == hash(DOG)


def test_nothing_recurses() -> None:
    deep, same, other = chain(DEPTH), chain(DEPTH), chain(DEPTH, "y")
    assert deep == same
    assert hash(deep) == hash(same)
    assert deep != other
    assert sum(1 for _ in deep.nodes()) == DEPTH
    assert deep.words() == ("x",)
    assert str(deep) == "(X " * DEPTH + "x" + ")" * DEPTH
    assert len(repr(deep)) > DEPTH
    assert pickle.loads(pickle.dumps(deep)) == deep


def test_repr_shows_the_brackets() -> None:
    assert repr(Tree("NN", word="dog")) == "Tree('(NN dog)')"
