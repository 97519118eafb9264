"""Toy pairs, and a stand-in for relations: each word hangs on the one before it, by its tag."""

from treewright.corpora import Pair
from treewright.trees import Tree, parse_tree

SOURCE = parse_tree("(S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ barks)) (. .))")
TARGET = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))")
PAIRS = [Pair("1", SOURCE, TARGET), Pair("2", TARGET, TARGET), Pair("3", SOURCE, SOURCE)]


def chain(tree: Tree) -> list[tuple[str, int, int]]:
    tags = [node.label for node in tree.preterminals()]
    return [(tags[i], i, i + 1) for i in range(1, len(tags))]
