"""Hand-made trees about the paper's running example, and a small body of text."""

from __future__ import annotations

from treewright.propositions import Gathered, read_tree
from treewright.trees import Tree, parse_tree

YOUNG = "(NP (NNP Steve) (NNP Young))"
HOLT = "(NP (NNP Michael) (NNP Holt))"
THREW = f"(ROOT (S {YOUNG} (VP (VBD threw) (NP (NP (DT a) (NN pass)) (PP (TO to) {HOLT}))) (. .)))"
FINISHED = (
    "(ROOT (S (NP (NN Quarterback) (NNP Steve) (NNP Young)) (VP (VBD finished) (ADVP (RB strong)))"
    " (. .)))"
)
LEFT = (
    f"(ROOT (S (NP {HOLT} (, ,) (NP (DT the) (NN receiver)) (, ,)) (VP (VBD left)"
    " (ADVP (RB early))) (. .)))"
)
RICE = (
    "(ROOT (S (NP (NN quarterback) (NNP Joe) (NNP Montana)) (VP (VBD threw)"
    " (NP (NP (DT a) (NN pass)) (PP (TO to) (NP (NN receiver) (NNP Jerry) (NNP Rice))))) (. .)))"
)
FAVRE = (
    "(ROOT (S (NP (NNP Brett) (NNP Favre)) (VP (VBD threw) (NP (NP (DT a) (NN pass))"
    " (PP (TO to) (NP (NNP Sterling) (NNP Sharpe))))) (. .)))"
)
TEXT = (THREW, FINISHED, LEFT, RICE, FAVRE)


def trees(texts: tuple[str, ...] = TEXT) -> list[Tree]:
    return [parse_tree(text) for text in texts]


def gathered(texts: tuple[str, ...] = TEXT) -> Gathered:
    found = Gathered()
    for number, tree in enumerate(trees(texts), start=1):
        found.add(f"s{number}", " ".join(tree.words()), read_tree(tree))
    return found
