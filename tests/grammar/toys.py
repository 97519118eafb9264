"""The papers' examples, and small grammars, in text form."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.alignment import align_pair
from treewright.corpora import Pair
from treewright.grammar import Grammar, Rule, parse_rule
from treewright.trees import parse_tree

# The running example of the Bayesian paper (section 3), and rules of its Tables 3 and 4.
PAPER_RULES = [
    "S/S -> (S (PP (IN Like) NP[ε]) NP[1] VP[2]) / (S NP[1] VP[2])",
    "NP/ε -> (NP (NN FaceLift)) / ε",
    "ROOT/ROOT -> (ROOT (S CC[ε] NP[1] VP[2] .[3])) / (ROOT (S NP[1] VP[2] .[3]))",
    "ROOT/ROOT -> (ROOT (S NP[ε] (VP VBP[ε] (SBAR (S NP[1] VP[2]))) .[3]))"
    " / (ROOT (S NP[1] VP[2] .[3]))",
    "ROOT/ROOT -> (ROOT (S ADVP[ε] NP[1] (VP MD[2] VP[3]) .[4]))"
    " / (ROOT (S NP[1] (VP MD[2] VP[3]) .[4]))",
    "ROOT/ROOT -> (ROOT (S S[1] (, ,) CC[ε] S[2] (. .))) / (ROOT (S NP[1] VP[2] (. .)))",
    "S/S -> (S ADVP[ε] (, ,) S[1] (, ,) (CC but) S[2] .[3]) / (S S[1] (, ,) (CC but) S[2] .[3])",
    "S/S -> (S NP[ε] (VP VBZ[ε] ADJP[ε] SBAR[1])) / S[1]",
    "S/S -> (S CC[ε] (NP PRP[1]) VP[2]) / (S (NP PRP[1]) VP[2])",
    # Figure 2 of the large-margin paper: the linked categories differ.
    "VP/VP -> (VP (VP (AUX is) ADJP[1]) CC[ε] VP[ε]) / (VP (AUX is) NP[1])",
]

FACELIFT = align_pair(
    Pair(
        "facelift",
        parse_tree(
            "(S (PP (IN Like) (NP (NN FaceLift))) (, ,)"
            " (NP (NP (RB much)) (PP (IN of)"
            " (NP (NP (NNP ATM) (POS 's)) (NN screen) (NN performance))))"
            " (VP (VBZ depends) (PP (IN on) (NP (DT the) (VBG underlying) (NN application))))"
            " (. .))"
        ),
        parse_tree(
            "(S (NP (NP (NNP ATM) (POS 's)) (NN screen) (NN performance))"
            " (VP (VBZ depends) (PP (IN on) (NP (DT the) (VBG underlying) (NN application))))"
            " (. .))"
        ),
    )
)

FACELIFT_RULES = """
S/S -> (S PP[ε] ,[ε] NP[1] VP[2] .[3]) / (S NP[1] VP[2] .[3])
NP/NP -> (NP NP[ε] PP[1]) / NP[1]
PP/NP -> (PP IN[ε] NP[1]) / NP[1]
NP/NP -> (NP NP[1] NN[2] NN[3]) / (NP NP[1] NN[2] NN[3])
NP/NP -> (NP NNP[1] POS[2]) / (NP NNP[1] POS[2])
VP/VP -> (VP VBZ[1] PP[2]) / (VP VBZ[1] PP[2])
PP/PP -> (PP IN[1] NP[2]) / (PP IN[1] NP[2])
NP/NP -> (NP DT[1] VBG[2] NN[3]) / (NP DT[1] VBG[2] NN[3])
NNP/NNP -> (NNP ATM) / (NNP ATM)
POS/POS -> (POS 's) / (POS 's)
NN/NN -> (NN screen) / (NN screen)
NN/NN -> (NN performance) / (NN performance)
VBZ/VBZ -> (VBZ depends) / (VBZ depends)
IN/IN -> (IN on) / (IN on)
DT/DT -> (DT the) / (DT the)
VBG/VBG -> (VBG underlying) / (VBG underlying)
NN/NN -> (NN application) / (NN application)
./. -> (. .) / (. .)
PP/ε -> (PP IN[ε] NP[ε]) / ε
IN/ε -> (IN Like) / ε
NP/ε -> (NP NN[ε]) / ε
NN/ε -> (NN FaceLift) / ε
,/ε -> (, ,) / ε
NP/ε -> (NP RB[ε]) / ε
RB/ε -> (RB much) / ε
IN/ε -> (IN of) / ε
"""

# The same without punctuation, as the Bayesian paper's Figure 1 draws it.
FACELIFT_PORTION = align_pair(
    Pair(
        "portion",
        parse_tree(
            "(S (PP (IN Like) (NP (NN FaceLift))) (NP (NN performance)) (VP (VBZ depends)))"
        ),
        parse_tree("(S (NP (NN performance)) (VP (VBZ depends)))"),
    )
)

# Figure 3 of the large-margin paper; the capital letter makes it other than extractive.
DOCUMENTATION = Pair(
    "documentation",
    parse_tree(
        "(S (NP (DT The) (NN documentation))"
        " (VP (VP (AUX is) (ADJP (RB very) (JJ good))) (CC and) (VP (AUX is) (ADJP (JJ thorough))))"
        " (. .))"
    ),
    parse_tree(
        "(S (NP (NN Documentation)) (VP (AUX is) (ADJP (RB very) (JJ good))) (. .))",
    ),
    ((1, 0), (2, 1), (3, 2), (4, 3), (8, 4)),
)

FIGURE_3 = """
S/S -> (S NP[1] VP[2] .[3]) / (S NP[1] VP[2] .[3])
NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])
NN/NN -> (NN documentation) / (NN Documentation)
VP/VP -> (VP VP[1] CC[ε] VP[ε]) / VP[1]
VP/VP -> (VP AUX[1] ADJP[2]) / (VP AUX[1] ADJP[2])
AUX/AUX -> (AUX is) / (AUX is)
ADJP/ADJP -> (ADJP RB[1] JJ[2]) / (ADJP RB[1] JJ[2])
RB/RB -> (RB very) / (RB very)
JJ/JJ -> (JJ good) / (JJ good)
./. -> (. .) / (. .)
"""


def rules(text: str | Iterable[str]) -> tuple[Rule, ...]:
    """Read rules, one a line."""
    lines = text.splitlines() if isinstance(text, str) else text
    return tuple(parse_rule(line) for line in lines if line.strip())


def grammar(text: str) -> Grammar:
    """Read a grammar: lines of rules, each with its count in front."""
    counts: dict[Rule, float] = {}
    for line in text.strip().splitlines():
        count, _, rule = line.strip().partition(" ")
        counts[parse_rule(rule)] = float(count)
    return Grammar.from_counts(counts)
