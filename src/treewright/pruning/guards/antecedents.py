"""What pronouns may stand for: nouns before them that agree with them.

Which of them is meant need not be known. If none of them stays, the reader cannot know either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from treewright.pruning.guards.meaning.numerals import UNITS
from treewright.pruning.guards.nouns import COMPANIES, GROUPS, PEOPLE, TIMES
from treewright.trees import TreeTable, word_set

_PERSON, _THING, _SEVERAL, _SUCH = range(4)
_KINDS = (
    dict.fromkeys(word_set("he him his she her hers"), _PERSON)
    | dict.fromkeys(word_set("it its"), _THING)
    | dict.fromkeys(word_set("they them their theirs"), _SEVERAL)
    | dict.fromkeys(word_set("those these ones both"), _SUCH)
)
"""What pronouns refer to."""
_ALONE = word_set("those these both")
"""Those of them that are pronouns unless something follows that they belong to."""
_OWNED = frozenset({"NN", "JJ", "CD", "WP", "IN", "VB", "DT", "PR"})
_RELATIVES = word_set("loved young little dear")
"""Whose `ones` are nobody who was named before."""
_WOMAN = word_set("she her hers")
_TAKEN_FOR_NOUNS = frozenset({"JJ", "VB", "CD"})
_SOME = word_set("one some many most few several others all half none each another")
"""Who else may be meant: `the accused`, `200 of them`, `many`."""
_AGENTS = ("er", "or", "ist", "ian", "ant", "ent", "ee", "man", "woman", "ess")
_ANYONE = word_set("everyone everybody anyone anybody someone somebody nobody whoever")
_PLURAL = word_set("NNS NNPS")
_SINGULAR = word_set("NN NNP")
_NOMINAL = word_set("NP NX NN NNS NNP NNPS")
_CLAUSES = word_set("S SINV SQ SBAR SBARQ")
_PHRASES = word_set("VP PP ADVP ADJP")
_DEPENDING = _PHRASES | word_set("S SINV SQ")
_PLACES = word_set("in at near across outside around")
_TITLES = word_set("mr mr. mrs mrs. ms ms. dr dr. prof prof. sir dame lord rev rev. sgt. capt. lt.")
_PRESENT = word_set("VBZ VBP MD")
FINITE = _PRESENT | {"VBD"}
_WEATHER = word_set("rained rains raining snowed snows snowing")
_ANNOUNCING = word_set(
    "is 's ’s was be been being seems seemed appears appeared takes took turns turned becomes"
    " became remains remained makes made follows followed means meant looks feels felt costs cost"
)
_ANNOUNCED = word_set("that whether how why what who to")

_RECENT = 128
"""How many sentences are remembered: those that are guarded together, and the ones after them."""
Mention = tuple[int, ...]
"""The head words of a noun phrase and of the phrases joined or put beside one another in it."""


@lru_cache(maxsize=_RECENT)
def antecedents(source: TreeTable) -> Mapping[int, frozenset[int]]:
    """Return the words that each pronoun may stand for; a pronoun for something else is left out.

    Once one has come before all that it may stand for, later ones of its kind stand for the same.
    """
    found: dict[int, frozenset[int]] = {}
    if _KINDS.keys().isdisjoint(source.lower):
        return found
    phrases = _noun_phrases(source)
    elsewhere: set[tuple[int, bool]] = set()
    for place, word in enumerate(source.lower):
        if not is_pronoun(source, place):
            continue
        kind = _KINDS[word]
        if (kind, word in _WOMAN) in elsewhere:
            continue
        meant = _meant(source, kind, _mentions(source, phrases, place))
        if meant:
            found[place] = meant
        else:
            elsewhere.add((kind, word in _WOMAN))
    return found


def antecedents_before(source: TreeTable, after: TreeTable) -> list[frozenset[int]]:
    """Return the words of a sentence that pronouns of the next one may stand for, one set for each
    kind of pronoun that stands for nothing in its own sentence.
    """
    asked = _asked(after)
    if not asked:
        return []
    # What a pronoun here stands for, if not for something here, is further back.
    kinds = [kind for kind in asked if kind not in _asked(source)]
    mentions = [
        _heads_of(source, nodes[0])
        for head, nodes in _noun_phrases(source).items()
        if source.lower[head] not in _KINDS
    ]
    return [meant for kind in kinds if (meant := _meant(source, kind, mentions))]


def _asked(source: TreeTable) -> list[int]:
    """Return the kinds of pronouns that stand for nothing in their sentence."""
    known = antecedents(source)
    places = [at for at in range(len(source.words)) if at not in known and is_pronoun(source, at)]
    return list(dict.fromkeys(_KINDS[source.lower[at]] for at in places))


def _meant(source: TreeTable, kind: int, mentions: Sequence[Mention]) -> frozenset[int]:
    """Return the words that a pronoun of some kind may stand for, none if none surely may."""
    if not any(_is_several(source, kind, m) or _any_is(source, kind, m) for m in mentions):
        return frozenset()
    return frozenset(head for m in mentions if _may_be(source, kind, m) for head in m)


def _heads_of(source: TreeTable, phrase: int) -> Mention:
    """Return the heads of a noun phrase and of those joined or put beside one another in it."""
    children = source.children[phrase]
    joins = any(source.labels[child] == "CC" for child in children)
    below = [
        x
        for x in children
        if source.labels[x] in _NOMINAL
        and (joins or source.labels[x] == "NP")
        and _tag(source, source.right[x] - 1) != "POS"
    ]
    return tuple(dict.fromkeys(_head(source, node) for node in (phrase, *below)))


def is_pronoun(source: TreeTable, place: int) -> bool:
    """Whether a word stands for something else; `it` in `it is clear that …` does not."""
    word = source.lower[place]
    if word not in _KINDS:
        return False
    behind = source.labels[source.leaves[place + 1]] if place + 1 < len(source.leaves) else ""
    if word in _ALONE:
        if place and source.lower[place - 1] == "of" and behind[:2] == "VB":
            return True
        return behind in _PRESENT or behind[:2] not in _OWNED
    if word == "ones" and place and source.lower[place - 1] in _RELATIVES:
        return False
    if word != "it":
        return True
    if behind in FINITE:
        return is_subject(source, place)
    # Not `found it hard to say`.
    return behind[:2] not in ("JJ", "IN") and not _stands_for_a_clause(source, place)


def is_subject(source: TreeTable, place: int) -> bool:
    """Whether a word begins the subject of a finite verb; `it` in `it is clear that …` refers to
    nothing.
    """
    behind = _after_phrase(source, place)
    predicate = [x for x in behind if source.labels[x] == "VP" or source.labels[x] in FINITE]
    if not predicate:
        return False
    return source.lower[place] != "it" or not _announces(source, predicate[0])


def _after_phrase(source: TreeTable, place: int) -> Sequence[int]:
    """Return the nodes after the noun phrase that a word begins, if it begins one."""
    node = source.leaves[place]
    while node and source.left[source.parent[node]] == place and source.labels[node] != "NP":
        node = source.parent[node]
    if source.labels[node] != "NP" or not node:
        return ()
    return source.children[source.parent[node]][source.place[node] + 1 :]


def _stands_for_a_clause(source: TreeTable, place: int) -> bool:
    """Whether what comes after `it` is what it stands for: `made it easy to leave`."""
    behind = _after_phrase(source, place)
    if any(source.labels[x] == "VP" for x in behind):
        return not is_subject(source, place)
    return any(source.labels[x] in ("S", "SBAR", "ADJP") for x in behind)


def _announces(source: TreeTable, predicate: int) -> bool:
    """Whether a predicate has a clause that `it` stands for, or is about the weather."""
    start, end = source.left[predicate], source.right[predicate]
    if not _WEATHER.isdisjoint(source.lower[start:end]):
        return True
    if _ANNOUNCING.isdisjoint(source.lower[start:end]):
        return False
    below = range(predicate + 1, source.arrays.end[predicate])
    return any(
        source.labels[x] in ("S", "SBAR") and source.lower[source.left[x]] in _ANNOUNCED
        for x in below
    )


def _tag(source: TreeTable, at: int) -> str:
    return source.labels[source.leaves[at]]


def _noun_phrases(source: TreeTable) -> dict[int, list[int]]:
    """Return the noun phrases that each word heads, the largest one first."""
    phrases: dict[int, list[int]] = {}
    for node, label in enumerate(source.labels):
        if label == "NP" and source.heads[node] >= 0:
            phrases.setdefault(_head(source, node), []).append(node)
    return phrases


def _head(source: TreeTable, node: int) -> int:
    """Return the head of a phrase; that of `Ann's` is `Ann`, that of `the accused` the latter."""
    head = source.heads[node]
    if head and _tag(source, head) == "POS":
        return head - 1
    flat = _tag(source, head) == "DT" and source.parent[source.leaves[head]] == node
    return source.right[node] - 1 if flat else head


def _mentions(source: TreeTable, phrases: dict[int, list[int]], place: int) -> list[Mention]:
    """Return what is named before a pronoun and may be what it stands for by the way they stand."""
    found = []
    bound = _bound(source, place)
    for head, nodes in phrases.items():
        before = next((node for node in nodes if source.right[node] <= place), None)
        if before is None or source.lower[head] in _KINDS:
            continue
        if not _is_part(source, place, head) and before not in bound:
            found.append(_heads_of(source, before))
    return found


def _is_part(source: TreeTable, place: int, head: int) -> bool:
    """Whether a pronoun is within the phrase of a noun, as in `a fifth of it`: it is not that.

    `The man who hid his face`, `a man hiding his face` and `Ann and her son` are.
    """
    node = source.leaves[place]
    owns = source.labels[node] == "PRP$"
    while node:
        node = source.parent[node]
        label = source.labels[node]
        if label in _CLAUSES or (owns and label == "VP"):
            return False
        if label == "NP" and source.heads[node] >= 0 and _head(source, node) == head:
            return all(source.labels[child] != "CC" for child in source.children[node])
    return False


def _bound(source: TreeTable, place: int) -> frozenset[int]:
    """Return the noun phrases that a pronoun cannot stand for, as what depends on its verb: `Ann
    saw her`, and `Ann decided to make it an event`, where `make` has no other subject than Ann.
    """
    node = source.leaves[place]
    if source.labels[node] != "PRP":
        return frozenset()
    above = source.parent[node]
    if source.labels[above] == "NP":
        if source.heads[above] != place:
            return frozenset()
        node, above = above, source.parent[above]
    found: set[int] = set()
    while above >= 0 and source.labels[above] in _DEPENDING:
        siblings = source.children[above][: source.place[node]]
        subject = source.labels[node] == "VP" and source.labels[above] in _CLAUSES
        governed = subject or source.labels[above] in _PHRASES
        before = [x for x in siblings if governed and source.labels[x] == "NP"]
        found.update(before)
        if before and (subject or source.labels[node] in _CLAUSES):
            # The object of `asked the bank to lend it money` is the subject of the next verb.
            break
        node, above = above, source.parent[above]
    return frozenset(found)


def _any_is(source: TreeTable, kind: int, mention: Mention) -> bool:
    """Whether a pronoun of some kind surely may stand for what is mentioned."""
    return any(_is(source, kind, head) for head in mention)


def _is(source: TreeTable, kind: int, at: int) -> bool:
    word, tag = source.lower[at], _tag(source, at)
    if word in TIMES or word in UNITS:
        return False
    if kind == _PERSON:
        named = tag == "NNP" and not _is_where(source, at)
        return named or word in PEOPLE or word in _ANYONE
    if kind == _THING:
        thing = tag == "NN" or (tag == "NNP" and not _names_person(source, at))
        return thing and (word not in PEOPLE or word in COMPANIES)
    return tag in _PLURAL or word in _ANYONE or (word in GROUPS and tag == "NN")


def _is_where(source: TreeTable, at: int) -> bool:
    """Whether a name says where something is: `in London`."""
    node = source.parent[source.leaves[at]]
    above = source.parent[node]
    return source.labels[above] == "PP" and source.lower[source.left[above]] in _PLACES


def _names_person(source: TreeTable, at: int) -> bool:
    """Whether a name is somebody's, by what stands beside it: `my colleague Ann`, `Ann, who …`."""
    node = source.parent[source.leaves[at]]
    words = source.lower[source.left[node] : source.right[node]]
    if not _TITLES.isdisjoint(words) or not PEOPLE.isdisjoint(words):
        return True
    return "who" in source.lower[at + 1 : at + 3]


def _is_several(source: TreeTable, kind: int, mention: Mention) -> bool:
    """Whether several things are mentioned, each perhaps only one: `Ann and Bob`."""
    last = max(mention)
    return kind >= _SEVERAL and len(mention) > 1 and "and" in source.lower[min(mention) : last]


def _may_be(source: TreeTable, kind: int, mention: Mention) -> bool:
    """Whether a pronoun of some kind may stand for what is mentioned, sure or not."""
    if _is_several(source, kind, mention) or _any_is(source, kind, mention):
        return True
    word, tag = source.lower[mention[0]], _tag(source, mention[0])
    if kind == _THING or word in TIMES:
        return False
    if tag == "NNP" or tag[:2] in _TAKEN_FOR_NOUNS or word in _SOME:
        return kind != _SUCH
    return kind == _PERSON and tag == "NN" and word.endswith(_AGENTS)
