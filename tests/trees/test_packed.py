import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treewright.trees import Tree, parse_tree
from treewright.trees.packed import PackedTrees, Vocabulary

from .strategies import trees

few_trees = st.lists(trees(st.sampled_from("abc")), max_size=4)


def rows(tree: Tree, parent: int = -1, start: int = 0, word: int = 0) -> list[tuple[int, ...]]:
    """The definition: (parent, end, left, right) of each node in preorder, recursively."""
    below: list[tuple[int, ...]] = []
    right = word + (tree.word is not None)
    for child in tree.children:
        part = rows(child, start, start + 1 + len(below), right)
        below += part
        right = part[0][3]
    return [(parent, start + 1 + len(below), word, right), *below]


@given(few_trees)
def test_the_columns_are_what_they_are_defined_to_be(given_trees: list[Tree]) -> None:
    packed = PackedTrees.pack(given_trees)
    assert len(packed) == len(given_trees)
    columns = np.stack([packed.parent, packed.end, packed.left, packed.right], axis=1)
    for i, tree in enumerate(given_trees):
        span = slice(packed.offset[i], packed.offset[i + 1])
        nodes = list(tree.nodes())
        assert list(map(tuple, columns[span].tolist())) == rows(tree)
        assert [packed.labels.names[x] for x in packed.label[span]] == [n.label for n in nodes]
        words = [packed.words.names[x] if x >= 0 else None for x in packed.word[span]]
        assert words == [n.word for n in nodes]


@given(few_trees, few_trees)
def test_vocabularies_grow_and_keep_their_numbers(first: list[Tree], second: list[Tree]) -> None:
    labels, words = Vocabulary(), Vocabulary()
    one = PackedTrees.pack(first, labels=labels, words=words)
    before = one.label.tolist(), one.word.tolist(), list(labels.names), list(words.names)
    two = PackedTrees.pack(second, labels=labels, words=words)
    assert one.label.tolist() == before[0]
    assert labels.names[: len(before[2])] == before[2]
    assert words.names[: len(before[3])] == before[3]
    labels_of_second = [node.label for tree in second for node in tree.nodes()]
    assert [labels.names[x] for x in two.label] == labels_of_second


def test_a_frozen_vocabulary_gives_strangers_minus_one() -> None:
    words = Vocabulary(["dog"])
    tree = parse_tree("(NP (DT a) (NN dog))")
    packed = PackedTrees.pack([tree], words=words, frozen_words=True)
    assert packed.word.tolist() == [-1, -1, 0]
    assert packed.right.tolist() == [2, 1, 2]
    assert words.names == ["dog"]


def test_a_vocabulary_numbers_names_by_first_sight() -> None:
    words = Vocabulary("aba")
    assert (words.names, len(words)) == (["a", "b"], 2)
    assert [words.find(name) for name in "abc"] == [0, 1, -1]
    other = words.copy()
    assert other.add("c") == 2
    assert (len(words), len(other)) == (2, 3)


def test_no_trees_pack_into_empty_arrays() -> None:
    packed = PackedTrees.pack([])
    assert (len(packed), packed.label.size, packed.offset.tolist()) == (0, 0, [0])


def test_deep_trees_are_no_problem() -> None:
    deep = Tree("N", word="x")
    for _ in range(50_000):
        deep = Tree("X", [deep])
    packed = PackedTrees.pack([deep])
    assert packed.parent.tolist() == list(range(-1, 50_000))
