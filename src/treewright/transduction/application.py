"""Applying rules: from a derivation to its target, and where the words of that come from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.grammar import UNLINKED, Rule, TargetString
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


class Strung(NamedTuple):
    """A target string under construction: words with their source positions, and parts of it."""

    items: tuple[tuple[str, int] | Strung, ...]


class Kept(NamedTuple):
    """What a pruning has kept of a node's children, from the first up to some child."""

    children: tuple[Partial, ...]


Result = Partial | Strung | Kept | None
"""What a forest edge derives; `None` where it deletes."""


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


def read_string(string: Strung) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the words of a string and their source positions, from left to right."""
    words: list[str] = []
    positions: list[int] = []
    stack: list[tuple[str, int] | Strung] = [string]
    while stack:
        item = stack.pop()
        if isinstance(item, Strung):
            stack.extend(reversed(item.items))
        else:
            words.append(item[0])
            positions.append(item[1])
    return tuple(words), tuple(positions)


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

    is_string: bool = False
    """Whether the target is a string; its steps are then its items."""

    arranged: tuple[int, ...] | None = None
    """The tails that are the children of the target's root, if it has no other descendants."""

    @classmethod
    def of(cls, rule: Rule) -> Application:
        """Prepare a rule."""
        sources = _word_sources(rule)
        shape: tuple[int, ...] = ()
        if rule.source is not None and rule.source.words():
            shape = tuple(_move(node) for node in rule.source.nodes())
        steps = tuple(reversed(list(_steps(rule, sources))))
        is_string = isinstance(rule.target, TargetString)
        copied = arranged = None
        if isinstance(rule.target, Tree):
            if shape == (PASS,) and len(steps) == 1:
                copied = rule.target if steps[0].source_word != NOWHERE else None
            elif steps[-1].arity == len(steps) - 1 and all(step.tail >= 0 for step in steps[:-1]):
                arranged = tuple([step.tail for step in reversed(steps[:-1])]) or None
        return cls(steps, shape, copied, _keeps_order(rule, sources), is_string, arranged)

    def build(self, tails: Sequence[Result], words: Sequence[int]) -> Partial | Strung | None:
        """Put what the tails derive into the target; `words` are positions of source words."""
        if self.is_string:
            return Strung(tuple([self._item(step, tails, words) for step in reversed(self.steps)]))
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

    def _item(
        self, step: Step, tails: Sequence[Result], words: Sequence[int]
    ) -> tuple[str, int] | Strung:
        if step.word is not None:
            source = step.source_word
            return step.word, NOWHERE if source == NOWHERE else words[source]
        below = tails[step.tail]
        assert isinstance(below, Strung), "a linked tail of a string derives a string"
        return below

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
    trees = [tree for tree, _ in children]
    return Partial(Tree(label, trees), tuple([positions for _, positions in children]))


def _move(node: Tree) -> int:
    if node.word is not None:
        return PASS
    return DOWN if node.children else STOP


def _steps(rule: Rule, sources: Sequence[int]) -> Iterator[Step]:
    """Yield a step for each node of the target fragment in preorder, or for each item of a string.

    `sources` are those of the target's words.
    """
    tail_of = {link: i for i, link in enumerate(rule.links) if link != UNLINKED}
    tail_of.update({j: len(rule.links) + k for k, j in enumerate(rule.inserted)})
    variables, origins = itertools.count(), iter(sources)
    if isinstance(rule.target, TargetString):
        nodes = [Tree("", word=item) for item in rule.target.items]
    else:
        nodes = [] if rule.target is None else list(rule.target.nodes())
    for node in nodes:
        tail = tail_of[next(variables)] if node.is_frontier else -1
        source = NOWHERE if node.word is None else next(origins)
        yield Step(tail, node.label, node.word, len(node.children), source)


def _word_sources(rule: Rule) -> list[int]:
    """For each word of the target the number of the source word it comes from, or `NOWHERE`.

    The word alignment says so: of several source words, the first. A rule that has none is read
    as one that keeps words: it takes the common subsequence of most words and then of most linked
    variables, which anchor the words beside them; of several the one with the leftmost words.
    """
    if rule.target is None:
        return []
    if rule.alignment is not None:
        first: dict[int, int] = {}
        for source, target in sorted(rule.alignment):
            first.setdefault(target, source)
        return [first.get(j, NOWHERE) for j in range(len(rule.target.words()))]
    return _common_words(rule)


def _common_words(rule: Rule) -> list[int]:
    source, target = _items(rule)
    gain = [len(source) + 1 if isinstance(item, str) else 1 for item in target]
    best = [[0] * (len(source) + 1) for _ in range(len(target) + 1)]
    for a in range(len(target) - 1, -1, -1):
        for b in range(len(source) - 1, -1, -1):
            best[a][b] = (
                best[a + 1][b + 1] + gain[a]
                if source[b] == target[a]
                else max(best[a + 1][b], best[a][b + 1])
            )
    words = iter(range(len(source)))
    word_number = [next(words) if isinstance(item, str) else -1 for item in source]
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


def _keeps_order(rule: Rule, sources: Sequence[int]) -> bool:
    """Whether the target's words and linked variables are some of the source's, in their order."""
    source, target = _items(rule)
    places = [b for b, item in enumerate(source) if isinstance(item, str)]
    origins = iter(sources)
    last = -1
    for item in target:
        if isinstance(item, str):
            origin = next(origins)
            place = -1 if origin == NOWHERE or source[places[origin]] != item else places[origin]
        else:
            place = source.index(item)
        if place <= last:
            return False
        last = place
    return True


def _items(rule: Rule) -> tuple[list[str | int], list[str | int]]:
    """Return what both sides yield: words, and linked variables by their number in the source."""
    numbers = {link: i for i, link in enumerate(rule.links) if link != UNLINKED}
    return (
        _leaves(rule.source, {i: i for i in numbers.values()}),
        _leaves(rule.target, numbers),
    )


def _leaves(side: Tree | TargetString | None, numbers: dict[int, int]) -> list[str | int]:
    if side is None:
        return []
    if isinstance(side, TargetString):
        leaves = list(side.items)
    else:
        leaves = [node.word for node in side.nodes() if not node.children]
    variables = itertools.count()
    found = [leaf if leaf is not None else numbers.get(next(variables)) for leaf in leaves]
    return [leaf for leaf in found if leaf is not None]
