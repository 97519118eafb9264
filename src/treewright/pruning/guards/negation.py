"""Negation as a constraint on prunings: nodes that are never dropped while their parent stays.

A word is negated by something beside one of the nodes above it, so it is enough to forbid a few
deletions: the negation from its phrase, that phrase from the next, up to the verb or clause it
negates. With it stays whatever would otherwise seem negated, or no longer be: the verb and its
auxiliary (`did n't pay`), the object (`not eat meat`), the noun (`no evidence`), what limits it
(`not only`, `not … until May`). When in doubt, more is held than necessary: a parser's mistake may
cost words, but hardly ever the truth.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright.pruning.guards.holding import ADVERBIAL, NOMINAL, SENTENCES, Claim, Holder
from treewright.pruning.guards.lexicon import (
    AUXILIARIES,
    COMPARED,
    CONDITIONS,
    GOVERNING,
    LIMITS,
    NEGATIVE_MARKERS,
    PAIRED,
    WHOLE,
    is_negative,
    may_negate,
    plain,
)
from treewright.text import is_word
from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

_CLAUSES = word_set("VP S SINV SQ SBAR SBARQ FRAG X PRN RRC ROOT TOP S1")
_HEADED_CLAUSES = word_set("VP S SINV SQ SBARQ RRC")
_PREDICATES = SENTENCES | {"VP"}
_JOINTS = word_set("CC CONJP")
_LISTS_OF_WORDS = word_set("ADVP QP CONJP WHADVP")
_ADDED = NOMINAL | {"ADJP", "ADVP", "PP"}
_NOT_NEGATED = word_set("CC IN TO WDT WP WRB UH SYM LS") | PUNCTUATION_TAGS


def negation_words(words: Sequence[str]) -> frozenset[int]:
    """Return the positions of the words that negate, for models that see no tree.

    Words that ask or suppose (`if`, `whether`) are not among them.
    """
    return frozenset(
        place
        for place, word in enumerate(map(plain, words))
        if word in NEGATIVE_MARKERS or (may_negate(word) and is_negative(words, place))
    )


def inseparable(source: TreeTable) -> Claim:
    """Return the nodes that may be dropped only with their parent."""
    return _Guard(source).claim


class _Guard(Holder):
    """One tree in preorder, and its nodes that are held to their parents so far."""

    denies = True

    def __init__(self, source: TreeTable) -> None:
        super().__init__(source)
        self._climbed: set[tuple[int, bool, bool]] = set()
        for place, word in enumerate(self.words):
            if may_negate(word) and is_negative(source.words, place):
                if not self._answers(place):
                    self._hold_negation(place)
            elif word in GOVERNING:
                self._hold_governor(place)
            elif word in CONDITIONS:
                self._hold_condition(place)

    def _answers(self, place: int) -> bool:
        """Whether `no` is an answer before a clause, which means the same without it."""
        following = self.word(place + 1)
        if self.word(place) != "no" or not following or is_word(following):
            return False
        leaf = self.leaves[place]
        node = self.parent[leaf]
        while node >= 0 and self.labels[node] not in _CLAUSES:
            node = self.parent[node]
        clauses = [x for x in self.children[node] if self.labels[x] in _PREDICATES]
        return node >= 0 and bool(clauses) and clauses[0] > leaf

    def _hold_negation(self, place: int) -> None:
        word, following = self.words[place], self.word(place + 1)
        leaf = self.leaves[place]
        reach = len(self.nodes)
        if word not in WHOLE | PAIRED and is_word(following):
            if self.tag(place + 1) not in _NOT_NEGATED:
                reach = self.meeting(leaf, self.leaves[place + 1])
            self._bind_following(place)
        before = self.word(place - 1)
        if word == "n't" or (word == "not" and before in AUXILIARIES):
            self.bind(place - 1, place)
        if word == "not" and before in ("or", "if") and self.are_siblings(place - 1, place):
            self.held.add(self.leaves[place - 1])
        self._climb(leaf, word, reach)
        if word in PAIRED:
            self._hold_pair(leaf, word)

    def _bind_following(self, place: int) -> None:
        """Hold what limits the scope of the negation: `not only`, `no longer`, `no more than 5`."""
        word, following = self.words[place], self.word(place + 1)
        if word == "no":
            if following in COMPARED or self.tag(place + 1) in ("JJR", "RBR"):
                self.bind(place, place + 1)
                if self.word(place + 2) == "than":
                    self.bind(place, place + 2)
                    self.bind(place, place + 3)
        elif following in LIMITS:
            self.bind(place, place + 1)

    def _climb(self, leaf: int, word: str, reach: int) -> None:
        """Hold the negation up to the verb or the clause it negates, with their heads.

        It always goes up to `reach`, where a flat or broken tree has the next word.
        """
        node = leaf
        held = self.held
        while (parent := self.parent[node]) >= 0:
            if self._is_aside(node, leaf):
                return
            if self._is_one_of_several(node, leaf):
                held = self.weighed
            held.add(node)
            if node != leaf and node <= reach:
                climbed = (node, word == "no", held is self.held)
                if climbed in self._climbed:
                    return
                self._climbed.add(climbed)
            self._hold_company(parent, node, leaf)
            if parent <= reach and self._ends(parent, word):
                break
            node = parent
        while parent > 0 and self.labels[parent] == "VP":
            parent = self.parent[parent]
            self.hold_exceptions(parent)

    def _is_aside(self, node: int, leaf: int) -> bool:
        """Whether a phrase only adds, after a comma, what is not so: `Ada, not her sister, won`."""
        first = self.first[leaf]
        return (
            node != leaf
            and self.labels[node] in _ADDED
            and self.first[node] == first
            and self.word(first) == "not"
            and self.word(first - 1) in (",", "--", "–", "—", "(")
        )

    def _is_one_of_several(self, node: int, leaf: int) -> bool:
        """Whether a phrase is joined to others before it: `eight rooms, no heating and a bath`.

        What `or` joins to a denial is denied with it.
        """
        if node == leaf:
            return False
        content = self.content(self.parent[node])
        joints = {self.word(self.first[x]) for x in content if self.labels[x] in _JOINTS}
        joined = [x for x in content if self.labels[x] not in _JOINTS]
        alike = {self.labels[x] for x in joined} == {self.labels[node]}
        follows = bool(joints) and not joints & {"or", "nor"} and node in joined[1:]
        return alike and follows and self.word(self.first[leaf] + 1) not in LIMITS

    def _ends(self, node: int, word: str) -> bool:
        """Whether negation stays within `node`, so the node may be dropped as a whole."""
        label, above = self.labels[node], self.parent[node]
        if label in _CLAUSES or above < 0:
            return True
        outer = self.labels[above]
        if label == "ADJP":
            return word != "no" and outer in NOMINAL and len(self.children[above]) > 1
        if label == "PP" and word == "no":
            preposition = self.word(self.first[node])
            return (outer in NOMINAL and preposition in ("of", "with")) or (
                outer in SENTENCES and preposition == "with"
            )
        return False

    def _hold_company(self, parent: int, node: int, leaf: int) -> None:
        """Hold what must stay with the negation in `node` among the other children of `parent`."""
        label = self.labels[parent]
        if label in _CLAUSES:
            self._hold_verb_before(node)
            if label in _HEADED_CLAUSES:
                self.follow_heads(parent)
                self.hold_restrictive(parent)
            if self._precedes(node, leaf):
                self.hold_target(node, fragment=label not in _HEADED_CLAUSES)
        elif label == "QP" or (label in _LISTS_OF_WORDS and node == leaf):
            self.held.update(self.content(parent))
        elif label == "PP":
            self.held.update([x for x in self.content(parent) if not self.children[x]])
            if node == leaf:
                self.follow_heads(parent)
                self.hold_restrictive(parent)
        elif node == leaf or self.labels[node] == "QP":
            denied = self.hold_target(node) if self.word(self.first[node]) == "not" else -1
            if denied < 0 or not self.children[denied]:
                self.follow_heads(parent)
            self.hold_restrictive(parent)
        self.hold_contrast(parent, self.place[node] + 1)
        self.hold_exceptions(parent)

    def _precedes(self, node: int, leaf: int) -> bool:
        """Whether negation in `node` denies what follows, as adverbs do; `nothing` does not."""
        lowest = node
        while len(self.children[lowest]) == 1:
            lowest = self.children[lowest][0]
        if lowest == leaf:
            return self.words[self.first[leaf]] not in WHOLE
        return self.labels[node] in ("ADVP", "WHADVP", "CONJP", "INTJ")

    def _hold_verb_before(self, node: int) -> None:
        """Hold the auxiliary or verb before the negation: `is not`, `has never`, `found no`."""
        for sibling in self.before(node):
            label = self.labels[sibling]
            if label == "MD" or label[:2] in ("VB", "AU"):
                self.held.add(sibling)
                return
            if label not in ADVERBIAL and label != "NP":
                return

    def _hold_pair(self, leaf: int, word: str) -> None:
        """Hold what follows `neither` and both sides of `nor`, but not a clause before it."""
        self.hold_target(leaf)
        if word == "neither":
            return
        before = self.before(leaf)
        if before and self.labels[before[0]] not in SENTENCES:
            self.held.add(before[0])

    def _hold_governor(self, place: int) -> None:
        """Hold `without` and the like to what they govern."""
        last = place
        if self.words[place] == "instead":
            if self.word(place + 1) != "of":
                return
            last = place + 1
            self.bind(place, last)
        self.hold_to_next(last)
        target = self.hold_target(self.leaves[last])
        if target >= 0:
            self.hold_restrictive(target)

    def _hold_condition(self, place: int) -> None:
        """Hold `if` and the like to their clause, and `only` or `as` to `if`."""
        self.hold_to_next(place)
        leaf = self.leaves[place]
        if self.labels[self.parent[leaf]] == "SBAR":
            self.held.update([x for x in self.behind(leaf) if self.children[x]][:1])
        if self.word(place - 1) in ("only", "as") and self.are_siblings(place - 1, place):
            self.held.add(self.leaves[place - 1])
