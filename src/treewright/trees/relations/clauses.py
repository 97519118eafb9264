"""Clauses as complements and modifiers, and the words that introduce them."""

from __future__ import annotations

from treewright.trees.relations.lexicon import VERBS
from treewright.trees.relations.nodes import Node

_COMPLEMENTISERS = ("that", "whether")


def has_infinitive(node: Node) -> bool:
    """Whether there is a `to` clause directly below."""
    return any(_is_infinitival(clause) for clause in node.all("S"))


def _is_infinitival(clause: Node) -> bool:
    return any(phrase.has("TO") for phrase in clause.all("VP"))


def _has_clause(node: Node) -> bool:
    return any(clause.has("VP") for clause in node.all("S"))


def is_clausal_complement(node: Node, parent: Node) -> bool:
    """`he left` in `says that he left`, `"he left", she said`, `sure that he left`."""
    if parent.label == "VP":
        return _is_finite_object(node) if node.label == "S" else _is_reported_clause(node)
    if node.label != "SBAR":
        return parent.label in ("S", "SINV") and _is_quotation(node)
    if parent.label == "ADJP":
        return _has_clause(node)
    return (
        parent.label == "S"
        and node.place == 0
        and _opens_with_that(node)
        and node.next_label != "VP"
    )


def _is_finite_object(node: Node) -> bool:
    return not node.preceded_by("NP") and any(
        not phrase.starts_with("TO", "VBG") for phrase in node.all("VP")
    )


def _is_reported_clause(node: Node) -> bool:
    if node.label != "SBAR":
        return False
    if _is_that_clause(node):
        return True
    if node.has("CC", "CONJP") and any(_is_that_clause(child) for child in node.all("SBAR")):
        return True
    if node.preceded_by("NP") or not _has_clause(node):
        return False
    first = node.children[0]
    return first.has_word("WRB", "how") if first.label == "WHADVP" else first.label != "IN"


def _opens_with_that(node: Node) -> bool:
    return node.starts_with("IN", "DT") and node.children[0].is_word(*_COMPLEMENTISERS)


def _is_that_clause(node: Node) -> bool:
    """Whether `that` opens the node and clauses, and clauses only, lead down to a verb phrase."""
    stack = node.all("S") if _opens_with_that(node) else []
    while stack:
        clause = stack.pop()
        if clause.has("VP"):
            return True
        stack.extend(clause.all("S"))
    return False


def _is_quotation(node: Node) -> bool:
    return (
        node.next_label in (",", ".", "''")
        and node.previous_label not in (":", "CC")
        and not any(phrase.has("TO", "VBG") for phrase in node.all("VP"))
    )


def is_open_complement(node: Node, parent: Node) -> bool:
    """`leave` in `wants to leave`; `leaving` in `stop leaving`; `a fool` in `call him a fool`."""
    if parent.label == "ADJP":
        return node.label == "S" and _starts_with_infinitive(node)
    if node.label == "VP":
        return node.previous_label in VERBS and node.has("VB") and node.has("NP")
    if node.label == "SBAR":
        return not _is_under_be(parent) and has_infinitive(node)
    if node.previous_label == "NN" and node.before[-1].is_word("order"):
        return False
    return (
        (_is_infinitival(node) and not _is_under_be(parent))
        or _is_small_clause(node)
        or (node.is_only("NP") and parent.parent_label == "VP")
        or (not node.has("NP") and any(phrase.has("VBG") for phrase in node.all("VP")))
    )


def _starts_with_infinitive(clause: Node) -> bool:
    return clause.starts_with("VP") and clause.children[0].starts_with("TO")


def _is_small_clause(node: Node) -> bool:
    """`him a fool`, `her happy`."""
    return any(child.next_label in ("NP", "ADJP") for child in node.all("NP"))


def _is_under_be(phrase: Node) -> bool:
    """Whether a verb phrase is the complement of a bare `be`."""
    above = phrase.parent
    return (
        above is not None
        and above.label == "VP"
        and any(verb.word == "be" for verb in above.all("VB", "AUX"))
    )


def is_complementiser(node: Node, parent: Node) -> bool:
    """`that` in `says that he left`."""
    if node.place != 0 or not node.is_word(*_COMPLEMENTISERS):
        return False
    if node.word in ("That", "Whether"):
        return True
    if parent.preceded_by(*VERBS) or parent.previous_label == "NP":
        return True
    above = parent.parent
    if above is None or above.label in ("ADJP", "PP"):
        return above is not None
    return (
        above.label in ("NP", "UCP", "SBAR")
        and above.has("CC", "CONJP")
        and above.preceded_by(*VERBS)
    )


def is_marker(node: Node, parent: Node) -> bool:
    """`because` in `because he left`."""
    return node.place == 0 and not node.is_word(*_COMPLEMENTISERS) and parent.has("S", "FRAG")


def is_relative(node: Node, parent: Node) -> bool:
    """`in which` in `the house in which he lived`."""
    if node.place != 0 or parent.parent_label != "NP":
        return False
    return node.label != "WHNP" or any(
        phrase.preceded_by("NP") for clause in parent.all("S") for phrase in clause.all("VP")
    )


def is_adverbial_clause(node: Node, parent: Node) -> bool:
    """`because he left` in `she cried because he left`."""
    if node.label == "PP":
        return parent.label != "VP" and node.place == 0 and node.starts_with("RB")
    if parent.label == "VP":
        return _is_subordinate(node, 0) or _opens_with_wh_adverb(node) or _is_inverted(node)
    if node.place == 0 and _is_subordinate(node, 1):
        return True
    if not _is_subordinate(node, 0) or node.next_label == "VP":
        return False
    return node.place == 0 or (node.next_label == "," and node.followed_by("NP"))


def _is_subordinate(node: Node, place: int) -> bool:
    """Whether the child at `place` is a subordinating conjunction, not `in` of `in order`."""
    if place >= len(node.children):
        return False
    child = node.children[place]
    if child.label != "IN" or child.is_word(*_COMPLEMENTISERS):
        return False
    return child.next_label != "NN" or not child.after[0].is_word("order")


def _is_inverted(node: Node) -> bool:
    """`had he known`."""
    return node.is_only("SINV") and node.children[0].starts_with("MD", *VERBS)


def _opens_with_wh_adverb(node: Node) -> bool:
    """`when he left`, but not `how he left` or `when to leave`."""
    return (
        node.starts_with("WHADVP", "WHNP")
        and any(not adverb.is_word("how") for adverb in node.children[0].all("WRB"))
        and not has_infinitive(node)
    )


def is_purpose_clause(node: Node, parent: Node) -> bool:
    """`in order to win` in `he trains in order to win`; `to win` in `be trained to win`."""
    if node.label == "SBAR":
        return node.has_word("IN", "in") and node.has_word("NN", "order") and has_infinitive(node)
    return (
        _is_under_be(parent)
        and node.previous_label != ","
        and not node.preceded_by("NP")
        and any(phrase.has("TO", "VBG") for phrase in node.all("VP"))
    )


def is_relative_clause(node: Node, parent: Node) -> bool:
    """`who left` in `the man who left`, with or without the pronoun."""
    head = parent.head_child
    if head.label not in ("NP", "WHNP", "NML") or head.place > node.place:
        return False
    if node.label == "RRC" or _has_relative_pronoun(node):
        return True
    if node.is_only("S"):
        return not _starts_with_infinitive(node.children[0])
    return any(phrase.has_word("WRB", "where", "why") for phrase in node.all("WHADVP"))


def _has_relative_pronoun(node: Node) -> bool:
    stack = [node]
    while stack:
        clause = stack.pop()
        if clause.has("WHPP", "WHNP"):
            return True
        stack.extend(clause.all("SBAR"))
    return False


def is_participial_modifier(node: Node, parent: Node) -> bool:
    """`sold there` in `books sold there`; `knowing this` in `he, knowing this, left`."""
    if node.label == "VP":
        if parent.label == "S":
            return False
        if node.has("VBG", "VBN", "VBD") and node.preceded_by("NP"):
            return True
        return node.previous_label == "," and node.starts_with("VBG", "VBN")
    return (
        parent.label == "S"
        and [sister.label for sister in node.before] == ["NP", ","]
        and any(phrase.starts_with("VBG", "VBN") for phrase in node.all("VP"))
    )


def is_infinitival_modifier(node: Node, parent: Node) -> bool:
    """`to make` in `points to make`."""
    infinitive = _is_infinitival(node) if node.label == "S" else has_infinitive(node)
    return infinitive and any(sister.label.startswith(("NP", "NN")) for sister in node.before)


def is_parataxis(node: Node, parent: Node) -> bool:
    """`he said` in `it will, he said, rain`; a clause after a colon."""
    if node.label != "PRN":
        return parent.label in ("S", "VP") and node.previous_label == ":"
    return node.has("S", "SINV", "SBAR") and "VP" in (parent.label, parent.head_child.label)
