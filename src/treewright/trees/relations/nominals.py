"""Relations inside noun phrases, adjective phrases and numbers."""

from __future__ import annotations

import re

from treewright.trees.heads import word_set
from treewright.trees.relations.lexicon import PRECONJUNCTIONS
from treewright.trees.relations.nodes import Node

_ABBREVIATION = re.compile(r"(?:[A-Z]\.?){2,}")
_NOT_IN_ABBREVIATION = word_set("POS PRP$ , $ # CC RB CD")
_DETERMINED = ("NM", "NN", "NX", "NP", "CD", "JJ", "FW", "ADJP")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")


def _noun_follows(node: Node) -> bool:
    return any(sister.label.startswith(("NN", "NX")) for sister in node.after)


def _lone_adjective_follows(node: Node) -> bool:
    """Whether an adjective that is not directly followed by a noun is to the right."""
    return any(
        sister.label.startswith("JJ") and not sister.next_label.startswith("NN")
        for sister in node.after
    )


def is_determiner(node: Node, parent: Node) -> bool:
    """`the` in `the man`; `which` in `which man`."""
    if parent.label == "WHNP":
        return _is_wh_determiner(node)
    if node.label != "DT":
        return False
    is_preconjunction = node.is_word(*PRECONJUNCTIONS)
    if node.followed_by("CC"):
        return _noun_follows(node) and not is_preconjunction
    if node.next_label == "DT":
        return False
    if _lone_adjective_follows(node):
        return True
    if not is_preconjunction:
        return any(sister.label.startswith(_DETERMINED) for sister in node.after)
    return _noun_follows(node) and not any(
        sister.label == "NP" and sister.has("CC") for sister in node.after
    )


def _is_wh_determiner(node: Node) -> bool:
    if node.label == "WHNP":
        return node.has("WDT") and node.followed_by("NP")
    return node.label != "DT" and any(sister.label.startswith("NN") for sister in node.after)


def is_predeterminer(node: Node, parent: Node) -> bool:
    """`all` in `all the boys`."""
    if node.label == "PDT" and parent.ends_with("DT"):
        return True
    if node.next_label in ("DT", "PDT", "PRP$") and _noun_follows(node):
        return not node.followed_by("CC")
    return (
        node.next_label == "DT" and _lone_adjective_follows(node) and not parent.followed_by("CC")
    )


def is_possessor(node: Node, parent: Node) -> bool:
    """`his` in `his book`; `the man` in `the man's book`."""
    if node.label == "NP":
        return node.has("POS")
    return node.label in ("PRP$", "WP$") or node.next_label == "POS"


def is_possessive_mark(node: Node, parent: Node) -> bool:
    """`'s` in `the man's`."""
    return not node.after


def is_adjectival_modifier(node: Node, parent: Node) -> bool:
    """`red` in `red wine`."""
    return not node.has("QP") and node.previous_label != "CC"


def is_numeric_modifier(node: Node, parent: Node) -> bool:
    """`three` in `three men`."""
    return node.is_only("QP") if node.label == "ADJP" else node.previous_label != "CC"


def is_number_part(node: Node, parent: Node) -> bool:
    """`three` in `three million`."""
    return node.previous_label != "CC"


def is_compound_part(node: Node, parent: Node) -> bool:
    """`oil` in `oil price`."""
    if node.ends_with("POS"):
        return False
    if node.previous_label != "," and node.followed_by(*_NOUNS, "FW", "CD"):
        return True
    return (
        node.next_label in ("JJ", "JJR", "JJS")
        and parent.head_child.label in _NOUNS
        and not parent.ends_with("POS")
    )


def is_apposition(node: Node, parent: Node) -> bool:
    """`my brother` in `Sam, my brother`."""
    if node.label == "PRN":
        return any(_is_bracketed_noun(child) for child in node.all("NP"))
    if node.previous_label != ",":
        return False
    if node.label == "NP":
        return node.preceded_by("NP") and not any(
            sister.label in ("CC", "CONJP") for sister in node.sisters
        )
    return [sister.label for sister in node.before[-2:]] == ["NNP", ","] and not parent.has(
        "CC", "CONJP"
    )


def _is_bracketed_noun(node: Node) -> bool:
    return node.has(*_NOUNS, "CD") and node.preceded_by("-LRB-") and node.next_label == "-RRB-"


def is_abbreviation(node: Node, parent: Node) -> bool:
    """`ABC` in `American Broadcasting Company (ABC)`."""
    if not node.starts_with("-LRB-") or not node.ends_with("-RRB-"):
        return False
    found = False
    stack = [(child, True) for child in node.children]
    while stack:
        part, nominal = stack.pop()
        if part.label in _NOT_IN_ABBREVIATION:
            return False
        if nominal and part.label in ("NN", "NNP") and _ABBREVIATION.match(part.word or ""):
            found = True
        stack.extend((child, nominal and part.label == "NP") for child in part.children)
    return found


def is_measure(node: Node, parent: Node) -> bool:
    """`65 years` in `65 years old`."""
    if node.next_label.startswith(("JJ", "IN")) and node.after[0].head == parent.head:
        return True
    return (
        parent.label == "ADJP"
        and node.place == 0
        and parent.ends_with("JJ")
        and not node.has("NNP")
    )
