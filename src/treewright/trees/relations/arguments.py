"""Subjects, objects and predicates: the nominal arguments of verbs and prepositions."""

from __future__ import annotations

from treewright.trees.relations.lexicon import (
    BE,
    COPULAS,
    VERBS,
    has_verb,
    is_passive_auxiliary,
    is_time_phrase,
    is_verb,
)
from treewright.trees.relations.nodes import Node

_FINITE = frozenset("VP VBZ VBD VBP VB MD AUX".split())
_PREPOSITIONS = ("IN", "VBG", "TO", "FW")


def is_subject(node: Node, parent: Node) -> bool:
    """The noun phrase before a verb phrase, after an inverted verb, or after `there is`."""
    return _SUBJECT_TESTS[parent.label](node, parent)


def _is_subject_of_clause(node: Node, parent: Node) -> bool:
    if node.has("EX"):
        return False
    if node.followed_by("VP") and (
        not is_time_phrase(node) or (node.label == "NP" and not node.followed_by("NP"))
    ):
        return True
    following = node.next
    return (
        node.label == "NP"
        and following is not None
        and following.label in ("NP", "ADJP")
        and parent.parent is not None
        and parent.parent.label == "VP"
    )


def _is_subject_of_question(node: Node, parent: Node) -> bool:
    if node.label != "NP":
        return False
    if any(sister.label == "NP" and sister.has("EX") for sister in node.before):
        return True
    if node.has("EX"):
        return False
    if node.followed_by("VP"):
        return True
    previous = node.previous
    if previous is not None and previous.label == "RB":
        previous = previous.previous
    return previous is not None and previous.label in VERBS


def _is_subject_of_wh_question(node: Node, parent: Node) -> bool:
    if node.label == "SQ":
        return any(child.label in VERBS for child in node.children) and not node.has("VP")
    return any(
        child.label == "VP" and not child.preceded_by("NP")
        for sister in parent.children
        if sister.label == "SQ"
        for child in sister.children
    )


def _is_subject_of_inversion(node: Node, parent: Node) -> bool:
    previous = node.previous
    if previous is None:
        return not any(sister.label == "NP" for sister in node.after)
    if previous.label in ("RB", "ADVP"):
        previous = previous.previous
    return previous is not None and previous.label in _FINITE


def _is_subject_of_relative(node: Node, parent: Node) -> bool:
    """`who` in `who left`: the clause has no subject of its own."""
    if node.label != "WHNP":
        return False
    clauses = [child for child in parent.children if child.label == "S"]
    if not clauses:
        return any(
            child.label == "VP" and not child.preceded_by("NP") for child in parent.children
        )
    return not parent.has("SBAR") and any(
        child.label == "VP" and not child.preceded_by("NP")
        for clause in clauses
        for child in clause.children
    )


def _is_subject_of_existential(node: Node, parent: Node) -> bool:
    """`a ghost` in `there is a ghost`, however many verbs stand between."""
    if node.label != "NP":
        return False
    clause: Node | None = parent
    while clause is not None and clause.label == "VP" and clause.head == parent.head:
        clause = clause.parent
    return (
        clause is not None
        and clause.label == "S"
        and clause.head == parent.head
        and any(child.label == "NP" and child.has("EX") for child in clause.children)
    )


_SUBJECT_TESTS = {
    "S": _is_subject_of_clause,
    "SQ": _is_subject_of_question,
    "SBARQ": _is_subject_of_wh_question,
    "SINV": _is_subject_of_inversion,
    "SBAR": _is_subject_of_relative,
    "VP": _is_subject_of_existential,
}


def is_passive_subject(node: Node, parent: Node) -> bool:
    """The subject of `was sold`, however many verbs stand between."""
    if node.has("EX"):
        return False
    stack = [child for child in parent.children if child.label == "VP"]
    while stack:
        phrase = stack.pop()
        complements = [child for child in phrase.children if child.label == "VP"]
        if any(complement.has("VBN", "VBD") for complement in complements) and any(
            is_passive_auxiliary(child) for child in phrase.children
        ):
            return True
        stack.extend(complements)
    return False


def is_clausal_subject(node: Node, parent: Node) -> bool:
    """`what she said` in `what she said is true`."""
    following = node.next
    if following is not None and following.label == ",":
        return False
    return any(sister.label == "VP" and not sister.preceded_by("NP") for sister in node.after)


def is_direct_object(node: Node, parent: Node) -> bool:
    """`a book` in `gave him a book`; the relative pronoun of `that he gave`."""
    if parent.label == "VP":
        return not has_verb(parent, COPULAS) and _is_object_in_verb_phrase(node)
    if node.label != "WHNP" or node.has("WRB"):
        return False
    if parent.label == "SBARQ":
        return _asks_for_object(parent)
    return any(_lacks_object(child) for child in parent.children if child.label == "S")


def _is_object_in_verb_phrase(node: Node) -> bool:
    previous, following = node.previous, node.next
    if (
        previous is not None
        and previous.label == "NP"
        and not is_time_phrase(node)
        and not any(c.label.startswith("NN") and c.is_word("lot") for c in node.children)
    ):
        return True
    if following is not None and following.label == "NP":
        return is_time_phrase(following)
    return not is_time_phrase(node)


def _asks_for_object(question: Node) -> bool:
    stack = list(question.children)
    while stack:
        node = stack.pop()
        if node.label not in ("SQ", "SINV", "S", "VP"):
            continue
        if node.label == "VP" and node.preceded_by("NP") and not _has_infinitive(node):
            return True
        stack.extend(node.children)
    return False


def _lacks_object(clause: Node) -> bool:
    return clause.has("NP") and any(
        child.label == "VP" and not child.has("SBAR") and not _has_infinitive(child)
        for child in clause.children
    )


def _has_infinitive(phrase: Node) -> bool:
    """Whether a verb phrase embeds a `to` clause."""
    return any(
        child.label == "S"
        and any(part.label == "VP" and part.has("TO") for part in child.children)
        for child in phrase.children
    )


def is_indirect_object(node: Node, parent: Node) -> bool:
    """`him` in `gave him a book`."""
    following = node.next
    if (
        following is not None
        and following.label == "NP"
        and not is_time_phrase(following)
        and not is_time_phrase(node)
        and not node.has("$")
    ):
        return True
    return any(_is_misparsed_dative(child) for child in node.children)


def _is_misparsed_dative(node: Node) -> bool:
    """Whether `him a book` was parsed as one noun phrase and this is its `him`."""
    sisters = (*node.before, *node.after)
    return (
        node.label == "NP"
        and not node.has("$")
        and any(
            sister.label == "NP" and not any(c.is_word("lot") for c in sister.children)
            for sister in node.after
        )
        and not any(sister.label in ("CC", "CONJP", ",") for sister in sisters)
        and not node.followed_by(":")
    )


def is_attribute(node: Node, parent: Node) -> bool:
    """`what` in `what is that`; a noun phrase after a copula that kept its head."""
    if parent.label == "VP":
        return (
            node.label == "NP"
            and has_verb(parent, COPULAS)
            and not any(
                sister.label == "NP" and sister.has("EX")
                for sister in (*parent.before, *parent.after)
            )
        )
    if parent.label == "SBARQ":
        following = node.next
        return following is not None and following.label == "SQ" and any(
            is_verb(child, COPULAS) and not child.followed_by("VP")
            for child in following.children
        )
    return (
        node.label == "NP"
        and is_verb(parent.children[0], BE)
        and any(sister.label == "NP" and not sister.has("EX") for sister in node.before)
    )


def is_adjectival_complement(node: Node, parent: Node) -> bool:
    """`tired` in `looks tired`."""
    return not node.preceded_by("NP")


def is_prepositional_object(node: Node, parent: Node) -> bool:
    """`the table` in `on the table`."""
    previous = node.previous
    if previous is None:
        return False
    if node.label != "ADVP":
        return previous.label != "NP" and node.preceded_by(*_PREPOSITIONS)
    return (
        previous.label in ("IN", "VBG", "TO")
        and any(
            (child.label == "RB" and child.is_word("here", "there"))
            or (child.label == "ADVP" and child.has("NP"))
            for child in node.children
        )
    )


def is_prepositional_complement(node: Node, parent: Node) -> bool:
    """`leaving` in `before leaving`."""
    previous = node.previous
    if previous is not None and previous.label in ("IN", "VBG", "VBN", "TO"):
        return True
    first = node.children[:2]
    return (
        node.label == "SBAR"
        and [child.label for child in first] == ["IN", "S"]
        and not parent.has("IN", "TO")
    )


def is_prepositional_modifier(node: Node, parent: Node) -> bool:
    """`on the table` in `the book on the table`."""
    if parent.label in ("S", "SINV"):
        return parent.has("VP") and not node.has("SBAR")
    return parent.label != "SBARQ" or parent.has("SQ")


def is_temporal(node: Node, parent: Node) -> bool:
    """`last night` in `it rained last night`."""
    if not is_time_phrase(node):
        return False
    if parent.label == "PP":
        previous = node.previous
        return (
            previous is not None
            and previous.label == "NP"
            and previous.preceded_by(*_PREPOSITIONS)
        )
    if parent.label != "S":
        return True
    return any(sister.label == "NP" and sister.followed_by("VP") for sister in node.after)
