"""Subjects: of statements, questions, inversions, relative clauses and `there is`."""

from __future__ import annotations

from treewright.trees.heads import word_set
from treewright.trees.relations.lexicon import VERBS, is_passive_auxiliary, is_time_phrase
from treewright.trees.relations.nodes import Node

_FINITE = word_set("VP VBZ VBD VBP VB MD AUX")


def is_subject(node: Node, parent: Node) -> bool:
    """The noun phrase before a verb phrase, after an inverted verb, or after `there is`."""
    return _TESTS[parent.label](node, parent)


def _of_clause(node: Node, parent: Node) -> bool:
    if node.has("EX"):
        return False
    if node.followed_by("VP") and (
        not is_time_phrase(node) or (node.label == "NP" and not node.followed_by("NP"))
    ):
        return True
    is_small_clause = parent.parent_label == "VP" and node.next_label in ("NP", "ADJP")
    return is_small_clause and node.label == "NP"


def _of_question(node: Node, parent: Node) -> bool:
    if node.label != "NP":
        return False
    if any(sister.label == "NP" and sister.has("EX") for sister in node.before):
        return True
    if node.has("EX"):
        return False
    if node.followed_by("VP"):
        return True
    verb = node.previous
    if verb is not None and verb.label == "RB":
        verb = verb.previous
    return verb is not None and verb.label in VERBS


def _of_wh_question(node: Node, parent: Node) -> bool:
    return node.label == "WHNP" and any(_lacks_subject(clause) for clause in parent.all("SQ"))


def _of_inversion(node: Node, parent: Node) -> bool:
    verb = node.previous
    if verb is None:
        return not node.followed_by("NP")
    if verb.label in ("RB", "ADVP"):
        verb = verb.previous
    return verb is not None and verb.label in _FINITE


def _of_relative_clause(node: Node, parent: Node) -> bool:
    if node.label != "WHNP":
        return False
    if not parent.has("S"):
        return _lacks_subject(parent)
    return not parent.has("SBAR") and any(_lacks_subject(clause) for clause in parent.all("S"))


def _lacks_subject(clause: Node) -> bool:
    """Whether there is a verb phrase without a noun phrase before it."""
    return any(not phrase.preceded_by("NP") for phrase in clause.all("VP"))


def _of_existential(node: Node, parent: Node) -> bool:
    """`a ghost` in `there is a ghost`, however many verbs come between."""
    if node.label != "NP":
        return False
    clause: Node | None = parent
    while clause is not None and clause.label == "VP" and clause.head == parent.head:
        clause = clause.parent
    return (
        clause is not None
        and clause.label == "S"
        and clause.head == parent.head
        and any(child.has("EX") for child in clause.all("NP"))
    )


_TESTS = {
    "S": _of_clause,
    "SQ": _of_question,
    "SBARQ": _of_wh_question,
    "SINV": _of_inversion,
    "SBAR": _of_relative_clause,
    "VP": _of_existential,
}


def is_question_subject(node: Node, parent: Node) -> bool:
    """A question without a verb phrase, such as `is the king`, beside a head."""
    return node.has(*VERBS) and not node.has("VP")


def is_passive_subject(node: Node, parent: Node) -> bool:
    """The subject of `was sold`, however many verbs come between."""
    if node.has("EX"):
        return False
    stack = parent.all("VP")
    while stack:
        phrase = stack.pop()
        complements = phrase.all("VP")
        if any(complement.has("VBN", "VBD") for complement in complements) and any(
            is_passive_auxiliary(child) for child in phrase.children
        ):
            return True
        stack.extend(complements)
    return False


def is_clausal_subject(node: Node, parent: Node) -> bool:
    """`what she said` in `what she said is true`."""
    return node.next_label != "," and any(
        sister.label == "VP" and not sister.preceded_by("NP") for sister in node.after
    )
