"""Applying rules: from a derivation to the target tree and the origins of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.grammar import UNLINKED, Rule
from treewright.trees import Tree

NOWHERE = -1
STOP, DOWN, PASS = range(3)


class Step(NamedTuple):
    """One node of a target fragment, in reverse preorder: a tail to insert, or a node to make."""

    tail: int
    label: str
    word: str | None
    arity: int
    source_word: int


Nested = tuple["int | Nested", ...]


class Partial(NamedTuple):
    """A target tree under construction and the source positions of its words, nested like it."""

    tree: Tree
    positions: Nested


class Kept(NamedTuple):
    """What a pruning has kept of a node's children, from the first up to some child."""

    children: tuple[Partial, ...]


Result = Partial | Kept | None
"""What a forest edge derives; `None` if it deletes."""


def flatten(positions: Nested) -> tuple[int, ...]:
    """Return nested positions as one row, from left to right."""
    row: list[int] = []
    stack: list[int | Nested] = [positions]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            row.append(item)
        else:
            stack.extend(reversed(item))
    return tuple(row)


@dataclass(frozen=True)
class Application:
    """A rule ready for use: how to build its target, and where its words come from.

    `shape` spells the source fragment in preorder as moves through a packed tree: stop at a
    frontier node, go down, pass a word. It is empty if there is no word to find.
    """

    steps: tuple[Step, ...]
    shape: tuple[int, ...]
    copied: Tree | None = None
    """The target of a rule that copies one word, which most rules of a derivation are."""
    keeps_order: bool = True
    """Whether the target's words and linked nodes are among the source's, in their order."""

    @classmethod
    def of(cls, rule: Rule) -> Application:
        """Prepare a rule."""
        tail_of = {link: i for i, link in enumerate(rule.links) if link != UNLINKED}
        tail_of.update({j: len(rule.links) + k for k, j in enumerate(rule.inserted)})
        sources = iter(_word_sources(rule))
        frontier = 0
        steps = []
        for node in rule.target.nodes() if rule.target is not None else ():
            tail, source_word = -1, NOWHERE
            if node.is_frontier:
                tail = tail_of[frontier]
                frontier += 1
            elif node.word is not None:
                source_word = next(sources)
            steps.append(Step(tail, node.label, node.word, len(node.children), source_word))
        shape: tuple[int, ...] = ()
        if rule.source is not None and rule.source.words():
            shape = tuple(_move(node) for node in rule.source.nodes())
        is_copy = shape == (PASS,) and len(steps) == 1 and steps[0].source_word != NOWHERE
        copied = rule.target if is_copy else None
        return cls(tuple(reversed(steps)), shape, copied, _keeps_order(rule))

    def build(self, tails: Sequence[Result], words: Sequence[int]) -> Partial | None:
        """Insert the tails' trees into the target fragment; `words` are positions of
        source words.
        """
        if not self.steps:
            return None
        made: list[Partial] = []
        for tail, label, word, arity, source_word in self.steps:
            if tail >= 0:
                below = tails[tail]
                assert isinstance(below, Partial), "a linked tail derives a target tree"
                made.append(below)
            elif word is not None:
                position = NOWHERE if source_word == NOWHERE else words[source_word]
                made.append(Partial(Tree(label, word=word), (position,)))
            else:
                children = [made.pop() for _ in range(arity)]
                made.append(join(label, children))
        return made.pop()

    def word_positions(self, root: int, end: Sequence[int], left: Sequence[int]) -> list[int]:
        """Return the positions of the source fragment's words when it matches at `root`."""
        positions = []
        x = root
        for move in self.shape:
            if move == PASS:
                positions.append(left[x])
            x = x + 1 if move == DOWN else end[x]
        return positions

    def positions(self, root: int, end: Sequence[int], left: Sequence[int]) -> list[int]:
        """Return the positions of the source words that the target fragment keeps."""
        if not self.shape:
            return []
        words = self.word_positions(root, end, left)
        return [words[step.source_word] for step in self.steps if step.source_word != NOWHERE]


def join(label: str, children: Sequence[Partial]) -> Partial:
    """Put partial trees under one node."""
    return Partial(
        Tree(label, [child.tree for child in children]),
        tuple([child.positions for child in children]),
    )


def _move(node: Tree) -> int:
    if node.word is not None:
        return PASS
    return DOWN if node.children else STOP


def _word_sources(rule: Rule) -> list[int]:
    """For each word of the target fragment, the number of its source word, or `NOWHERE`.

    This is the common subsequence with the most words and then the most linked frontier nodes,
    which anchor the words beside them; among several, the one with the leftmost source words.
    """
    if rule.target is None:
        return []
    numbers = {link: i for i, link in enumerate(rule.links) if link != UNLINKED}
    source = _items(rule.source, {i: i for i in numbers.values()})
    target = _items(rule.target, numbers)
    gain = [len(source) + 1 if isinstance(item, str) else 1 for item in target]
    best = [[0] * (len(source) + 1) for _ in range(len(target) + 1)]
    for a in range(len(target) - 1, -1, -1):
        for b in range(len(source) - 1, -1, -1):
            best[a][b] = (
                best[a + 1][b + 1] + gain[a]
                if source[b] == target[a]
                else max(best[a + 1][b], best[a][b + 1])
            )
    word_number = _word_numbers(source)
    matched: list[int] = []
    b = 0
    for a, item in enumerate(target):
        while b < len(source) and source[b] != item and best[a][b + 1] == best[a][b]:
            b += 1
        hit = b < len(source) and source[b] == item
        if isinstance(item, str):
            matched.append(word_number[b] if hit else NOWHERE)
        b += hit
    return matched


def _keeps_order(rule: Rule) -> bool:
    numbers = {link: i for i, link in enumerate(rule.links) if link != UNLINKED}
    items = iter(_items(rule.source, {i: i for i in numbers.values()}))
    return all(item in items for item in _items(rule.target, numbers))


def _items(fragment: Tree | None, numbers: dict[int, int]) -> list[str | int]:
    """Return a fragment's yield: words, and linked frontier nodes by number."""
    items: list[str | int] = []
    frontier = 0
    for node in fragment.nodes() if fragment is not None else ():
        if node.word is not None:
            items.append(node.word)
        elif node.is_frontier:
            if frontier in numbers:
                items.append(numbers[frontier])
            frontier += 1
    return items


def _word_numbers(items: list[str | int]) -> list[int]:
    numbers = []
    count = 0
    for item in items:
        numbers.append(count)
        count += isinstance(item, str)
    return numbers
