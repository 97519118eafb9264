"""Pairs as arrays: trees in preorder with numbered productions, words, links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from treewright.arrays import Longs, starts
from treewright.corpora import Links, Pair, Sentences, check_alignment
from treewright.errors import DataError, Problems
from treewright.grammar import Productions
from treewright.translation.ghkm._kernels import NODE, Texts, Trees
from treewright.translation.phrases._kernels import LinkColumns
from treewright.translation.phrases.lexicon import Lexicon
from treewright.trees import PackedTrees, Tree, Vocabulary

BATCH = 512
"""How many pairs are put into arrays at a time."""


class Batch(NamedTuple):
    """Some pairs; `target` is `source` where targets are strings."""

    source: Trees
    target: Trees
    texts: Texts
    links: LinkColumns


@dataclass
class Packer:
    """Puts pairs into arrays; remembers names and productions, and the words and links of all."""

    to_trees: bool
    labels: Vocabulary = field(default_factory=Vocabulary)
    words: Vocabulary = field(default_factory=Vocabulary)
    _numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    _sources: list[Texts] = field(default_factory=list)
    _targets: list[Texts] = field(default_factory=list)
    _links: list[LinkColumns] = field(default_factory=list)

    def batches(self, pairs: Iterable[Pair], problems: Problems) -> Iterator[Batch]:
        """Yield the good pairs, some at a time; the others go to `problems`."""
        good = problems.made(self._checked, pairs)
        while chunk := list(islice(good, BATCH)):
            yield self._pack(chunk)

    def _checked(self, pair: Pair) -> Pair:
        check_pair(pair, to_trees=self.to_trees)
        return pair

    def _pack(self, pairs: Sequence[Pair]) -> Batch:
        source, source_text = self._trees([pair.source for pair in pairs])
        if self.to_trees:
            target, text = self._trees([pair.target_tree for pair in pairs])
        else:
            target, text = source, self._strings([pair.target_words for pair in pairs])
        found = Links.of([pair.alignment or () for pair in pairs])
        links = LinkColumns(found.source, found.target, found.start)
        self._sources.append(source_text)
        self._targets.append(text)
        self._links.append(links)
        return Batch(source, target, text, links)

    def _trees(self, trees: Sequence[Tree]) -> tuple[Trees, Texts]:
        nodes: list[Tree] = []
        packed = PackedTrees.pack(trees, labels=self.labels, words=self.words, nodes=nodes)
        labels, numbers = packed.labels.ids, self._numbers
        production = []
        for node, label, word in zip(
            nodes, packed.label.tolist(), packed.word.tolist(), strict=True
        ):
            if word >= 0:
                items = (label, -1 - word)
            else:
                items = (label, *[labels[child.label] for child in node.children])
            production.append(numbers.setdefault(items, len(numbers) + 1))
        columns = np.zeros(len(nodes), NODE)
        columns["production"] = production
        columns["variable"] = -1
        for name in ("label", "parent", "end", "left", "right"):
            columns[name] = getattr(packed, name)
        words = packed.word[packed.word >= 0]
        sizes = packed.right[packed.offset[:-1]]
        return Trees(packed.offset, columns), Texts(starts(sizes), words)

    def _strings(self, sentences: Sequence[Sequence[str]]) -> Texts:
        add = self.words.add
        words = np.array([add(word) for sentence in sentences for word in sentence], np.int32)
        return Texts(starts([len(sentence) for sentence in sentences]), words)

    @property
    def has_pairs(self) -> bool:
        """Whether there were any good pairs."""
        return bool(self._links)

    def productions(self) -> Productions:
        """Return the productions by number; 0 is a variable."""
        lengths = [0, *map(len, self._numbers)]
        items = np.array([item for items in self._numbers for item in items], np.int32)
        return Productions(starts(lengths), items)

    def lexicon(self) -> Lexicon:
        """Return the probabilities of linked words in all pairs."""
        links = Links(
            np.concatenate([columns.source for columns in self._links]),
            np.concatenate([columns.target for columns in self._links]),
            _joined([columns.start for columns in self._links]),
        )
        return Lexicon.of(_text(self._sources), _text(self._targets), links)


def check_pair(pair: Pair, *, to_trees: bool) -> None:
    """Raise a `DataError` if rules cannot be extracted from a pair."""
    if pair.alignment is None:
        raise DataError("the pair has no word alignment; align it first", where=pair.id)
    trees = [pair.source, pair.target_tree] if to_trees else [pair.source]
    if any(node.is_frontier for tree in trees for node in tree.nodes()):
        raise DataError("a node has neither children nor a word; parse it again", where=pair.id)
    sizes = len(pair.source.words()), len(pair.target_words)
    check_alignment(pair.alignment, *sizes, where=pair.id)


def _joined(parts: Sequence[Longs]) -> Longs:
    """Return where things start when lists of them are put side by side."""
    return starts(np.concatenate([np.diff(start) for start in parts]))


def _text(texts: Sequence[Texts]) -> Sentences:
    words = np.concatenate([text.words for text in texts])
    return Sentences(words, _joined([text.start for text in texts]))
