"""What a phrase cannot do without if what is left of it is to be English.

A model may give a subject a high price and its verb a low one. Heads are held to their phrases and
objects to their prepositions, wherever people who shorten sentences nearly always leave both or
neither. They do separate a verb from the clause it governs (`he said that it rained`), and a head
from `of` and its object (`the city of Rome`), so that stays possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from treewright.pruning.guards.coordination import late_joints
from treewright.pruning.guards.frames import wanted_phrase
from treewright.pruning.guards.noun_phrases import (
    NOMINAL,
    NOUNS,
    is_part,
    of_joined_nouns,
    of_noun,
)
from treewright.pruning.guards.nouns import TIMES
from treewright.pruning.guards.outline import Outline
from treewright.pruning.heads import Tie
from treewright.trees import TreeTable, word_set

_VERBS = word_set("VB VBD VBG VBN VBP VBZ MD TO")
_CLAUSES = word_set("S SBAR SINV SQ SBARQ")
_PREDICATED = word_set("S SINV SQ")
_FINITE = word_set("VBD VBZ VBP MD")
_SAID_OF = word_set("ADJP NP PP ADVP")
_OBJECTS = word_set("NP NX NML S SBAR VP ADJP QP WHNP ADVP PP")
_MEASURES = word_set("NP QP ADVP RB NN NNS")
_GRADED = word_set("ADJP ADVP WHADJP WHADVP")
_ABOUT = word_set("about almost approximately around just nearly roughly some")
_BEFORE_CLAUSES = frozenset("VJRMTP")
"""First letters of the tags of words that a clause may follow without `that`."""
_RESULTS = word_set("so such")
_NO_RESULTS = word_set("to far as that on forth called")
"""What asks for `that`, and what it asks for nothing before: `so far`, `such as`."""
_GRADED_ONLY = word_set("ago much right")
"""What says nothing without what is before it: `a year ago`, `very much`, `all right`."""
_PICKING = word_set("who whom that which")
_PICKED = word_set("NP SBAR")
"""What introduces the clause of a cleft, and what it stands in."""
_BE = word_set("be is are was were been being am 's 're 'm")
_RECENT = 64
"""How many sentences are remembered."""


@lru_cache(maxsize=_RECENT)
def essential(source: TreeTable) -> Mapping[int, str]:
    """Return the nodes, in preorder, that English needs as long as their parent stays.

    Each comes with what needs it: the kind of phrase and the node's own label. Guards and readers'
    judgement both ask for them.
    """
    outline = Outline(source)
    held: dict[int, str] = {}
    for node, label in enumerate(outline.labels):
        if len(outline.children[node]) < 2:
            continue
        children = outline.content(node)
        labels = [outline.labels[x] for x in children]
        if len(children) < 2:
            if _parts_subject(outline, node):
                enclosed = [x for x in children if x in outline.children[node][1:-1]]
                held |= {x: f"{label} {outline.labels[x]}" for x in enclosed}
            continue
        if "CC" in labels or "CONJP" in labels:
            held |= {
                x: f"{label} {outline.labels[x]}"
                for x in _of_joined(outline, label, children, labels)
            }
            continue
        copula = label == "VP" and outline.first_word(children[0]) in _BE
        for needed in _needed(outline, node, label, children):
            kind = outline.labels[needed]
            # What says how something is stays, unlike other clauses in a predicate.
            held[needed] = f"be {kind}" if copula and kind == "SBAR" else f"{label} {kind}"
    held |= {x: f"VP {outline.labels[x]}" for x in [*late_joints(source), *_clefts(outline)]}
    return held


def _clefts(outline: Outline) -> set[int]:
    """Return the clauses that say what is true of what a sentence picks out, with the phrases that
    they stand in: `it was Ann, not Bob, who …`.
    """
    found: set[int] = set()
    if "it" not in outline.words:
        return found
    for node, label in enumerate(outline.labels):
        if label != "SBAR" or outline.first_word(node) not in _PICKING:
            continue
        path = [node]
        while path[-1] and outline.labels[outline.parent[path[-1]]] in _PICKED:
            path.append(outline.parent[path[-1]])
        predicate = outline.parent[path[-1]]
        if (
            predicate < 0
            or outline.labels[predicate] != "VP"
            or outline.first_word(predicate) not in _BE
        ):
            continue
        for subject in outline.before(predicate)[:1]:
            if outline.words[outline.first[subject] : outline.first[predicate]] == ["it"]:
                found.update(path)
    return found


def _parts_subject(outline: Outline, node: int) -> bool:
    """Whether an aside stands between subject and predicate, where one of its marks cannot stay."""
    before, behind = outline.before(node), outline.behind(node)
    return (
        bool(before)
        and outline.labels[before[0]] == "NP"
        and "VP" in [outline.labels[x] for x in behind]
    )


def _of_joined(outline: Outline, label: str, children: list[int], labels: list[str]) -> list[int]:
    """Return what is needed whichever of the things that a conjunction joins stay.

    That is a predicate if subjects are joined (`some but not all of them left`), the noun if
    something else is joined to it (`by card or in cash`), what governs all (`as odd and old`), and
    the object of all (`copy and share the text`).
    """
    if label == "PP" and labels[0] in ("IN", "TO") and labels[1] not in ("CC", "CONJP"):
        return children[:1]
    if label in _PREDICATED and labels.count("VP") == 1 and labels[-1] == "VP":
        return children[-1:]
    if label in NOMINAL and labels[0] in NOMINAL | NOUNS and labels[-1] == "PP":
        return children[:1]
    verbs = [x for x in children if label == "VP" and outline.labels[x] in _VERBS]
    if len(verbs) > 1:
        return [x for x in outline.behind(verbs[-1])[:1] if _is_object(outline, x)]
    return of_joined_nouns(outline, children) if label in NOMINAL else []


def _needed(outline: Outline, node: int, label: str, children: list[int]) -> Iterable[int]:
    """Return the children that a phrase of this kind needs."""
    head = outline.table.syntactic_children[node]
    if label in NOMINAL:
        return of_noun(outline, children, head)
    if label in ("PP", "WHPP"):
        return _of_preposition(outline, node, children)
    if label == "VP":
        return _of_verb(outline, children)
    if label in _PREDICATED:
        return _of_clause(outline, node, children, head)
    if label == "QP":
        return [x for x in children if outline.nodes[x].word not in _ABOUT]
    if label in _GRADED:
        return _of_degree(outline, children, head)
    return _of_subordinate(outline, node, children) if label == "SBAR" else []


def _of_subordinate(outline: Outline, node: int, children: list[int]) -> list[int]:
    """Hold the clause and what joins it to the sentence, except `that`.

    A relative pronoun is held if it is the subject or the clause is an object: `who came`, `say
    when it came`.
    """
    clauses = [x for x in children if outline.labels[x] in (*_PREDICATED, "VP")]
    needs_that = _needs_that(outline, node, clauses)
    joins = [
        x
        for x in children
        if outline.labels[x] == "IN" and (needs_that or outline.first_word(x) != "that")
    ]
    below = [outline.labels[x] for clause in clauses[:1] for x in outline.children[clause]]
    bare = any(outline.labels[clause] == "VP" for clause in clauses)
    subject = bare or ("VP" in below and not _has_subject(outline, clauses[0]))
    if subject or outline.labels[outline.parent[node]] == "VP":
        joins += [x for x in children if x not in clauses and _asks(outline, x)]
    else:
        joins += [x for x in children[:1] if _is_asked(outline, x)]
    return clauses + joins


def _needs_that(outline: Outline, node: int, clauses: list[int]) -> bool:
    """Whether a clause cannot be told from the sentence around it without `that`.

    It can after a verb, an adjective or a time, if it begins with its subject: `he said Monday the
    bridge was safe`, not `it was agreed, by six to two, the fee was too low` or `he said although
    it rained, they left`.
    """
    before = outline.first[node] - 1
    clause = outline.parent[node]
    while clause and outline.labels[clause] not in _CLAUSES:
        clause = outline.parent[clause]
    if any(_asks_for_result(outline, place) for place in range(outline.first[clause], before + 1)):
        return True
    follows = outline.tag(before)[:1] in _BEFORE_CLAUSES or outline.word(before) in TIMES
    if before >= 0 and not follows:
        return True
    begins = [x for clause in clauses[:1] for x in outline.children[clause][:1]]
    return any(outline.labels[x] not in ("NP", *_PREDICATED, "CC") for x in begins)


def _asks_for_result(outline: Outline, place: int) -> bool:
    """Whether a word asks for `that`: `so much snow fell that it closed`, but not `so to speak`."""
    return outline.word(place) in _RESULTS and outline.word(place + 1) not in _NO_RESULTS


def _is_asked(outline: Outline, node: int) -> bool:
    """Whether a clause begins with what cannot be left out, unlike `the man who I met`."""
    return outline.labels[node] == "WHADVP" or outline.first_word(node) == "what"


def _asks(outline: Outline, node: int) -> bool:
    """Whether there is a relative pronoun in a phrase, as in `many of whom`."""
    places = range(outline.first[node], outline.last(node) + 1)
    return any(outline.tag(place)[:1] == "W" for place in places)


def head_ties(source: TreeTable) -> list[Tie]:
    """Return which subjects, verbs and `of` are tied to the head that they belong to.

    The head of `has said that …` is `said`, that of `is clear` is `clear`, and that of `of Rome` is
    `of`.
    """
    ties = []
    for node, label in enumerate(source.labels):
        if label in _PREDICATED:
            ties += [Tie(node, subject) for subject in _subject(source, node)]
        elif label == "VP":
            ties += [Tie(node, verb) for verb in _verbs(source, node)]
        elif label == "PP" and node and source.lower[source.left[node]] == "of":
            ties.append(Tie(source.parent[node], node, by_head=True))
    return ties


def _verbs(source: TreeTable, phrase: int) -> list[int]:
    """Return the verbs of a phrase that is not coordinated."""
    children = source.children[phrase]
    labels = [source.labels[x] for x in children]
    if "CC" in labels:
        return []
    return [x for x, label in zip(children, labels, strict=True) if label in _VERBS]


def _subject(source: TreeTable, clause: int) -> list[int]:
    """Return the noun phrase before the predicate of a clause that is not coordinated."""
    subject: list[int] = []
    for child in source.children[clause]:
        label = source.labels[child]
        if label == "CC":
            return []
        if label == "VP":
            return subject
        if label == "NP":
            subject = [child]
    return []


def _of_degree(outline: Outline, children: list[int], head: int) -> list[int]:
    """Hold the head, how much is asked about (`how many`), what is hard to do, and all of it where
    the last word says nothing alone.
    """
    if outline.first_word(children[0]) == "how":
        return [head, *children[1:2]]
    if outline.labels[children[-1]] == "S" and outline.first_word(children[-1]) == "to":
        return [head, children[-1]]
    if outline.last_word(children[-1]) in _GRADED_ONLY:
        return children
    return [head]


def _of_clause(outline: Outline, node: int, children: list[int], head: int) -> list[int]:
    """Hold the predicate, or the main clause before `although …`.

    If the predicate only says who says the rest, the rest is held: `it rained, he said`. Where the
    verb comes first, so is the subject; and what is said of it where there is no verb at all: `keep
    the baby warm`.
    """
    labels = [outline.labels[x] for x in children]
    if labels[0] in _FINITE and labels[1] == "NP":
        return [*children[:2], *([head] if outline.labels[head] == "VP" else [])]
    two = len(children) == 2 and labels[0] == "NP" and labels[1] in _SAID_OF
    if two and outline.labels[outline.parent[node]] == "VP":
        return children
    if outline.labels[head] in _PREDICATED:
        return [] if "VP" in labels else [head]
    if outline.labels[head] != "VP":
        return []
    said = [x for x in children if outline.labels[x] == "S" and _has_subject(outline, x)]
    if said:
        return said[:1]
    if "CC" in [outline.labels[x] for x in outline.children[head]]:
        # Whichever of several predicates stays needs the subject.
        return [head, *_subject(outline.table, outline.parent[head])]
    # If the subject follows the verb: `here are some examples`.
    inverted = [x for x in outline.behind(head) if outline.labels[x] == "NP"]
    return [head, *(inverted if "NP" not in labels[: children.index(head)] else [])]


def _has_subject(outline: Outline, clause: int) -> bool:
    below = [outline.labels[x] for x in outline.children[clause]]
    return "VP" in below and "NP" in below[: below.index("VP")]


def _of_preposition(outline: Outline, node: int, children: list[int]) -> list[int]:
    """Hold the object, and the preposition except for `of` between nouns.

    It may have a measure before it: `14 km west of Rome`.
    """
    if outline.labels[children[0]] not in ("IN", "TO"):
        own = [x for x in children[1:] if outline.labels[x] in ("IN", "TO")][:1]
        measured = outline.labels[children[0]] in _MEASURES and children[-1] not in own
        return [*own, children[-1]] if own and measured else []
    held = [x for x in children[-1:] if outline.labels[x] in _OBJECTS]
    before = outline.before(node)[:1] if outline.first_word(node) == "of" else []
    whole = [x for x in before if outline.labels[x] in NOMINAL]
    if not whole or is_part(outline, whole[0]):
        held.append(children[0])
    return held


def _of_verb(outline: Outline, children: list[int]) -> list[int]:
    """Hold verbs to their complements and auxiliaries, but not to clauses that they govern."""
    verbs = [x for x in children if outline.labels[x] in _VERBS]
    if not verbs:
        lower = [x for x in children if outline.labels[x] == "VP"]
        return lower if len(lower) == 1 else []
    after = [x for x in outline.behind(verbs[-1]) if outline.labels[x] not in ("RB", "ADVP")]
    complement = [x for x in after[:1] if _is_complement(outline, x)]
    if not complement:
        complement = _of_copula(outline, verbs[-1]) or _late_object(outline, verbs[-1], after)
    complement += [x for x in wanted_phrase(outline, verbs[-1], after) if x not in complement]
    if complement and outline.labels[complement[0]] in ("NP", "PRT"):
        # `gave Ann the book`, `handed over the book`, `turned out to be right`
        second = ("NP",) if outline.labels[complement[0]] == "NP" else ("NP", "S", "ADJP")
        complement += [
            x
            for x in after[1:2]
            if x not in complement and outline.labels[x] in second and _is_complement(outline, x)
        ]
    complement += [x for x in after[1:] if _is_statement(outline, x) and not _is_when(outline, x)]
    return complement if _governs_clause(outline, children) else verbs + complement


def _of_copula(outline: Outline, verb: int) -> list[int]:
    """Return what follows a form of `be`: `is in place`, `was as they left it`."""
    if outline.first_word(verb) not in _BE:
        return []
    behind = outline.behind(verb)
    weighty = [x for x in behind if outline.labels[x] not in ("RB", "ADVP")]
    return (weighty or behind)[:1]


def _late_object(outline: Outline, verb: int, after: list[int]) -> list[int]:
    """Return the object after an aside: `must bear, in legible form, the name of the maker`."""
    behind = outline.children[outline.parent[verb]][outline.place[verb] + 1 :]
    if not behind or outline.labels[behind[0]] != ",":
        return []
    return [x for x in after if outline.labels[x] == "NP" and _is_complement(outline, x)][:1]


def _is_object(outline: Outline, node: int) -> bool:
    return outline.labels[node] == "NP" and _is_complement(outline, node)


def _is_complement(outline: Outline, node: int) -> bool:
    """Whether a phrase after a verb belongs to it, unlike one that says when or why it happened."""
    label = outline.labels[node]
    if label == "NP":
        words = outline.table.words[outline.first[node] : outline.last(node) + 1]
        return not any(word.lower() in TIMES for word in words)
    return label in ("VP", "PRT", "ADJP", "S") or _is_statement(outline, node)


def _is_statement(outline: Outline, node: int) -> bool:
    """Whether a clause is what is said or asked."""
    below = outline.children[node]
    while below and outline.labels[node] == outline.labels[below[0]] == "SBAR":
        node, below = below[0], outline.children[below[0]]
    if outline.labels[node] != "SBAR" or not below:
        return False
    joined = outline.labels[outline.children[node][0]] == "IN"
    return not joined or outline.first_word(node) in ("that", "whether", "if")


def _is_when(outline: Outline, node: int) -> bool:
    """Whether a clause says when or where something happens."""
    return outline.first_word(node) in ("when", "where", "whenever", "wherever")


def _governs_clause(outline: Outline, children: list[int]) -> bool:
    """Whether a clause is among the children, or among those of a complement: `has said that …`."""
    while children:
        if any(_is_clause(outline, x) for x in children):
            return True
        lower = [x for x in children if outline.labels[x] in ("VP", "ADJP")]
        children = outline.children[lower[0]] if lower else []
    return False


def _is_clause(outline: Outline, node: int) -> bool:
    """Whether a clause may stand for the sentence around it, unlike one that says when or why."""
    label = outline.labels[node]
    return label in _CLAUSES and (label != "SBAR" or _is_statement(outline, node))
