"""`Tree`: the immutable, hashable tree that people work with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn


class Tree:
    """An ordered labelled tree: internal nodes have children, preterminals have a word.

    A node with neither is a *frontier* node, which occurs only in fragments of rules, never in the
    tree of a sentence. No method recurses, so only memory limits the depth.
    """

    __slots__ = ("_hash", "children", "label", "word")

    label: str
    children: tuple[Tree, ...]
    word: str | None
    _hash: int

    def __init__(
        self, label: str, children: Iterable[Tree] = (), *, word: str | None = None
    ) -> None:
        children = tuple(children)
        if children and word is not None:
            raise ValueError(f"node {label!r} has both children and the word {word!r}")
        _set_label(self, label)
        _set_children(self, children)
        _set_word(self, word)
        below = [child._hash for child in children] if children else ()
        _set_hash(self, hash((label, word, *below)))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Tree is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Tree is immutable; cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        # String hashes differ between processes, so a tree is pickled as its preorder.
        return _from_preorder, ([(n.label, n.word, len(n.children)) for n in self.nodes()],)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Tree):
            return NotImplemented
        stack = [(self, other)]
        while stack:
            a, b = stack.pop()
            if a is b:
                continue
            if (
                a._hash != b._hash
                or a.label != b.label
                or a.word != b.word
                or len(a.children) != len(b.children)
            ):
                return False
            stack.extend(zip(a.children, b.children, strict=True))
        return True

    @property
    def is_preterminal(self) -> bool:
        """Whether the node carries a word."""
        return self.word is not None

    @property
    def is_frontier(self) -> bool:
        """Whether the node carries neither children nor a word."""
        return self.word is None and not self.children

    def nodes(self) -> Iterator[Tree]:
        """Yield every node in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def preterminals(self) -> Iterator[Tree]:
        """Yield the word-bearing nodes from left to right."""
        return (node for node in self.nodes() if node.word is not None)

    def words(self) -> tuple[str, ...]:
        """Return the words from left to right."""
        return tuple([node.word for node in self.nodes() if node.word is not None])

    def __str__(self) -> str:
        from treewright.trees.brackets import format_tree

        return format_tree(self)

    def __repr__(self) -> str:
        return f"Tree({str(self)!r})"


# A tree forbids assignment; its slots do not, and are quicker than going through `object`.
_set_label, _set_children, _set_word, _set_hash = (
    Tree.__dict__[name].__set__ for name in ("label", "children", "word", "_hash")
)


def _from_preorder(rows: list[tuple[str, str | None, int]]) -> Tree:
    """Rebuild a tree from `(label, word, number of children)` in preorder."""
    finished: list[Tree] = []
    for label, word, arity in reversed(rows):
        children = [finished.pop() for _ in range(arity)]
        finished.append(Tree(label, children, word=word))
    return finished.pop()
