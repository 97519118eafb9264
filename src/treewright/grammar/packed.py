"""`PackedRules`: many rules as flat arrays, read as a sequence of `Rule`.

In preorder a fragment is a sequence of symbols, one per node: the number of the production that it
spells out there, or `FRONTIER`. A string is a sequence too, of `-1 - word` and `FRONTIER`. So a
million rules are a few arrays, which can be mapped from a file; a `Rule` is made when someone asks
for it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Ints, Longs
from treewright.compiling import expect_work
from treewright.grammar.rule import Rule, TargetString
from treewright.trees import Tree, Vocabulary

FRONTIER = 0
NO_TARGET = -1
STRING_TARGET = -2

Production = tuple[int, ...]


class Productions(NamedTuple):
    """Production `p` is `item[ptr[p] : ptr[p + 1]]`: a label, then labels or `-1 - word`.

    Number 0 is `FRONTIER`, and empty.
    """

    ptr: Longs
    item: Ints

    @property
    def words(self) -> Ints:
        """The word that each production spells out, -1 if it spells out none."""
        words = np.full(len(self.ptr) - 1, -1, dtype=np.int32)
        if len(words) > 1:
            second = self.item[self.ptr[1:-1] + 1]
            words[1:] = np.where(second < 0, -1 - second, -1)
        return words


class RuleColumns(NamedTuple):
    """Both sides of every rule as symbols, its links and its word alignment.

    `target_root` is the target's label, `NO_TARGET` or `STRING_TARGET`. A rule without a source
    has no source symbols. The links of a rule run along its source frontier. `alignment` has a row
    of two positions per link; `aligned` says whether a rule has an alignment at all.
    """

    source_ptr: Longs
    source_symbol: Ints
    target_root: Ints
    target_ptr: Longs
    target_symbol: Ints
    link_ptr: Longs
    link: Ints
    alignment_ptr: Longs
    alignment: Ints
    aligned: Bools


@dataclass(frozen=True, eq=False)
class PackedRules(Sequence[Rule]):
    """Rules in a fixed order, with the vocabularies that their symbols refer to."""

    labels: Vocabulary
    words: Vocabulary
    productions: Productions
    columns: RuleColumns

    @classmethod
    def pack(cls, rules: Iterable[Rule]) -> PackedRules:
        """Pack rules one by one, in their order."""
        if isinstance(rules, PackedRules):
            return rules
        packer = _Packer()
        for rule in rules:
            packer.add(rule)
        return packer.finish()

    @classmethod
    def restore(
        cls, labels: Sequence[str], words: Sequence[str], arrays: Mapping[str, NDArray[Any]]
    ) -> PackedRules:
        """Put rules together from names and arrays that may come from anywhere; checks them all."""

        if len(set(labels)) != len(labels) or len(set(words)) != len(words):
            raise ValueError("a label or a word is there twice")
        productions = Productions(arrays["production_ptr"], arrays["production_item"])
        columns = RuleColumns(*[arrays[name] for name in RuleColumns._fields])
        packed = cls(Vocabulary(labels), Vocabulary(words), productions, columns)
        check_packed(packed)
        return packed

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name, as `restore` takes them."""
        productions = {f"production_{name}": a for name, a in self.productions._asdict().items()}
        return productions | self.columns._asdict()

    def __len__(self) -> int:
        return len(self.columns.target_root)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    @overload
    def __getitem__(self, number: int) -> Rule: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, number: int | slice) -> Rule | tuple[Rule, ...]:
        """Return a rule, made anew."""
        if isinstance(number, slice):
            return tuple([self[i] for i in range(*number.indices(len(self)))])
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no rule {number} among {len(self)}")
        number %= len(self)
        columns = self.columns
        root = int(columns.target_root[number])
        alignment = None
        if columns.aligned[number]:
            rows = _row(columns.alignment_ptr, columns.alignment, number)
            alignment = tuple([(i, j) for i, j in rows])
        return Rule(
            self._fragment(_row(columns.source_ptr, columns.source_symbol, number), None),
            self._target(_row(columns.target_ptr, columns.target_symbol, number), root),
            tuple(_row(columns.link_ptr, columns.link, number)),
            alignment,
        )

    def __iter__(self) -> Iterator[Rule]:
        return (self[number] for number in range(len(self)))

    def _target(self, symbols: list[int], root: int) -> Tree | TargetString | None:
        if root == NO_TARGET:
            return None
        if root == STRING_TARGET:
            names = self.words.names
            return TargetString(
                tuple([None if symbol == FRONTIER else names[-1 - symbol] for symbol in symbols])
            )
        return self._fragment(symbols, root)

    def _fragment(self, symbols: list[int], root: int | None) -> Tree | None:
        """Return the fragment of some symbols; without a root its first production says it."""
        if not symbols:
            return None
        names, words = self.labels.names, self.words.names
        waiting: list[int | None] = [root]
        nodes: list[tuple[str, str | None, int]] = []
        for symbol in symbols:
            label = waiting.pop()
            if symbol == FRONTIER:
                assert label is not None
                nodes.append((names[label], None, 0))
                continue
            head, *items = self.production(symbol)
            if items[0] < 0:
                nodes.append((names[head], words[-1 - items[0]], 0))
            else:
                nodes.append((names[head], None, len(items)))
                waiting.extend(reversed(items))
        made: list[Tree] = []
        for name, word, arity in reversed(nodes):
            made.append(Tree(name, [made.pop() for _ in range(arity)], word=word))
        return made.pop()

    def production(self, number: int) -> list[int]:
        """Return the items of a production: a label, then labels or `-1 - word`."""
        return _row(self.productions.ptr, self.productions.item, number)

    @cached_property
    def source_root(self) -> Ints:
        """The label of each rule's source, -1 where there is none."""
        ptr, symbol = self.columns.source_ptr, self.columns.source_symbol
        roots = np.full(len(self), -1, dtype=np.int32)
        sourced = ptr[1:] > ptr[:-1]
        roots[sourced] = self.productions.item[self.productions.ptr[symbol[ptr[:-1][sourced]]]]
        return roots

    def count_target_words(self, counted: Bools) -> Ints:
        """Return how many words each target has, of those that count; given for each word."""
        pointer, symbol = self.columns.target_ptr, self.columns.target_symbol
        word = np.where(symbol < 0, -1 - symbol, self.productions.words[np.maximum(symbol, 0)])
        total = np.zeros(len(symbol) + 1, dtype=np.int32)
        np.cumsum((word >= 0) & np.append(counted, False)[word], out=total[1:])
        return total[pointer[1:]] - total[pointer[:-1]]


def _row(pointer: Longs, values: Ints, number: int) -> list[Any]:
    found: list[Any] = values[pointer[number] : pointer[number + 1]].tolist()
    return found


@dataclass
class _Packer:
    """Arrays that grow, four bytes a number, so that rules need not be kept."""

    labels: Vocabulary = field(default_factory=Vocabulary)
    words: Vocabulary = field(default_factory=Vocabulary)
    productions: dict[Production, int] = field(default_factory=dict)
    columns: dict[str, Any] = field(
        default_factory=lambda: {
            name: array("q", [0]) if name.endswith("_ptr") else array("i")
            for name in RuleColumns._fields
        }
    )

    def add(self, rule: Rule) -> None:
        columns = self.columns
        if rule.source is not None:
            columns["source_symbol"].extend(map(self.symbol, rule.source.nodes()))
        if isinstance(rule.target, TargetString):
            columns["target_root"].append(STRING_TARGET)
            columns["target_symbol"].extend(
                FRONTIER if item is None else -1 - self.words.add(item)
                for item in rule.target.items
            )
        elif rule.target is None:
            columns["target_root"].append(NO_TARGET)
        else:
            columns["target_root"].append(self.labels.add(rule.target.label))
            columns["target_symbol"].extend(map(self.symbol, rule.target.nodes()))
        columns["link"].extend(rule.links)
        for link in rule.alignment or ():
            columns["alignment"].extend(link)
        columns["aligned"].append(rule.alignment is not None)
        for name in ("source", "target"):
            columns[f"{name}_ptr"].append(len(columns[f"{name}_symbol"]))
        columns["link_ptr"].append(len(columns["link"]))
        columns["alignment_ptr"].append(len(columns["alignment"]) // 2)

    def symbol(self, node: Tree) -> int:
        label = self.labels.add(node.label)
        if node.word is not None:
            production: Production = (label, -1 - self.words.add(node.word))
        elif node.children:
            production = (label, *[self.labels.add(child.label) for child in node.children])
        else:
            return FRONTIER
        return self.productions.setdefault(production, len(self.productions) + 1)

    def finish(self) -> PackedRules:
        lengths = [len(production) for production in self.productions]
        columns: dict[str, Any] = {
            name: np.array(column, dtype=np.int64 if name.endswith("_ptr") else np.int32)
            for name, column in self.columns.items()
        }
        columns["alignment"] = columns["alignment"].reshape(-1, 2)
        columns["aligned"] = columns["aligned"].astype(np.bool_)
        return PackedRules(
            self.labels,
            self.words,
            Productions(
                np.concatenate(([0, 0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64),
                np.array([item for p in self.productions for item in p], dtype=np.int32),
            ),
            RuleColumns(**columns),
        )


def prepare_work(rules: PackedRules) -> None:
    """Have kernels compiled first where one call goes over so many rules that this pays."""
    expect_work(len(rules) // RULES_PER_TREE)


RULES_PER_TREE = 100
"""How many rules take a kernel as long as one tree does, roughly."""


def check_packed(rules: PackedRules) -> None:
    """Raise a `ValueError` unless these arrays are rules."""
    from treewright.grammar import _table_kernels as kernels

    _check_types(rules)
    prepare_work(rules)
    _check_productions(rules)
    _check_columns(rules.columns, len(rules.labels), len(rules.words))
    bad = kernels.first_bad_rule(rules.productions, rules.columns)
    if bad < len(rules):
        raise ValueError(f"rule {bad} does not fit together")
    if kernels.first_bad_alignment(rules.productions, rules.columns) < len(rules):
        raise ValueError("a word alignment points outside its rule")


def find_repeated(rules: PackedRules) -> int | None:
    """Return the number of a rule that is there before, or `None`."""
    from treewright.grammar import _table_kernels as kernels

    prepare_work(rules)
    found = kernels.hash_rules(rules.columns)
    order = np.argsort(found, kind="stable")
    same = np.flatnonzero(found[order[1:]] == found[order[:-1]])
    for k in same.tolist():
        if rules[int(order[k])] == rules[int(order[k + 1])]:
            return int(order[k + 1])
    return None


def _check_types(rules: PackedRules) -> None:
    arrays: dict[str, NDArray[Any]] = rules.arrays()
    for name, values in arrays.items():
        kind: type[np.generic] = np.int64 if name.endswith("ptr") else np.int32
        if name == "aligned":
            kind = np.bool_
        shape = 2 if name == "alignment" else 1
        if values.dtype != kind or values.ndim != shape:
            raise ValueError(f"{name} holds {values.dtype} in {values.ndim} dimensions")
    if rules.columns.alignment.shape[1] != 2:
        raise ValueError("alignment needs two columns")


def _check_productions(rules: PackedRules) -> None:
    pointer, item = rules.productions
    _check_pointer("production_ptr", pointer, len(item))
    lengths = np.diff(pointer)
    if len(pointer) < 2 or lengths[0] != 0 or (lengths[1:] < 2).any():
        raise ValueError("a production has no children")
    is_head = np.zeros(len(item), dtype=np.bool_)
    is_head[pointer[1:-1]] = True
    of_production = np.repeat(np.arange(len(lengths)), lengths)
    is_word = item < 0
    if (is_word & (is_head | (lengths[of_production] != 2))).any():
        raise ValueError("a word stands where a label must")
    if (item >= len(rules.labels)).any() or (-1 - item[is_word] >= len(rules.words)).any():
        raise ValueError("a production has a label or a word that is not listed")


def _check_columns(columns: RuleColumns, num_labels: int, num_words: int) -> None:
    count = len(columns.target_root)
    for name, size in (
        ("source_ptr", len(columns.source_symbol)),
        ("target_ptr", len(columns.target_symbol)),
        ("link_ptr", len(columns.link)),
        ("alignment_ptr", len(columns.alignment)),
    ):
        pointer = getattr(columns, name)
        if len(pointer) != count + 1:
            raise ValueError(f"{name} is for {len(pointer) - 1} rules, there are {count}")
        _check_pointer(name, pointer, size)
    if len(columns.aligned) != count:
        raise ValueError(f"aligned is for {len(columns.aligned)} rules, there are {count}")
    root, words = columns.target_root, columns.target_symbol
    if ((root < STRING_TARGET) | (root >= num_labels)).any() or (-1 - words >= num_words).any():
        raise ValueError("a target has a label or a word that is not listed")


def _check_pointer(name: str, pointer: Longs, size: int) -> None:
    if len(pointer) == 0 or pointer[0] != 0 or pointer[-1] != size or (np.diff(pointer) < 0).any():
        raise ValueError(f"{name} does not run from 0 to {size}")
