"""`Holder`: nodes of a tree that are held to their parents, and what must stay with what."""

from __future__ import annotations

from typing import NamedTuple

from treewright.pruning.guards.lexicon import DEGREES, EXCEPTIONS, TIMES, plain
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import TreeTable, word_set

SENTENCES = word_set("S SINV SQ SBARQ")
NOMINAL = word_set("NP NX NML NAC WHNP")
ADVERBIAL = word_set("ADVP RB RBR RBS PRN INTJ UH")
_OBJECTS = word_set("NP VP ADJP")
_FUNCTIONS = word_set("CONJP WHADVP WHNP WHPP ADVP ADJP")
_NARROWING = word_set("JJ JJR JJS VBN VBG ADJP NN NNS CD QP")
_GRADED = NOMINAL | {"ADJP", "ADVP"}


class Claim(NamedTuple):
    """Nodes, in preorder, that are not dropped while their parent stays.

    Those that are `weighed` may go where an estimate finds that readers would not mind. Of those
    that are `held`, `limits` limit what stands outside them, so they do not go with a part of their
    phrase either (see `parts`).
    """

    held: frozenset[int]
    weighed: frozenset[int]
    limits: frozenset[int] = frozenset()

    @property
    def whole(self) -> frozenset[int]:
        """All of them."""
        return self.held | self.weighed

    def with_phrases_weighed(self, source: TreeTable) -> Claim:
        """Return the same with all phrases weighed, so that only words are held.

        A phrase that is nothing but a conjunction or the like (`rather than`) counts as a word.
        """
        words = {x for x in self.held if not source.children[x]}
        for x in sorted(self.held - words, reverse=True):
            if source.labels[x] in _FUNCTIONS and words.issuperset(source.children[x]):
                words.add(x)
        return Claim(frozenset(words), self.whole - words)

    def __or__(self, other: Claim) -> Claim:
        held = self.held | other.held
        return Claim(held, (self.weighed | other.weighed) - held, self.limits | other.limits)


class Holder(Outline):
    """A tree and the set of its `held` nodes, which are not dropped while their parent stays."""

    denies = False
    """Whether what is held is denied, so that exceptions belong to it."""

    def __init__(self, table: TreeTable) -> None:
        super().__init__(table)
        self.held: set[int] = set()
        self.weighed: set[int] = set()
        """Phrases that are held, too, unless an estimate can say whether readers mind."""
        self.limits: set[int] = set()
        """Of what is held, what limits something outside it."""
        self.scopes: set[int] = set()
        """Clauses and phrases in which whatever is dropped widens the claim."""
        self._waiting: list[int] = []
        self._following = False
        self._followed: set[int] = set()
        self._searched: set[int] = set()

    @property
    def claim(self) -> Claim:
        """What was found to be held; the root has no parent."""
        held = frozenset(self.held - {0})
        return Claim(held, frozenset(self.weighed - held - {0}), frozenset(self.limits) & held)

    def hold_up_to(self, node: int, top: int) -> None:
        """Hold a node and those above it, below `top`."""
        while node > top:
            self.held.add(node)
            node = self.parent[node]

    def bind(self, one: int, other: int) -> None:
        """Hold two words to the lowest node above both: all three stay, or none does."""
        if not 0 <= min(one, other) <= max(one, other) < len(self.leaves):
            return
        left, right = self.leaves[one], self.leaves[other]
        top = self.meeting(left, right)
        self.hold_up_to(left, top)
        self.hold_up_to(right, top)

    def hold_to_next(self, place: int) -> None:
        """Hold a word to the lowest node that also has the next word, and at least to
        its parent.
        """
        leaf = self.leaves[place]
        top = self.parent[leaf]
        if is_word(self.word(place + 1)):
            top = min(top, self.meeting(leaf, self.leaves[place + 1]))
        self.hold_up_to(leaf, max(top, 0))

    def hold_target(self, node: int, *, fragment: bool = False) -> int:
        """Hold what follows the negation, or else in a fragment what precedes it: what it denies.

        Return its index, or -1 if there is none.
        """
        for row in (self.behind(node), self.before(node) if fragment else []):
            target = next((x for x in row if self.labels[x] not in ADVERBIAL), -1)
            if target >= 0 and self.labels[target] == "CC":
                continue
            if target < 0 and row:
                target = row[0]
            if target >= 0:
                self.held.add(target)
                self.follow_heads(target)
                if self.labels[target] in ("IN", "TO", "DT"):
                    self._hold_next_phrase(target)
                return target
        return -1

    def _hold_next_phrase(self, node: int) -> None:
        """Hold what `because` or `that` governs if it is beside its clause: `not that …`."""
        for phrase in self.behind(node)[:1]:
            if self.children[phrase]:
                self.held.add(phrase)
                self.follow_heads(phrase)

    def follow_heads(self, node: int) -> None:
        """Hold heads below `node`; any of several conjuncts may stay, unless joined by `but`."""
        self._waiting.append(node)
        if self._following:  # called from the loop below: no recursion, however deep the tree
            return
        self._following = True
        while self._waiting:
            node = self._waiting.pop()
            while node >= 0:
                node = self._hold_head(node)
        self._following = False

    def _hold_head(self, node: int) -> int:
        """Hold the head of `node`, and return the child that gives it meaning, or -1."""
        children = self.children[node]
        if not children or node in self._followed:
            return -1
        self._followed.add(node)
        if self.denies:
            self.hold_exceptions(node)
        if any(self.labels[child] in ("CC", "CONJP") for child in children):
            self.hold_contrast(node)
            return -1
        head = self.table.syntactic_children[node]
        if self.labels[node] == "PP":
            phrases = [x for x in children if x > head and self.children[x]]
            lower = phrases[0] if phrases else children[-1]
            self.held.update([x for x in self.content(node) if not self.children[x]])
        else:
            lower = self.table.head_children[node]
        self.held.update((head, lower))
        if self.labels[node] in _GRADED:
            self.held.update([x for x in children if self._compares(x)])
        elif self.labels[node] == "VP" and head == lower:
            self._hold_object(head)
        return lower

    def hold_restrictive(self, node: int, *, all_conjuncts: bool = False) -> None:
        """Hold what narrows the nouns and verbs that a denial or exception is about.

        `not the whole truth`, `except pregnant women`, `not unreasonably withheld`. An exception
        also needs all its conjuncts: `except Monday and Friday`.
        """
        waiting = [node]
        while waiting:
            node = waiting.pop()
            children = self.children[node]
            if not children:
                continue
            label, head = self.labels[node], self.table.syntactic_children[node]
            if label in NOMINAL:
                self.held.update([x for x in children if x < head and self._narrows(x)])
                waiting.append(head)
            elif label == "VP":
                self.held.update([x for x in children if x < head and self._is_manner(x)])
                waiting += [x for x in children if x >= head and self.labels[x] in _OBJECTS][:1]
            elif label == "ADJP":
                for child in [x for x in children if x > head and self.children[x]]:
                    self.held.add(child)
                    self.follow_heads(child)
                waiting += children
            elif label in ("PP", "SBAR", *SENTENCES):
                waiting += self.content(node)[-1:]
            if any(self.labels[x] == "CC" for x in children):
                waiting += [x for x in children if x != head]
                for child in self.content(node) if all_conjuncts else ():
                    self.held.add(child)
                    self.follow_heads(child)

    def _narrows(self, node: int) -> bool:
        return self.labels[node] in _NARROWING

    def _is_manner(self, node: int) -> bool:
        if self.labels[node] not in ("RB", "ADVP"):
            return False
        return self.word(self.first[node]).endswith("ly")

    def _compares(self, node: int) -> bool:
        """Whether a word makes a denial a matter of degree: `no better idea`, `not as good`."""
        if self.children[node]:
            return False
        word = self.words[self.first[node]] if self.nodes[node].word is not None else ""
        return self.labels[node] in ("JJR", "RBR", "JJS", "RBS") or word in DEGREES

    def _hold_object(self, verb: int) -> None:
        """Hold the object of a negated verb: someone who does not eat meat may well eat."""
        for node in self.behind(verb)[:2]:
            if self.labels[node] == "NP":
                words = {plain(self.nodes[x].word or "") for x in self.children[node]}
                if not words & TIMES:
                    self.held.add(node)
                    self.follow_heads(node)
            if self.labels[node] != "PRT":
                return

    def hold_contrast(self, node: int, start: int = 0) -> None:
        """Hold `but` and its two sides: otherwise `not tea but milk` could become `not milk`.

        A clause that it only adds to the negated one may be dropped.
        """
        content = [x for x in self.content(node) if self.place[x] >= start]
        for at, conjunction in enumerate(content):
            opens = at == 0 and start == 0 and self.labels[node] != "PP"
            if not self._is_but(conjunction) or opens or at + 1 == len(content):
                continue
            behind = content[at + 1 :]
            after = next((x for x in behind if self.labels[x] not in ADVERBIAL), behind[-1])
            before = content[max(at - 1, 0)]
            if self.labels[after] not in SENTENCES or self.labels[before] in SENTENCES:
                self.held.update((before, conjunction, after))

    def _is_but(self, node: int) -> bool:
        return self.labels[node] in ("CC", "CONJP") and self.word(self.first[node]) == "but"

    def hold_exceptions(self, node: int) -> None:
        """Hold what takes back part of a denial: `until May`, `unless he pays`, `but trouble`."""
        if node in self._searched:
            return
        self._searched.add(node)
        for child in self.children[node]:
            word = self.word(self.first[child])
            if word in EXCEPTIONS or (word in ("but", "since") and self.labels[child] == "PP"):
                self.held.add(child)
                self.limits.add(child)
                self.hold_up_to(self.leaves[self.first[child]], child)
                if self.children[child]:
                    self.follow_heads(child)
                else:
                    self.hold_target(child)
