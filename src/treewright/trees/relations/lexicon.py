"""The closed word and tag classes that relations are recognised by."""

from __future__ import annotations

import re

from treewright.trees.heads import word_set
from treewright.trees.relations.nodes import Node

PUNCTUATION_WORDS = word_set("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;")

VERBS = word_set("VB VBD VBG VBN VBP VBZ AUX AUXG")
BE = word_set("am is are be being 's 're 'm was were been s ai")
COPULAS = BE | word_set(
    "seem seems seemed seeming appear appears appeared stay stays stayed remain remains remained"
    " resemble resembles resembled resembling become becomes became becoming"
)
NEGATIONS = frozenset({"not", "n't", "nt", "never"})
PRECONJUNCTIONS = frozenset({"both", "either", "neither"})

# The reference finds the words of these two classes inside longer ones (`weekend`, `belongs`).
_PASSIVE_AUXILIARY = re.compile(
    r"am|is|are|be|was|were|'s|'re|'m|get|got|became|feel|felt|seem|remain", re.IGNORECASE
)
_TIME = re.compile(
    r"year|month|week|day|morning|evening|night|yesterday|tomorrow|spring|summer|fall|autumn|winter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december",
    re.IGNORECASE,
)


def is_time_noun(node: Node) -> bool:
    """Whether a preterminal is a noun such as `Monday`, `weeks` or `today`."""
    return (
        node.word is not None
        and node.label.startswith("NN")
        and _TIME.search(node.word) is not None
    )


def is_time_phrase(node: Node) -> bool:
    """Whether one of the phrase's own words is a time noun."""
    return any(is_time_noun(child) for child in node.children)


def is_passive_auxiliary(node: Node) -> bool:
    """Whether a preterminal is a verb such as `was` or `gets`."""
    return (
        node.word is not None
        and (node.label in VERBS or node.label == "POS")
        and _PASSIVE_AUXILIARY.search(node.word) is not None
    )


def is_verb(node: Node, words: frozenset[str]) -> bool:
    """Whether a preterminal is a verb from the given class."""
    return node.word is not None and node.label in VERBS and node.word.lower() in words


def has_verb(node: Node, words: frozenset[str]) -> bool:
    """Whether one of the phrase's own words is a verb from the given class."""
    return any(is_verb(child, words) for child in node.children)
