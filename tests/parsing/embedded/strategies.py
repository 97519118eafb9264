"""Trees as treebanks have them, and words of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from treewright.trees import Tree

labels = st.sampled_from(["S", "NP", "VP", "PP", "X"])
tags = st.sampled_from(["NN", "VB", ",", "-LRB-"])
words = st.text(st.characters(exclude_categories=["Z", "Cc"]), min_size=1, max_size=60)


def rooted(max_leaves: int = 12) -> st.SearchStrategy[Tree]:
    """Trees under ROOT, with chains of nodes over one child and bare preterminals."""
    leaves = st.builds(lambda tag, word: Tree(tag, word=word), tags, st.sampled_from("abc"))
    below = st.recursive(
        leaves,
        lambda parts: st.builds(Tree, labels, st.lists(parts, min_size=1, max_size=4)),
        max_leaves=max_leaves,
    )
    return st.builds(lambda parts: Tree("ROOT", parts), st.lists(below, min_size=1, max_size=3))
