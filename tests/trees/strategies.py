"""Random trees and random bracket soup."""

import random
import re

from hypothesis import strategies as st

from treewright.trees import Tree

names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=4)
safe_names = names.filter(lambda name: not set(name) & set("()"))


def trees(labels: st.SearchStrategy[str] = safe_names) -> st.SearchStrategy[Tree]:
    """Trees of a sentence: every leaf carries a word."""
    leaves = st.builds(lambda label, word: Tree(label, word=word), labels, labels)
    return st.recursive(
        leaves,
        lambda below: st.builds(Tree, labels, st.lists(below, min_size=1, max_size=4)),
        max_leaves=12,
    )


few = st.sampled_from("ab")
soup = st.text("() \nab", max_size=40)
"""Mostly nonsense, in which everything that brackets can do wrong turns up."""


@st.composite
def spaced(draw: st.DrawFn) -> str:
    """Return a tree with white space wherever it may stand, then perhaps one character changed."""
    tokens = re.findall(r"[()]|[^\s()]+", str(draw(trees(few))))
    rng = random.Random(draw(st.integers(0, 1 << 16)))
    parts = []
    for token, after in zip(tokens, [*tokens[1:], ")"], strict=True):
        gaps = [" ", "\n", " \n "] + [""] * (not (token + after).isalnum())
        parts += [token, rng.choice(gaps)]
    text = "".join(parts)
    if draw(st.booleans()):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.text("() \nab", max_size=1)) + text[place + 1 :]
    return text
