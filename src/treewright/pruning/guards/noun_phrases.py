"""What a noun phrase cannot do without if what is left of it is to be English."""

from __future__ import annotations

from itertools import pairwise

from treewright.pruning.guards.nouns import COMPOUND, NAMED, PARTS, RELATIONAL, UNITS
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

NOMINAL = word_set("NP NX NML WHNP")
NOUNS = word_set("NN NNS NNP NNPS PRP CD $ POS EX WP")
_CLAUSES = word_set("S SBAR SINV SQ SBARQ")
_ARTICLES = word_set("a an the some any every each this that these those another no")
_NEED_OF = PARTS | RELATIONAL | UNITS
_QUANTIFIERS = word_set(
    "all any both each either few first half last many most much neither none one several some two"
    " three"
)
_COUNTED = word_set("CD JJR JJS")
_TIMES = word_set("times")
_ONE = word_set("one ones")
_DESCRIBED = word_set("time fact something anything grounds right feeling")
"""Nouns that say nothing without the clause after them: `by the time it came`."""
_SHORT = 3
"""The most letters of a part of a number."""
_TELLING = word_set("PP SBAR VP")
_CHOOSING = word_set("first last next final only same whole entire")
_CHOOSING_TAGS = word_set("JJ JJS RB ADJP")


def of_noun(outline: Outline, children: list[int], head: int) -> list[int]:
    """Hold the head, unless something else may replace it: an apposition, or what `of` governs.

    A singular noun needs an article, a number or an owner, and keeps it; so does a measure.
    """
    if outline.labels[children[-1]] == "POS":
        return _of_owner(outline, children)
    about = [
        *_of_remark(outline, children, head),
        *_numbers(outline, children),
        *_of_title(outline, children),
        *_of_picked(outline, children),
    ]
    if outline.last_word(head) in _ONE:
        about += [x for x in children[: children.index(head)] if _describes(outline, x)]
    if outline.labels[head] in ("NN", "NNP"):
        before = _name_before(outline, head)
        return [
            head,
            *before,
            *about,
            *_determiners(outline, children, head),
            *_described(outline, head, ("SBAR", "S")),
        ]
    beside = [*outline.before(head), *outline.behind(head)]
    of = [x for x in beside if outline.labels[x] == "PP" and outline.first_word(x) == "of"]
    if outline.last_word(head) in UNITS | _TIMES:
        measures = [x for x in children if outline.labels[x] in ("CD", "QP")]
        return [head, *measures, *of[:1], *(x for x in children if _determines(outline, x))]
    if outline.labels[head] in NOUNS:
        chosen = _is_chosen_from(outline, outline.parent[head])
        return [head, *about, *(_determiners(outline, children, head) if chosen else [])]
    if outline.labels[head][:2] in ("JJ", "VB"):
        # A noun that was taken for something else: `her personal best`.
        about = [*about, *(x for x in children if _determines(outline, x))]
    if of and is_part(outline, head):
        return [head, of[0]]
    told = _described(outline, head, ("SBAR",))
    if told:
        return [head, *told]
    if _is_bare_one(outline, head):
        # `The one at noon`, of which `the one` says nothing.
        return [head, *(x for x in outline.behind(head)[:1] if outline.labels[x] in _TELLING)]
    other = of or any(outline.labels[x] in NOMINAL for x in beside)
    return about if other or outline.labels[head] not in NOMINAL else [head, *about]


def of_joined_nouns(outline: Outline, children: list[int]) -> list[int]:
    """Hold the article of nouns that a conjunction joins: `a parent or guardian`."""
    first = children[0]
    return [first] if outline.nodes[first].word in ("a", "an", "A", "An") else []


def is_part(outline: Outline, node: int) -> bool:
    """Whether a phrase needs what `of` says: `a number`, `40`, `200 metres`, `the edge`."""
    last = outline.last(node)
    word = outline.word(last)
    return word in _NEED_OF or outline.tag(last) == "CD"


def _of_owner(outline: Outline, children: list[int]) -> list[int]:
    """Return the noun before `'s`, and what a singular one needs."""
    noun = children[-2:]
    singular = outline.labels[noun[0]] in ("NN", "NNP")
    return [*noun, *(x for x in children[:-2] if singular and _determines(outline, x))]


def _determiners(outline: Outline, children: list[int], head: int) -> list[int]:
    """Return what determines a singular noun, or a plural one that is chosen from.

    An owner does it like an article, but names have none to lose.
    """
    owned = outline.labels[head] in ("NN", "NNS")
    return [
        x
        for x in children
        if _determines(outline, x) or (owned and (_owns(outline, x) or _is_one(outline, x)))
    ]


def _owns(outline: Outline, node: int) -> bool:
    return outline.labels[node] == "NP" and outline.tag(outline.last(node)) == "POS"


def _is_one(outline: Outline, node: int) -> bool:
    """Whether a number determines a noun as an article does: `at least one mistake`."""
    return outline.labels[node] in ("CD", "QP") and outline.last_word(node) == "one"


def _of_title(outline: Outline, children: list[int]) -> list[int]:
    """Return the nouns between an article and a name: `the actress Helena Brandt`."""
    if not any(outline.labels[x] == "DT" for x in children):
        return []
    pairs = pairwise(children)
    return [x for x, y in pairs if outline.labels[x] == "NN" and outline.labels[y] == "NNP"]


def _of_picked(outline: Outline, children: list[int]) -> list[int]:
    """Return the article before what picks things out: `the last four weeks`."""
    if outline.labels[children[0]] != "DT":
        return []
    picked = [
        x
        for x in children[1:]
        if outline.labels[x] == "JJS"
        or (outline.labels[x] in _CHOOSING_TAGS and outline.first_word(x) in _CHOOSING)
    ]
    return children[:1] if picked else []


def _described(outline: Outline, head: int, labels: tuple[str, ...]) -> list[int]:
    """Return the clause that a noun says nothing without."""
    if outline.last_word(head) not in _DESCRIBED:
        return []
    return [x for x in outline.behind(head)[:1] if outline.labels[x] in labels]


def _is_bare_one(outline: Outline, node: int) -> bool:
    """Whether a phrase is nothing but `the one` or `those`."""
    words = [outline.word(at) for at in range(outline.first[node], outline.last(node) + 1)]
    return words in (["the", "one"], ["the", "ones"], ["those"])


def _describes(outline: Outline, node: int) -> bool:
    return outline.labels[node][:2] in ("JJ", "VB", "NN") or outline.labels[node] == "ADJP"


def _name_before(outline: Outline, head: int) -> list[int]:
    """Return what stands before a noun that names a thing by it: `Elm Street`, `car park`."""
    last = outline.last_word(head)
    if last not in NAMED:
        return []
    words = outline.table.words
    name = outline.before(head)[:1]
    return [x for x in name if last in COMPOUND or words[outline.last(x)][:1].isupper()]


def _numbers(outline: Outline, children: list[int]) -> list[int]:
    """Return the numbers that name things, with their nouns: `item 4`, `section 4(2)`."""
    return [
        x
        for one, other in pairwise(children)
        if (outline.labels[other] == "CD" and outline.labels[one] in ("NN", "NNP"))
        or _goes_on(outline, one, other)
        for x in (one, other)
    ]


def _goes_on(outline: Outline, one: int, other: int) -> bool:
    """Whether what stands in brackets is part of the number before it: `4(2)(b)`."""
    words = outline.words[outline.first[other] : outline.last(other) + 1]
    numbered = outline.labels[other] == "PRN" and outline.tag(outline.last(one)) == "CD"
    return numbered and all(len(word) <= _SHORT for word in words)


def _of_remark(outline: Outline, children: list[int], head: int) -> list[int]:
    """Return the clause of a noun phrase that remarks on a sentence: `he left, a step that …`.

    Without it there is nothing but `a step`; a noun that names someone (`Ann, a nurse who …`) can
    do without.
    """
    node = outline.parent[head]
    siblings = outline.children[outline.parent[node]][: outline.place[node]]
    if len(siblings) < 2 or outline.labels[siblings[-1]] != ",":
        return []
    if outline.labels[siblings[-2]] not in (*_CLAUSES, "VP", "''"):
        return []
    if outline.last(head) - outline.first[node] > 1:
        return []
    return [x for x in children if x > head and outline.labels[x] in _CLAUSES][:1]


def _is_chosen_from(outline: Outline, node: int) -> bool:
    """Whether a phrase says what part is taken of: `all of the shops`, `four of its branches`."""
    first = outline.first[node]
    if outline.word(first - 1) != "of":
        return False
    return outline.word(first - 2) in _QUANTIFIERS or outline.tag(first - 2) in _COUNTED


def _determines(outline: Outline, node: int) -> bool:
    return outline.labels[node] == "PRP$" or (
        outline.labels[node] == "DT" and outline.first_word(node) in _ARTICLES
    )
