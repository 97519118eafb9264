"""What stands inside noun phrases, adjective phrases and numbers."""

from __future__ import annotations

import re

from treewright.trees.relations.lexicon import PRECONJUNCTIONS
from treewright.trees.relations.nodes import Node

_ABBREVIATION = re.compile(r"(?:[A-Z]\.?){2,}")
_NOT_IN_ABBREVIATION = frozenset("POS PRP$ , $ # CC RB CD".split())
_DETERMINED = ("NM", "NN", "NX", "NP", "CD", "JJ", "FW", "ADJP")
_NOUN_STARTS = ("NN", "NX")
_COMPOUND_HEADS = ("NN", "NNS", "NNP", "NNPS", "FW", "CD")


def _follows_conjunction(node: Node) -> bool:
    previous = node.previous
    return previous is not None and previous.label == "CC"


def _noun_follows(node: Node) -> bool:
    return any(sister.label.startswith(_NOUN_STARTS) for sister in node.after)


def _lone_adjective_follows(node: Node) -> bool:
    """Whether an adjective that no noun follows directly stands to the right."""
    return any(
        sister.label.startswith("JJ")
        and (sister.next is None or not sister.next.label.startswith("NN"))
        for sister in node.after
    )


def is_determiner(node: Node, parent: Node) -> bool:
    """`the` in `the man`; `which` in `which man`."""
    if parent.label == "WHNP":
        if node.label == "WHNP":
            return node.has("WDT") and node.followed_by("NP")
        return any(sister.label.startswith("NN") for sister in node.after)
    if node.label != "DT":
        return False
    if node.followed_by("CC"):
        return _noun_follows(node) and not node.is_word(*PRECONJUNCTIONS)
    following = node.next
    if following is not None and following.label == "DT":
        return False
    if _lone_adjective_follows(node):
        return True
    if not node.is_word(*PRECONJUNCTIONS):
        return any(sister.label.startswith(_DETERMINED) for sister in node.after)
    return _noun_follows(node) and not any(
        sister.label == "NP" and sister.has("CC") for sister in node.after
    )


def is_predeterminer(node: Node, parent: Node) -> bool:
    """`all` in `all the boys`."""
    if node.label == "PDT" and parent.children[-1].label == "DT":
        return True
    following = node.next
    if following is None:
        return False
    if following.label in ("DT", "PDT", "PRP$") and _noun_follows(node):
        return not node.followed_by("CC")
    return (
        following.label == "DT"
        and _lone_adjective_follows(node)
        and not parent.followed_by("CC")
    )


def is_possessor(node: Node, parent: Node) -> bool:
    """`his` in `his book`; `the man` in `the man's book`."""
    if node.label in ("PRP$", "WP$"):
        return True
    if node.label == "NP":
        return node.has("POS")
    following = node.next
    return following is not None and following.label == "POS" and "'" in (following.word or "")


def is_possessive_mark(node: Node, parent: Node) -> bool:
    """`'s` in `the man's`."""
    return node.next is None


def is_adjectival_modifier(node: Node, parent: Node) -> bool:
    """`red` in `red wine`."""
    return not node.has("QP") and not _follows_conjunction(node)


def is_numeric_modifier(node: Node, parent: Node) -> bool:
    """`three` in `three men`."""
    if node.label == "ADJP":
        return len(node.children) == 1 and node.children[0].label == "QP"
    return not _follows_conjunction(node)


def is_number_part(node: Node, parent: Node) -> bool:
    """`three` in `three million`."""
    return not _follows_conjunction(node)


def is_quantifier(node: Node, parent: Node) -> bool:
    """`about` in `about 200`."""
    return True


def is_compound_part(node: Node, parent: Node) -> bool:
    """`oil` in `oil price`."""
    if node.children and node.children[-1].label == "POS":
        return False
    previous, following = node.previous, node.next
    if node.followed_by(*_COMPOUND_HEADS) and (previous is None or previous.label != ","):
        return True
    head = parent.head_child
    return (
        following is not None
        and following.label in ("JJ", "JJR", "JJS")
        and head is not None
        and head.label in ("NN", "NNS", "NNP", "NNPS")
        and parent.children[-1].label != "POS"
    )


def is_apposition(node: Node, parent: Node) -> bool:
    """`my brother` in `Sam, my brother`."""
    previous = node.previous
    after_comma = previous is not None and previous.label == ","
    if node.label == "NP":
        return (
            after_comma
            and node.preceded_by("NP")
            and not any(sister.label in ("CC", "CONJP") for sister in (*node.before, *node.after))
        )
    if node.label == "NNP":
        return (
            after_comma
            and node.place >= 2
            and parent.children[node.place - 2].label == "NNP"
            and not parent.has("CC", "CONJP")
        )
    return any(
        child.label == "NP"
        and any(part.label.startswith("NN") or part.label == "CD" for part in child.children)
        and child.preceded_by("-LRB-")
        and child.next is not None
        and child.next.label == "-RRB-"
        for child in node.children
    )


def is_abbreviation(node: Node, parent: Node) -> bool:
    """`ABC` in `American Broadcasting Company (ABC)`."""
    if node.children[0].label != "-LRB-" or node.children[-1].label != "-RRB-":
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
    following = node.next
    if (
        following is not None
        and following.head == parent.head
        and (following.label.startswith("JJ") or following.label == "IN")
    ):
        return True
    return (
        parent.label == "ADJP"
        and node.place == 0
        and parent.children[-1].label == "JJ"
        and not node.has("NNP")
    )
