"""A toy grammar in the text form, a model without unseen rules, and the sample corpus's model."""

from fractions import Fraction
from functools import cache

import numpy as np

from treewright.alignment import align_pair
from treewright.corpora import Pair, read_pairs
from treewright.data import sample_path
from treewright.grammar import FlatUnseen, Grammar, parse_rule
from treewright.learning import EM, TrainingSet
from treewright.pruning import Model
from treewright.trees import Tree, parse_tree

RULES = {
    "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])": 0.6,
    "S/S -> (S NP[1] VP[2] .[3]) / (S NP[1] VP[2] .[3])": 0.4,
    "NP/NP -> (NP DT[1] NN[2]) / (NP DT[1] NN[2])": 0.5,
    "NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])": 0.1,
    "NP/NP -> (NP DT[1] JJ[ε] NN[2]) / (NP DT[1] NN[2])": 0.3,
    "NP/NP -> (NP DT[ε] JJ[1] NN[2]) / (NP JJ[1] NN[2])": 0.1,
    "VP/VP -> (VP VBZ[1]) / (VP VBZ[1])": 0.4,
    "VP/VP -> (VP VBZ[1] ADVP[ε]) / (VP VBZ[1])": 0.35,
    "VP/VP -> (VP VBZ[1] ADVP[2]) / (VP VBZ[1] ADVP[2])": 0.25,
    "ADVP/ADVP -> (ADVP RB[1]) / (ADVP RB[1])": 1.0,
    "ADVP/ε -> (ADVP RB[ε]) / ε": 1.0,
    "DT/DT -> (DT the) / (DT the)": 1.0,
    "DT/ε -> (DT the) / ε": 1.0,
    "JJ/JJ -> (JJ big) / (JJ big)": 1.0,
    "JJ/ε -> (JJ big) / ε": 1.0,
    "NN/NN -> (NN dog) / (NN dog)": 1.0,
    "VBZ/VBZ -> (VBZ barks) / (VBZ barks)": 1.0,
    "RB/RB -> (RB loudly) / (RB loudly)": 1.0,
    "RB/ε -> (RB loudly) / ε": 1.0,
    "./. -> (. .) / (. .)": 1.0,
}
SHORT = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
LONG = parse_tree("(S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))) (. .))")
MIDDLE = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))))")
STRANGE = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBZ barks)))")


@cache
def toy_grammar() -> Grammar:
    """Return the toy grammar: a sentence keeps its noun and its verb, the rest may go."""
    weights = np.log(list(RULES.values()))
    return Grammar(tuple(parse_rule(text) for text in RULES), weights, np.ones(len(RULES)))


@cache
def closed() -> Model:
    """Return a model that knows its own rules alone."""
    return Model(toy_grammar(), None, {})


@cache
def open_model() -> Model:
    """Return a model that copies or deletes what it has never seen."""
    return Model(toy_grammar(), FlatUnseen({}, {}, (-3.0, -4.0)), {})


@cache
def sample_pairs(part: str) -> tuple[Pair, ...]:
    """Return the sample corpus, aligned."""
    return tuple(align_pair(pair) for pair in read_pairs(sample_path(part)))


@cache
def sample_data() -> TrainingSet:
    """Return the sample corpus ready for training."""
    return TrainingSet.prepare(sample_pairs("train"), EM().extraction)


@cache
def sample_model() -> Model:
    """Return a model of the sample corpus, barely trained."""
    return EM(iterations=3).fit_prepared(sample_data()).model_


@cache
def sample_sources() -> tuple[Tree, ...]:
    """Return the unseen sentences of the sample corpus."""
    return tuple(pair.source for pair in sample_pairs("test"))


def allowed(rate: float, words: int) -> int:
    """What a rate written in decimals allows, in exact arithmetic: rounded down, one at least."""
    return max(1, int(Fraction(str(rate)) * words))
