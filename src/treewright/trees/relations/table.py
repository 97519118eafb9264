"""The table of relations: which label holds between a constituent and its parent's head.

If several relations fit, the first row gives the label. The order is that of the reference
converter, which tries its relations by name and lets a more specific one replace its parent (`neg`
before `advmod`, `auxpass` and `cop` before `aux`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
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
from treewright.trees.relations.nodes import Node

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
