"""From a constituency tree to typed dependencies, by a table of relations.

The table says which label holds between a constituent and its parent's head. If several relations
fit, the first row gives the label. The order is that of the reference converter, which tries its
relations by name and lets a more specific one replace its parent (`neg` before `advmod`, `auxpass`
and `cop` before `aux`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from treewright.trees.heads import word_set
from treewright.trees.relations import (
    clauses,
    complements,
    coordination,
    nominals,
    subjects,
    verbal,
)
from treewright.trees.relations.lexicon import PUNCTUATION_WORDS
from treewright.trees.relations.nodes import Node, link, read_nodes
from treewright.trees.relations.reshape import reshape
from treewright.trees.tree import Tree

DEPENDENT = "dep"

Matcher = Callable[[Node, Node], bool]


class Row(NamedTuple):
    """A relation's name, the parent and child labels it may hold between, and its test."""

    name: str
    parents: frozenset[str]
    children: frozenset[str]
    holds: Matcher


def _row(name: str, parents: str, children: str, holds: Matcher) -> Row:
    return Row(name, word_set(parents), word_set(children), holds)


def _always(node: Node, parent: Node) -> bool:
    return True


_ANY = "*"
_VERB = "VB VBD VBG VBN VBP VBZ AUX AUXG"
_ADVERB = "RB RBR RBS WRB ADVP WHADVP"
_COORDINATED = "VP NP WHNP ADJP PP QP ADVP UCP S NX SBAR SBARQ JJP NML"

TABLE = (
    _row("abbrev", "NP WHNP", "PRN", nominals.is_abbreviation),
    _row("acomp", "VP", "ADJP", complements.is_adjectival_complement),
    _row(
        "amod",
        "NP NX NML WHNP",
        "ADJP WHADJP JJ JJR JJS VBN VBG VBD",
        nominals.is_adjectival_modifier,
    ),
    _row("advcl", "VP S SQ", "SBAR PP", clauses.is_adverbial_clause),
    _row("neg", "VP ADJP SQ S FRAG NP SBAR SINV", "RB ADVP", verbal.is_negation),
    _row(
        "advmod",
        "VP ADJP JJP WHADJP ADVP WHADVP S SBAR SINV SQ SBARQ XS NP WHNP RRC",
        _ADVERB + " JJ WHNP",
        verbal.is_adverb,
    ),
    _row("appos", "NP", "NP NNP PRN", nominals.is_apposition),
    _row("attr", "VP SBARQ SQ", "NP WHNP WHADJP", complements.is_attribute),
    _row("auxpass", "VP SQ", _VERB + " POS", verbal.is_auxiliary_of_passive),
    _row("cop", "VP SQ", _VERB, verbal.is_copula),
    _row("aux", "VP SQ SINV CONJP", _VERB + " TO MD POS", verbal.is_auxiliary),
    _row("ccomp", "VP SINV S ADJP", "S SBAR SBARQ", clauses.is_clausal_complement),
    _row("csubj", "S", "S SBAR", subjects.is_clausal_subject),
    _row("complm", "SBAR", "IN DT", clauses.is_complementiser),
    _row("conj", _COORDINATED, _ANY, coordination.is_conjunct),
    _row("cc", _COORDINATED, "CC CONJP", coordination.is_conjunction),
    _row("det", "NP NML WHNP", "DT WHNP WDT WP", nominals.is_determiner),
    _row("dobj", "VP SBARQ SBAR", "NP WHNP", complements.is_direct_object),
    _row("expl", "S SQ", "NP", verbal.is_expletive),
    _row("iobj", "VP", "NP", complements.is_indirect_object),
    _row("infmod", "NP", "S SBAR", clauses.is_infinitival_modifier),
    _row("mark", "SBAR", "IN", clauses.is_marker),
    _row("measure", "ADJP ADVP", "NP", nominals.is_measure),
    _row("nsubjpass", "S SQ", "NP WHNP", subjects.is_passive_subject),
    _row("nsubj", "S SQ SBARQ SINV SBAR VP", "NP WHNP", subjects.is_subject),
    _row("nsubj", "SBARQ", "SQ", subjects.is_question_subject),
    _row("nn", "NP NML", "NP NML NN NNS NNP NNPS FW", nominals.is_compound_part),
    _row("number", "QP", "CD", nominals.is_number_part),
    _row("num", "NP WHNP NX NML", "CD QP ADJP", nominals.is_numeric_modifier),
    _row("parataxis", "S VP", "PRN S SBAR SBARQ SINV SQ", clauses.is_parataxis),
    _row("partmod", "NP WHNP S", "VP S", clauses.is_participial_modifier),
    _row("prt", "VP", "PRT", _always),
    _row("poss", "NP NML WHNP", "PRP$ WP$ NP NNS", nominals.is_possessor),
    _row("possessive", "NP NML WHNP", "POS", nominals.is_possessive_mark),
    _row(
        "preconj",
        "S VP ADJP PP ADVP UCP NX NML SBAR NP",
        "PDT CC DT CONJP",
        coordination.is_preconjunction,
    ),
    _row("predet", "NP WHNP NX", "PDT DT", nominals.is_predeterminer),
    _row("pcomp", "PP", "SBAR S", complements.is_prepositional_complement),
    _row(
        "prep",
        "NP NML WHNP VP S SINV SQ ADJP SBARQ NAC",
        "PP WHPP",
        complements.is_prepositional_modifier,
    ),
    _row("pobj", "PP WHPP", "NP WHNP ADJP ADVP", complements.is_prepositional_object),
    _row("purpcl", "VP", "SBAR S", clauses.is_purpose_clause),
    _row("quantmod", "QP", "IN RB RBR RBS DT PDT JJ JJR JJS XS", _always),
    _row("rel", "SBAR", "WHNP WHPP WHADJP WHADVP", clauses.is_relative),
    _row("rcmod", "NP WHNP", "SBAR RRC", clauses.is_relative_clause),
    _row("tmod", "VP S ADJP PP", "NP", complements.is_temporal),
    _row("xcomp", "VP ADJP", "S SBAR VP", clauses.is_open_complement),
)


@lru_cache(maxsize=4096)
def rows_for(parent: str, child: str) -> tuple[Row, ...]:
    """Return the rows that may hold between a parent and a child with these labels."""
    return tuple(
        row
        for row in TABLE
        if parent in row.parents and (child in row.children or _ANY in row.children)
    )


def relation_name(node: Node, parent: Node) -> str:
    """Return the relation of a constituent to the head of its parent."""
    for row in rows_for(parent.label, node.label):
        if row.holds(node, parent):
            return row.name
    return DEPENDENT


class Relation(NamedTuple):
    """A typed dependency between two words, counted from 1."""

    label: str
    head: int
    dependent: int


def relations(tree: Tree) -> tuple[Relation, ...]:
    """Return the tree's grammatical relations, ordered by dependent.

    They follow the basic Stanford dependencies of 2010: every word except the head word of the
    sentence has one governor. Punctuation is left out.
    """
    root = read_nodes(tree)
    if root is None:
        return ()
    reshape(root)
    words = tree.words()
    found: list[tuple[Node, Relation]] = []
    passive: set[int] = set()
    for node in link(root):
        parent = node.parent
        if parent is None or node.head == parent.head or is_punctuation(words[node.head - 1]):
            continue
        name = relation_name(node, parent)
        if name == "auxpass":
            passive.add(parent.head)
        found.append((node, Relation(name, parent.head, node.head)))
    corrected = [_corrected(node, relation, passive) for node, relation in found]
    return tuple(sorted(corrected, key=attrgetter("dependent")))


def is_punctuation(word: str) -> bool:
    """Whether a word is punctuation, which takes part in no relation."""
    return word in PUNCTUATION_WORDS


_PASSIVE = {"nsubj": "nsubjpass", "csubj": "csubjpass"}


def _corrected(node: Node, relation: Relation, passive: set[int]) -> Relation:
    """Correct what can be recognised only when all relations are known."""
    if relation.head in passive and relation.label in _PASSIVE:
        return relation._replace(label=_PASSIVE[relation.label])
    if relation.label == DEPENDENT and node.label in ("PRP$", "WP$"):
        return relation._replace(label="poss")
    return relation
