"""`PackedTrees`: many trees as flat preorder arrays, the form that kernels work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from treewright.arrays import Ints, Longs


class Vocabulary:
    """Numbers strings from 0 by first occurrence; a frozen one maps unknown strings to -1."""

    __slots__ = ("ids", "names")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names: list[str] = []
        self.ids: dict[str, int] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> int:
        """Return the number of `name`, assigning one if it is new."""
        number = self.ids.get(name)
        if number is None:
            number = self.ids[name] = len(self.names)
            self.names.append(name)
        return number

    def find(self, name: str, unknown: int = -1) -> int:
        """Return the number of `name`, or `unknown`."""
        return self.ids.get(name, unknown)

    def numbers(self, names: Iterable[str], unknown: int = -1) -> Ints:
        """Return the numbers of strings, `unknown` for those that have none."""
        import numpy as np

        get = self.ids.get
        return np.array([get(name, unknown) for name in names], np.int32)

    @property
    def words(self) -> tuple[str, ...]:
        """All strings, by number."""
        return tuple(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.ids

    def __len__(self) -> int:
        return len(self.names)

    def copy(self) -> Vocabulary:
        """Return an independent copy."""
        other = Vocabulary()
        other.names, other.ids = self.names.copy(), self.ids.copy()
        return other


@dataclass(frozen=True, slots=True, eq=False)
class PackedTrees:
    """Trees one after another in preorder; tree `i` is the nodes `offset[i]:offset[i + 1]`.

    In preorder a node's subtree is a run, so `end` (the first index after it, relative to the tree)
    replaces first child and next sibling: the first child of `x` is `x + 1`, its next sibling
    `end[x]`. Words are stored on their preterminals (`word`, -1 elsewhere), so every node is a
    non-terminal. `left:right` is the span in words.
    """

    label: Ints
    word: Ints
    parent: Ints
    end: Ints
    left: Ints
    right: Ints
    offset: Longs
    labels: Vocabulary
    words: Vocabulary

    @classmethod
    def pack(
        cls,
        trees: Iterable[Tree],
        *,
        labels: Vocabulary | None = None,
        words: Vocabulary | None = None,
        frozen_words: bool = False,
        nodes: list[Tree] | None = None,
    ) -> PackedTrees:
        """Pack trees. Vocabularies passed in grow; that of words only unless `frozen_words`.

        A list given as `nodes` receives every node in the order of the arrays.
        """
        import numpy as np

        labels = Vocabulary() if labels is None else labels
        words = Vocabulary() if words is None else words
        number_word = words.find if frozen_words else words.add
        rows: list[list[int]] = [[], [], [], [], [], []]
        offset = [0]
        nodes = [] if nodes is None else nodes
        for tree in trees:
            _pack_one(tree, labels, number_word, rows, nodes)
            offset.append(len(rows[0]))
        label, word, parent, end, left, right = (np.array(row, dtype=np.int32) for row in rows)
        bounds = np.array(offset, dtype=np.int64)
        return cls(label, word, parent, end, left, right, bounds, labels, words)

    def __len__(self) -> int:
        return len(self.offset) - 1


def _pack_one(
    tree: Tree,
    labels: Vocabulary,
    number_word: Callable[[str], int],
    rows: list[list[int]],
    nodes: list[Tree],
) -> None:
    """Append one tree to the six columns: label, word, parent, end, left, right."""
    label, word, parent, end, left, right = rows
    base = len(label)
    position = 0
    find_label = labels.ids.get
    stack: list[tuple[Tree, int]] = [(tree, -1)]
    while stack:
        node, up = stack.pop()
        index = len(label) - base
        nodes.append(node)
        number = find_label(node.label)
        label.append(labels.add(node.label) if number is None else number)
        parent.append(up)
        left.append(position)
        end.append(index + 1)
        if node.word is None:
            word.append(-1)
            right.append(position)
            stack.extend([(child, index) for child in reversed(node.children)])
        else:
            word.append(number_word(node.word))
            position += 1
            right.append(position)
    for index in range(len(label) - base - 1, 0, -1):
        up = base + parent[base + index]
        if end[up] < end[base + index]:
            end[up] = end[base + index]
        if right[up] < right[base + index]:
            right[up] = right[base + index]
