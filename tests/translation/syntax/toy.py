"""Small grammars and a language model for tests of translation by rules."""

from __future__ import annotations

import numpy as np

from treewright.grammar import Grammar, parse_rule
from treewright.lm import LanguageModel, train_lm
from treewright.translation.ghkm.scoring import FEATURES
from treewright.trees import parse_tree

STRINGS = """
S/"" -> (S NP[1] VP[2]) / "[1] [2]"
S/"" -> (S NP[1] VP[2]) / "[2] [1]"
S/"" -> (S NP[1] (VP (VBD saw) NP[2])) / "[1] hat [2] gesehen"
NP/"" -> (NP (DT the) NN[1]) / "das [1]"
NP/"" -> (NP (DT the) NN[1]) / "der [1]"
NP/"" -> (NP (DT the) (NN house)) / "das Haus"
NN/"" -> (NN house) / "Haus"
NN/"" -> (NN house) / "Heim"
NN/"" -> (NN man) / "Mann"
VP/"" -> (VP VBD[1] NP[2]) / "[1] [2]"
VBD/"" -> (VBD saw) / "sah"
"""
TREES = """
S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])
S/NP -> (S NP[1] VP[2]) / (NP VP[2] NP[1])
NP/NP -> (NP (DT the) NN[1]) / (NP (ART das) NN[1])
NP/NP -> (NP (DT the) NN[1]) / (NP (ART der) NN[1])
NP/PP -> (NP (DT the) (NN house)) / (PP (P im) (NN Haus))
NN/NN -> (NN house) / (NN Haus)
NN/NE -> (NN house) / (NE Heim)
NN/NN -> (NN man) / (NN Mann)
VP/VP -> (VP VBD[1] NP[2]) / (VP VV[1] NP[2])
VP/VP -> (VP VBD[1] NP[2]) / (VP PP[2] VV[1])
VBD/VV -> (VBD saw) / (VV sah)
"""
TEXT = """der Mann sah das Haus
der Mann hat das Haus gesehen
das Heim sah der Mann
das Haus"""
TREE = parse_tree("(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (DT the) (NN house))))")
STRANGE = parse_tree(
    "(S (NP (DT the) (JJ Big) (NN house)) (VP (VBD saw) (PP (IN by) (NP (NN man)))))"
)


def grammar(text: str) -> Grammar:
    """Rules with made-up features, the same ones every time."""
    rules = tuple(parse_rule(line) for line in text.strip().splitlines())
    rng = np.random.default_rng(5)
    features = -rng.random((len(rules), len(FEATURES)))
    features[:, FEATURES.index("rule")] = 1
    features[:, FEATURES.index("word")] = [len(rule.target.words()) for rule in rules]
    zeros = np.zeros(len(rules))
    return Grammar(rules, zeros, zeros, features.astype(np.float32), FEATURES)


def model(order: int = 3) -> LanguageModel:
    return train_lm([line.split() for line in TEXT.splitlines()], order)
