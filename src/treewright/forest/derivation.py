"""`Derivation`: one way to derive a node, as an immutable tree of edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn, TypeVar

from treewright.forest.arrays import Floats

T = TypeVar("T")


class Derivation:
    """An edge and, for each of its tails in order, the derivation of that tail.

    Derivations are values: immutable, hashable (a hash is computed once, from the children's), and
    equal if the same edges are in the same positions. Sub-derivations may be shared objects, so
    even a tree of exponential size costs only its distinct parts. Nothing here recurses.
    """

    __slots__ = ("_hash", "_order", "children", "edge")

    edge: int
    children: tuple[Derivation, ...]
    _hash: int | None
    _order: list[Derivation] | None

    def __init__(self, edge: int, children: Iterable[Derivation] = ()) -> None:
        assign = object.__setattr__
        assign(self, "edge", edge)
        assign(self, "children", tuple(children))
        assign(self, "_hash", None)
        assign(self, "_order", None)

    def edges(self) -> Iterator[int]:
        """Yield the edge at every position of the tree, in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node.edge
            stack.extend(reversed(node.children))

    def score(self, weights: Floats | Sequence[float]) -> float:
        """Return the sum of the edges' weights, each as often as the edge occurs."""

        def add(edge: int, values: Sequence[float]) -> float:
            total = float(weights[edge])
            for value in values:
                total += value
            return total

        return self.fold(add)

    def fold(self, function: Callable[[int, Sequence[T]], T]) -> T:
        """Return `function(edge, values of the children)`, evaluated from the leaves to the root.

        `function` must be pure: it is called once for each distinct sub-derivation object.
        """
        values: dict[int, T] = {}
        for node in self._distinct():
            values[id(node)] = function(node.edge, [values[id(child)] for child in node.children])
        return values[id(self)]

    def _distinct(self) -> list[Derivation]:
        """Return each distinct object of the tree once, children before parents."""
        if self._order is not None:
            return [*self._order, self]
        order: list[Derivation] = []
        done: set[int] = set()
        stack = [self]
        while stack:
            node = stack[-1]
            pending = [child for child in node.children if id(child) not in done]
            if pending:
                stack.extend(reversed(pending))
                continue
            stack.pop()
            if id(node) not in done:
                done.add(id(node))
                order.append(node)
        return order

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        if hash(self) != hash(other):
            return False
        compared: set[tuple[int, int]] = set()
        stack = [(self, other)]
        while stack:
            a, b = stack.pop()
            if a is b or (id(a), id(b)) in compared:
                continue
            if (a._hash, a.edge, len(a.children)) != (b._hash, b.edge, len(b.children)):
                return False
            compared.add((id(a), id(b)))
            stack.extend(zip(a.children, b.children, strict=True))
        return True

    def __hash__(self) -> int:
        if self._hash is None:
            for node in self._distinct():
                if node._hash is None:
                    parts = (node.edge, *[child._hash for child in node.children])
                    object.__setattr__(node, "_hash", hash(parts))
        assert self._hash is not None
        return self._hash

    def __repr__(self) -> str:
        return f"Derivation(edge={self.edge}, children={len(self.children)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Derivation is immutable; cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Derivation is immutable; cannot delete {name}")

    def __reduce__(self) -> tuple[Callable[..., Derivation], tuple[list[int], list[list[int]]]]:
        order = self._distinct()
        place = {id(node): index for index, node in enumerate(order)}
        children = [[place[id(child)] for child in node.children] for node in order]
        return assemble, ([node.edge for node in order], children)


def assemble(edges: Iterable[int], children: Iterable[Iterable[int]]) -> Derivation:
    """Build a derivation from its parts, listed children first; the last part is the whole.

    Part `i` has edge `edges[i]` and, as its children, the parts numbered `children[i]`. Every part
    belongs to the whole, which remembers their order, because most callers fold over it.
    """
    parts: list[Derivation] = []
    for edge, places in zip(edges, children, strict=True):
        parts.append(Derivation(edge, [parts[place] for place in places]))
    whole = parts[-1]
    # A list that held the whole would make a cycle, which costs garbage collection.
    object.__setattr__(whole, "_order", parts[:-1])
    return whole
