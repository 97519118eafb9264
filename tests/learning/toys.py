"""A corpus small enough to enumerate: adverbs go, relative clauses go, the rest stays."""

from __future__ import annotations

from treewright.alignment import align_pair
from treewright.corpora import Pair
from treewright.trees import parse_tree

TEXTS = [
    (
        "(ROOT (S (ADVP (RB now)) (NP (NN rain)) (VP (VBZ falls))))",
        "(ROOT (S (NP (NN rain)) (VP (VBZ falls))))",
    ),
    (
        "(ROOT (S (NP (NN rain)) (VP (VBZ falls) (ADVP (RB now)))))",
        "(ROOT (S (NP (NN rain)) (VP (VBZ falls))))",
    ),
    (
        "(ROOT (S (NP (NP (NN snow)) (SBAR (S (VP (VBZ falls))))) (VP (VBZ melts))))",
        "(ROOT (S (NP (NN snow)) (VP (VBZ melts))))",
    ),
    (
        "(ROOT (S (ADVP (RB now)) (NP (NN snow)) (VP (VBZ melts))))",
        "(ROOT (S (ADVP (RB now)) (NP (NN snow)) (VP (VBZ melts))))",
    ),
    (
        "(ROOT (S (NP (PRP I)) (VP (VBP see) (SBAR (S (NP (NN rain)) (VP (VBZ falls)))))))",
        "(ROOT (S (NP (NN rain)) (VP (VBZ falls))))",
    ),
]

PAIRS = [
    align_pair(Pair(str(number), parse_tree(source), parse_tree(target)))
    for number, (source, target) in enumerate(TEXTS)
]
