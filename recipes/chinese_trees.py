"""Variants of Sinica trees that look like newspaper text segmented by jieba, one tree per line.

    python recipes/chinese_trees.py SINICA.mrg RAW.zh > variants.mrg

The treebank has clauses without quotation marks, brackets, digits or foreign names, and cuts some
words finer or coarser than jieba. A parser for other text has to see such things at least once:

- neighbours that are one word of the raw text are joined, and numerals cut from their measures;
- numerals become digits, and names foreign ones;
- constituents are put in quotation marks, or followed by others in brackets;
- clauses that end in a comma are joined with the next, as the treebank's own are, under an `S`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from treewright.parsing import read_treebank
from treewright.trees import Tree

OFTEN = 3
"""How often raw text must have a word for the treebank's words to be joined to it."""
LONGEST = 60
"""The most tokens of joined clauses."""
_NUMERAL = re.compile("([一二三四五六七八九十百千万亿两]+)(.+)")
_MARKS = (("“", "”"), ('"', '"'), ("「", "」"), ("《", "》"), ("（", "）"))
_CLAUSE_MARKS = ("，", "，", "，", "—", "；", "：")
Children = tuple[Tree, ...]


@dataclass(frozen=True)
class Source:
    """What variants are made with: chance, the words of raw text, and phrases for brackets."""

    random: Random
    words: frozenset[str]
    foreign: Sequence[str]
    phrases: Sequence[Tree]

    def chance(self, share: float) -> bool:
        """Return whether to do what happens in this share of the cases."""
        return self.random.random() < share


def variant(tree: Tree, source: Source) -> Tree:
    """Return a tree whose words and marks are varied by chance."""
    for step in (join_words, cut_numerals, rename, put_marks):
        tree = _rewrite(tree, partial(step, source=source))
    return tree


def _rewrite(tree: Tree, step: Callable[[Children], Children]) -> Tree:
    """Rewrite the children of every node, those below first."""
    if tree.word is not None:
        return Tree(tree.label, word="着") if tree.word == "著" else tree
    return Tree(tree.label, step(tuple(_rewrite(child, step) for child in tree.children)))


def join_words(children: Children, source: Source) -> Children:
    """Join neighbours that are one word of the raw text, a preposition also to its verb."""
    found: list[Tree] = []
    for child in children:
        last = found[-1] if found else None
        if last is not None and last.word and child.word and child.label not in ("DE", "C", "PU"):
            whole = last.word + child.word
            if whole in source.words and source.chance(0.7):
                found[-1] = Tree(_joined_tag(last.label, child.label), word=whole)
                continue
        if last is not None and last.word and last.label[0] == "V" and child.label == "PP":
            first, *rest = child.children
            whole = last.word + (first.word or " ")
            if rest and whole in source.words and source.chance(0.7):
                found[-1:] = [Tree("VC", word=whole), *rest]
                continue
        found.append(child)
    return tuple(found)


def _joined_tag(left: str, right: str) -> str:
    if left[0] == "V" and right in ("P", "Di", "T", "D"):
        return left
    return "Nc" if right == "Ng" else right


def cut_numerals(children: Children, source: Source) -> Children:
    """Cut numerals from measures and months, and write some of them in digits."""
    found: list[Tree] = []
    for child in children:
        if (child.word or "").startswith("百分之"):
            found.append(_measure(_digits(source, "%"), "%"))
            continue
        match = _NUMERAL.fullmatch(child.word or "") if child.label in ("DM", "Nd") else None
        if match is None or not source.chance(0.4):
            found.append(child)
            continue
        numeral, unit = match.groups()
        if source.chance(0.8):
            numeral = _digits(source, unit)
        if child.label == "DM" and source.chance(0.1):
            unit = "%"
        if source.chance(0.15):
            found.append(Tree(child.label, word=numeral + unit))
        elif child.label == "DM":
            found.append(_measure(numeral, unit))
        else:
            found.append(Tree("NP", [Tree("Neu", word=numeral), Tree("Nd", word=unit)]))
    return tuple(found)


def _measure(numeral: str, unit: str) -> Tree:
    return Tree("DM", [Tree("Neu", word=numeral), Tree("Nf", word=unit)])


def _digits(source: Source, unit: str) -> str:
    if unit == "年" and source.chance(0.5):
        return str(source.random.randint(1900, 2030))
    number = str(source.random.randint(1, 10 ** source.random.randint(1, 4)))
    return f"{number}.{source.random.randint(1, 9)}" if source.chance(0.1) else number


def rename(children: Children, source: Source) -> Children:
    """Give some names another one: foreign, or in two parts with a dot between."""
    found: list[Tree] = []
    for child in children:
        if child.label != "Nb" or not child.word or not source.chance(0.3):
            found.append(child)
            continue
        name = Tree("Nb", word=source.random.choice(source.foreign))
        if source.chance(0.5):
            found.append(name)
        else:
            found += [child, Tree("PU", word="·"), name]
    return tuple(found)


def put_marks(children: Children, source: Source) -> Children:
    """Put few constituents between marks, and phrases in brackets after few others."""
    found: list[Tree] = []
    for child in children:
        if child.word is None and child.label in ("NP", "VP", "S") and source.chance(0.03):
            left, right = source.random.choice(_MARKS)
            inside = [Tree("PU", word=left), *child.children, Tree("PU", word=right)]
            child = Tree(child.label, inside)
        elif child.word is None and child.label == "NP" and source.chance(0.015):
            inside = [Tree("PU", word="（"), source.random.choice(source.phrases)]
            child = Tree("NP", [*child.children, *inside, Tree("PU", word="）")])
        found.append(child)
    return tuple(found)


def join_clauses(trees: Iterable[Tree], source: Source) -> list[Tree]:
    """Join trees that end in a comma, or in nothing, with those after them."""
    found: list[Tree] = []
    for tree in trees:
        if found and _goes_on(found[-1]) and source.chance(0.6):
            whole = _joined(found[-1], tree, source)
            if len(whole.words()) <= LONGEST:
                found[-1] = whole
                continue
        found.append(tree)
    return found


def _goes_on(tree: Tree) -> bool:
    last = tree.children[-1]
    return last.label != "PU" or last.word == "，"


def _joined(left: Tree, right: Tree, source: Source) -> Tree:
    """Put the clauses of two trees under one `S`; the last mark stays outside."""
    before, _ = _clauses(left)
    after, end = _clauses(right)
    mark = Tree("PU", word=source.random.choice(_CLAUSE_MARKS))
    return Tree("ROOT", [Tree("S", [*before, mark, *after]), *end])


def _clauses(tree: Tree) -> tuple[Children, Children]:
    """Return the clauses of a tree with the marks between them, and the marks after them."""
    children = tree.children
    end: Children = ()
    while len(children) > 1 and children[-1].label == "PU":
        children, end = children[:-1], (children[-1], *end)
    if len(children) == 1 and any(child.word in _CLAUSE_MARKS for child in children[0].children):
        return children[0].children, end
    return children, end


def main(treebank: str, raw: str) -> None:
    """Print one variant of every tree, and then the joined ones."""
    trees = list(read_treebank(treebank))
    with Path(raw).open(encoding="utf-8") as lines:
        counts = Counter(word for line in lines for word in line.split())
    source = Source(
        random=Random(1),
        words=frozenset(word for word, count in counts.items() if count >= OFTEN),
        foreign=sorted(word for word in counts if re.fullmatch("[A-Z][a-z]+|[A-Z]{2,5}", word)),
        phrases=[
            node
            for tree in trees
            for node in tree.nodes()
            if node.label == "NP" and 1 <= len(node.words()) <= 4
        ],
    )
    for tree in join_clauses([variant(tree, source) for tree in trees], source):
        print(tree)


if __name__ == "__main__":
    main(*sys.argv[1:])
