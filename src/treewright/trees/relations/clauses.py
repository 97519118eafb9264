"""Clauses as complements and modifiers, and the words that introduce them."""

from __future__ import annotations

from treewright.trees.relations.lexicon import VERBS
from treewright.trees.relations.nodes import Node

_COMPLEMENTISERS = ("that", "whether")


def _verb_phrases(clause: Node) -> list[Node]:
    return [child for child in clause.children if child.label == "VP"]


def _is_infinitival(clause: Node) -> bool:
    return any(phrase.has("TO") for phrase in _verb_phrases(clause))


def _has_clause(node: Node) -> bool:
    """Whether an SBAR holds a clause with a verb phrase."""
    return any(child.label == "S" and child.has("VP") for child in node.children)


def _has_infinitive(node: Node) -> bool:
    """Whether an SBAR holds a `to` clause."""
    return any(child.label == "S" and _is_infinitival(child) for child in node.children)


def _is_opened_by(node: Node, *words: str) -> bool:
    first = node.children[0] if node.children else None
    return first is not None and first.label in ("IN", "DT") and first.is_word(*words)


def is_clausal_complement(node: Node, parent: Node) -> bool:
    """`he left` in `says that he left`, `"he left", she said`, `sure that he left`."""
    if parent.label == "VP":
        return (
            _is_finite_object(node) if node.label == "S" else _is_reported_clause(node)
        )
    if node.label == "SBAR":
        if parent.label == "ADJP":
            return _has_clause(node)
        following = node.next
        return (
            parent.label == "S"
            and node.place == 0
            and _is_opened_by(node, *_COMPLEMENTISERS)
            and (following is None or following.label != "VP")
        )
    return parent.label in ("S", "SINV") and _is_quotation(node)


def _is_finite_object(node: Node) -> bool:
    return not node.preceded_by("NP") and any(
        not phrase.starts_with("TO", "VBG") for phrase in _verb_phrases(node)
    )


def _is_reported_clause(node: Node) -> bool:
    if node.label != "SBAR":
        return False
    if _is_that_clause(node):
        return True
    if node.has("CC", "CONJP") and any(
        child.label == "SBAR" and _is_that_clause(child) for child in node.children
    ):
        return True
    if node.preceded_by("NP") or not _has_clause(node):
        return False
    first = node.children[0]
    if first.label == "WHADVP":
        return any(child.label == "WRB" and child.is_word("how") for child in first.children)
    return first.label != "IN"


def _is_that_clause(node: Node) -> bool:
    """Whether `that` opens the node and clauses, and clauses only, lead down to a verb phrase."""
    if not _is_opened_by(node, *_COMPLEMENTISERS):
        return False
    stack = [child for child in node.children if child.label == "S"]
    while stack:
        clause = stack.pop()
        if clause.has("VP"):
            return True
        stack.extend(child for child in clause.children if child.label == "S")
    return False


def _is_quotation(node: Node) -> bool:
    previous, following = node.previous, node.next
    return (
        node.label in ("S", "SBARQ")
        and following is not None
        and following.label in (",", ".", "''")
        and (previous is None or previous.label not in (":", "CC"))
        and not any(phrase.has("TO", "VBG") for phrase in _verb_phrases(node))
    )


def is_open_complement(node: Node, parent: Node) -> bool:
    """`leave` in `wants to leave`; `leaving` in `stop leaving`; `a fool` in `call him a fool`."""
    if parent.label == "ADJP":
        return (
            node.label == "S"
            and node.starts_with("VP")
            and node.children[0].starts_with("TO")
        )
    if node.label == "VP":
        previous = node.previous
        return previous is not None and previous.label in VERBS and node.has("VB") and node.has("NP")
    if node.label == "SBAR":
        return not _is_under_be(parent) and _has_infinitive(node)
    if node.label != "S" or _follows_order(node):
        return False
    return (
        (_is_infinitival(node) and not _is_under_be(parent))
        or _is_small_clause(node)
        or (
            parent.parent is not None
            and parent.parent.label == "VP"
            and [child.label for child in node.children] == ["NP"]
        )
        or (not node.has("NP") and any(phrase.has("VBG") for phrase in _verb_phrases(node)))
    )


def _is_small_clause(node: Node) -> bool:
    return any(
        left.label == "NP" and right.label in ("NP", "ADJP")
        for left, right in zip(node.children, node.children[1:], strict=False)
    )


def _follows_order(node: Node) -> bool:
    previous = node.previous
    return previous is not None and previous.label == "NN" and previous.is_word("order")


def _is_under_be(phrase: Node) -> bool:
    """Whether a verb phrase is the complement of a bare `be`."""
    above = phrase.parent
    return (
        above is not None
        and above.label == "VP"
        and any(child.label in ("VB", "AUX") and child.word == "be" for child in above.children)
    )


def is_complementiser(node: Node, parent: Node) -> bool:
    """`that` in `says that he left`."""
    if node.place != 0 or not node.is_word(*_COMPLEMENTISERS):
        return False
    if node.word in ("That", "Whether"):
        return True
    previous, above = parent.previous, parent.parent
    if parent.preceded_by(*VERBS) or (previous is not None and previous.label == "NP"):
        return True
    return above is not None and (
        above.label in ("ADJP", "PP")
        or (
            above.label in ("NP", "UCP", "SBAR")
            and above.has("CC", "CONJP")
            and above.preceded_by(*VERBS)
        )
    )


def is_marker(node: Node, parent: Node) -> bool:
    """`because` in `because he left`."""
    return (
        node.place == 0 and not node.is_word(*_COMPLEMENTISERS) and parent.has("S", "FRAG")
    )


def is_relative(node: Node, parent: Node) -> bool:
    """`in which` in `the house in which he lived`."""
    if node.place != 0 or parent.parent is None or parent.parent.label != "NP":
        return False
    return node.label != "WHNP" or any(
        phrase.preceded_by("NP")
        for clause in parent.children
        if clause.label == "S"
        for phrase in _verb_phrases(clause)
    )


def is_adverbial_clause(node: Node, parent: Node) -> bool:
    """`because he left` in `she cried because he left`."""
    if node.label == "PP":
        return parent.label in ("S", "SQ") and node.place == 0 and node.starts_with("RB")
    if parent.label == "VP":
        return (
            _is_subordinate(node, 0) or _opens_with_wh_adverb(node) or _is_inverted(node)
        )
    if node.place == 0 and _is_subordinate(node, 1):
        return True
    following = node.next
    if not _is_subordinate(node, 0) or (following is not None and following.label == "VP"):
        return False
    return node.place == 0 or (
        following is not None and following.label == "," and node.followed_by("NP")
    )


def _is_subordinate(node: Node, place: int) -> bool:
    """Whether the child at `place` is a subordinating conjunction, not `in` of `in order`."""
    if place >= len(node.children):
        return False
    child = node.children[place]
    if child.label != "IN" or child.is_word(*_COMPLEMENTISERS):
        return False
    following = child.next
    return following is None or following.label != "NN" or not following.is_word("order")


def _is_inverted(node: Node) -> bool:
    """`had he known`."""
    return (
        len(node.children) == 1
        and node.children[0].label == "SINV"
        and node.children[0].starts_with("MD", *VERBS)
    )


def _opens_with_wh_adverb(node: Node) -> bool:
    return (
        node.starts_with("WHADVP", "WHNP")
        and any(
            child.label == "WRB" and not child.is_word("how")
            for child in node.children[0].children
        )
        and not _has_infinitive(node)
    )


def is_purpose_clause(node: Node, parent: Node) -> bool:
    """`in order to win` in `he trains in order to win`; `to win` in `be trained to win`."""
    if node.label == "SBAR":
        return (
            any(child.label == "IN" and child.is_word("in") for child in node.children)
            and any(child.label == "NN" and child.is_word("order") for child in node.children)
            and _has_infinitive(node)
        )
    previous = node.previous
    return (
        _is_under_be(parent)
        and (previous is None or previous.label != ",")
        and not node.preceded_by("NP")
        and any(phrase.has("TO", "VBG") for phrase in _verb_phrases(node))
    )


def is_relative_clause(node: Node, parent: Node) -> bool:
    """`who left` in `the man who left`, with or without the pronoun."""
    head = parent.head_child
    if head is None or head.label not in ("NP", "WHNP", "NML") or head.place > node.place:
        return False
    if node.label == "RRC":
        return True
    if parent.label not in ("NP", "WHNP"):
        return False
    if _has_relative_pronoun(node):
        return True
    if len(node.children) == 1 and node.children[0].label == "S":
        clause = node.children[0]
        return not (clause.starts_with("VP") and clause.children[0].starts_with("TO"))
    return any(
        child.label == "WHADVP"
        and any(part.label == "WRB" and part.is_word("where", "why") for part in child.children)
        for child in node.children
    )


def _has_relative_pronoun(node: Node) -> bool:
    stack = [node]
    while stack:
        clause = stack.pop()
        if clause.has("WHPP", "WHNP"):
            return True
        stack.extend(child for child in clause.children if child.label == "SBAR")
    return False


def is_participial_modifier(node: Node, parent: Node) -> bool:
    """`sold there` in `books sold there`; `knowing this` in `he, knowing this, left`."""
    previous = node.previous
    after_comma = previous is not None and previous.label == ","
    if node.label == "VP":
        if node.has("VBG", "VBN", "VBD") and node.preceded_by("NP"):
            return True
        return after_comma and node.starts_with("VBG", "VBN")
    return (
        node.place == 2
        and after_comma
        and parent.children[0].label == "NP"
        and any(phrase.starts_with("VBG", "VBN") for phrase in _verb_phrases(node))
    )


def is_infinitival_modifier(node: Node, parent: Node) -> bool:
    """`to make` in `points to make`."""
    infinitive = _is_infinitival(node) if node.label == "S" else _has_infinitive(node)
    return infinitive and any(
        sister.label.startswith("NP") or sister.label.startswith("NN") for sister in node.before
    )


def is_parataxis(node: Node, parent: Node) -> bool:
    """`he said` in `it will, he said, rain`; a clause after a colon."""
    if node.label == "PRN":
        if not node.has("S", "SINV", "SBAR"):
            return False
        head = parent.head_child
        return parent.label == "VP" or (head is not None and head.label == "VP")
    previous = node.previous
    return parent.label in ("S", "VP") and previous is not None and previous.label == ":"
