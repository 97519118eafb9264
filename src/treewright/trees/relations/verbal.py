"""Auxiliaries, copulas, adverbs and the other small words around a verb."""

from __future__ import annotations

from treewright.trees.relations.lexicon import (
    BE,
    COPULAS,
    NEGATIONS,
    is_passive_auxiliary,
    is_verb,
)
from treewright.trees.relations.nodes import Node


def is_auxiliary(node: Node, parent: Node) -> bool:
    """`has` in `has died`; `did` in `did he die`."""
    if parent.label == "VP":
        return parent.has("VP")
    if parent.label == "CONJP":
        return node.label == "TO" and parent.has("VB")
    return node.label not in ("TO", "POS") and node.followed_by("VP", "ADJP")


def is_auxiliary_of_passive(node: Node, parent: Node) -> bool:
    """`was` in `was sold`, also before coordinated participles."""
    if parent.label == "SQ":
        return is_verb(node, BE) and any(
            sister.label == "VP" and sister.has("VBD", "VBN") for sister in node.after
        )
    return is_passive_auxiliary(node) and any(
        _is_participial(phrase) for phrase in parent.all("VP", "ADJP")
    )


def _is_participial(phrase: Node) -> bool:
    if phrase.has("VBN", "VBD"):
        return True
    return phrase.has("CC") and any(
        conjunct.has("VBN", "VBD") for conjunct in phrase.all("VP", "ADJP")
    )


def is_copula(node: Node, parent: Node) -> bool:
    """`is` in `is tall`, `is a teacher`, `is he tall`."""
    if parent.label == "SQ":
        asks_with_wh = any(sister.label.startswith("W") for sister in parent.sisters)
        return node.place == 0 and is_verb(node, BE) and not asks_with_wh
    return is_verb(node, COPULAS) and any(_is_predicate(sister) for sister in node.after)


def _is_predicate(node: Node) -> bool:
    if node.label in ("ADJP", "NP", "WHNP"):
        return not node.has("VBN")
    return node.label == "S" and node.is_only("ADJP") and node.children[0].has("JJ")


def is_negation(node: Node, parent: Node) -> bool:
    """`not` in `is not tall`, `never` in `never mind`."""
    if node.label == "RB":
        return node.is_word(*NEGATIONS)
    if parent.label in ("SQ", "NP"):
        return False
    head = node.head_child
    return head.label == "RB" and head.is_word(*NEGATIONS)


def is_adverb(node: Node, parent: Node) -> bool:
    """An adverb or adverb phrase beside the head, unless it negates."""
    if node.is_word(*NEGATIONS):
        return False
    if parent.label == "SBARQ":
        return node.label == "WHADVP" and node.place == 0
    if parent.label in ("ADVP", "WHADVP"):
        return node.label != "WHNP" and not parent.has("CC", "CONJP")
    if node.label == "JJ":
        return parent.label == "XS"
    return node.label != "WHNP" or (parent.label == "SBAR" and node.has("WRB"))


def is_expletive(node: Node, parent: Node) -> bool:
    """`there` in `there is a ghost`."""
    return node.has("EX")
