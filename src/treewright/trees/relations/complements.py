"""Objects, predicates and prepositional phrases: what completes a verb or a preposition."""

from __future__ import annotations

from treewright.trees.relations.clauses import has_infinitive
from treewright.trees.relations.lexicon import BE, COPULAS, has_verb, is_time_phrase, is_verb
from treewright.trees.relations.nodes import Node

_PREPOSITIONS = ("IN", "VBG", "TO", "FW")


def is_direct_object(node: Node, parent: Node) -> bool:
    """`a book` in `gave him a book`; the relative pronoun of `that he gave`."""
    if parent.label == "VP":
        return not has_verb(parent, COPULAS) and _is_object(node)
    if node.label != "WHNP" or node.has("WRB"):
        return False
    if parent.label == "SBARQ":
        return node.place == 0 and _asks_for_object(parent)
    return any(_lacks_object(clause) for clause in parent.all("S"))


def _is_object(node: Node) -> bool:
    is_time = is_time_phrase(node)
    if node.previous_label == "NP" and not is_time:
        return True
    if node.next_label == "NP":
        return is_time_phrase(node.after[0])
    return not is_time


def _asks_for_object(question: Node) -> bool:
    stack = list(question.children)
    while stack:
        node = stack.pop()
        if node.label not in ("SQ", "SINV", "S", "VP"):
            continue
        if node.label == "VP" and node.preceded_by("NP") and not has_infinitive(node):
            return True
        stack.extend(node.children)
    return False


def _lacks_object(clause: Node) -> bool:
    return clause.has("NP") and any(
        not phrase.has("SBAR") and not has_infinitive(phrase) and not _strands_preposition(phrase)
        for phrase in clause.all("VP")
    )


def _strands_preposition(phrase: Node) -> bool:
    """Whether a verb phrase ends like `lived in`."""
    stack = [phrase]
    while stack:
        top = stack.pop()
        if any(child.ends_with("IN") for child in top.all("PP")):
            return True
        stack.extend(top.all("VP"))
    return False


def is_indirect_object(node: Node, parent: Node) -> bool:
    """`him` in `gave him a book`."""
    if (
        node.next_label == "NP"
        and not is_time_phrase(node.after[0])
        and not is_time_phrase(node)
        and not _has_dollar(node)
    ):
        return True
    return any(_is_misparsed_dative(child) for child in node.all("NP"))


def _has_dollar(node: Node) -> bool:
    """Whether a child's label contains a dollar sign, which is also true of `PRP$`."""
    return any("$" in child.label for child in node.children)


def _is_misparsed_dative(node: Node) -> bool:
    """Whether `him a book` was parsed as one noun phrase and this is its `him`."""
    return (
        not _has_dollar(node)
        and any(
            sister.label == "NP" and not any(word.is_word("lot") for word in sister.children)
            for sister in node.after
        )
        and not any(sister.label in ("CC", "CONJP", ",") for sister in node.sisters)
        and not node.followed_by(":")
    )


def is_attribute(node: Node, parent: Node) -> bool:
    """`what` in `what is that`; a noun phrase after a copula that kept its head."""
    if parent.label == "SBARQ":
        return (
            node.label != "NP"
            and node.next_label == "SQ"
            and any(
                is_verb(child, COPULAS) and not child.followed_by("VP")
                for child in node.after[0].children
            )
        )
    if node.label != "NP":
        return False
    if parent.label == "VP":
        return has_verb(parent, COPULAS) and not any(
            sister.label == "NP" and sister.has("EX") for sister in parent.sisters
        )
    return is_verb(parent.children[0], BE) and any(
        sister.label == "NP" and not sister.has("EX") for sister in node.before
    )


def is_adjectival_complement(node: Node, parent: Node) -> bool:
    """`tired` in `looks tired`."""
    return not node.preceded_by("NP")


def is_prepositional_object(node: Node, parent: Node) -> bool:
    """`the table` in `on the table`; `here` in `from here`."""
    if node.label != "ADVP":
        return node.previous_label != "NP" and node.preceded_by(*_PREPOSITIONS)
    return node.previous_label in ("IN", "VBG", "TO") and (
        node.has_word("RB", "here", "there") or any(child.has("NP") for child in node.all("ADVP"))
    )


def is_prepositional_complement(node: Node, parent: Node) -> bool:
    """`leaving` in `before leaving`."""
    if node.previous_label in ("IN", "VBG", "VBN", "TO"):
        return True
    return (
        node.label == "SBAR"
        and [child.label for child in node.children[:2]] == ["IN", "S"]
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
        return node.previous_label == "NP" and node.before[-1].preceded_by(*_PREPOSITIONS)
    if parent.label == "S":
        return any(sister.label == "NP" and sister.followed_by("VP") for sister in node.after)
    return True
