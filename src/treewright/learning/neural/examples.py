"""Examples for the network: what it looks at in each source, and the tokens that a target keeps;
and the corpora that they come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treewright.alignment import align_pairs, reparse
from treewright.arrays import Ints
from treewright.corpora import Pair, read_pairs, read_records
from treewright.errors import Problems
from treewright.learning.learner import Fingerprint
from treewright.parsing import Parser
from treewright.progress import SILENT, Progress
from treewright.pruning import Gaps
from treewright.pruning.chains import Chain
from treewright.pruning.encoded import END, SPECIAL, START, Places, number_labels
from treewright.trees import Tree, TreeArrays, TreeTable


@dataclass(frozen=True, eq=False)
class View:
    """What the network looks at in a tree, and its prunings."""

    places: Places
    chain: Chain


@dataclass(frozen=True, eq=False)
class Source:
    """A tree to prune, with the place of each node's head word and the number of its label.

    What follows from these is found anew in every epoch: it takes twenty times the memory.
    """

    words: tuple[str, ...]
    tree: TreeArrays
    heads: Ints
    labels: Ints

    def __len__(self) -> int:
        return len(self.words)

    def token_labels(self) -> Ints:
        """Return the numbers of the labels of tokens, between those of both ends."""
        leaves = self.labels[self.tree.end == np.arange(1, len(self.tree.end) + 1)]
        return np.concatenate([[START], leaves, [END]], dtype=np.int32)

    def view(self) -> View:
        """Look at the tree."""
        gaps = Gaps.of(self.tree.end)
        places = Places.look(self.tree, self.heads, self.labels, gaps)
        return View(places, Chain(self.tree, gaps))


@dataclass(frozen=True, eq=False)
class Example:
    """A target of a source: the tokens that it keeps, and its style."""

    source: Source
    style: int
    kept: Ints
    opinion: NDArray[np.float16] | None = None
    """How probable a teacher finds it, in this style, that two tokens become neighbours: all the
    pairs of the sentence, row by row. To leave out the improbable ones would favour what is kept,
    because the chance that a token goes is spread over many pairs."""

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, eq=False)
class NeuralData:
    """What every run needs, prepared once.

    Everyone who shortens a text has a style: each `style` is a corpus or an annotator, and one
    network learns them all.
    """

    labels: tuple[str, ...]
    styles: tuple[str, ...]
    examples: Sequence[Example]
    fingerprint: str

    def number_styles(self, styles: Collection[str]) -> list[int]:
        """Return the numbers of styles."""
        return [self.styles.index(style) for style in styles]

    def only(self, styles: Collection[str]) -> NeuralData:
        """Return the examples of some styles; numbers are unchanged."""
        wanted = set(self.number_styles(styles))
        chosen = [example for example in self.examples if example.style in wanted]
        return replace(self, examples=chosen)

    def first(self, most: int) -> NeuralData:
        """Return at most that many examples of each style, the first ones."""
        seen: Counter[int] = Counter()
        chosen = []
        for example in self.examples:
            seen[example.style] += 1
            if seen[example.style] <= most:
                chosen.append(example)
        return replace(self, examples=chosen)


def prepare(pairs: Iterable[tuple[Pair, str]], *, progress: Progress = SILENT) -> NeuralData:
    """Look at aligned pairs, each with its style, one by one."""
    styles: dict[str, int] = {}
    builder = _Builder()
    found = Fingerprint()
    examples = []
    for pair, style in progress.track(pairs, "looking at trees"):
        kept = np.unique([i for i, _ in pair.alignment or ()]).astype(np.int32)
        number = styles.setdefault(style, len(styles))
        examples.append(Example(builder.source(pair.source), number, kept))
        found.add(pair)
    return NeuralData(tuple(builder.labels), tuple(styles), examples, str(found))


class _Builder:
    """Makes sources; several targets share one source, and all sources the same words.

    Labels are numbered as they are met.
    """

    def __init__(self) -> None:
        self.labels = {label: number for number, label in enumerate(SPECIAL)}
        self._words: dict[str, str] = {}
        self._last: tuple[Tree, Source] | None = None

    def source(self, tree: Tree) -> Source:
        """Return the source of a tree."""
        if self._last is None or self._last[0] is not tree:
            table = TreeTable(tree)
            words = tuple([self._words.setdefault(word, word) for word in table.words])
            heads = np.array(table.heads, dtype=np.int32)
            for node in table.nodes:
                self.labels.setdefault(node.label, len(self.labels))
            labels = number_labels(table, self.labels)
            self._last = (tree, Source(words, table.arrays, heads, labels))
        return self._last[1]


def styled_pairs(
    path: str | Path,
    name: str,
    *,
    parser: Parser | None = None,
    target: int | None = None,
    problems: Problems | None = None,
) -> Iterator[tuple[Pair, str]]:
    """Yield the aligned pairs of a corpus, each with its style.

    Each of several targets is a style, `name#0`, `name#1`, …; with one `target`, the style is just
    the name. Without a parser, the corpus's own trees are used.
    """
    styles: dict[str, str] = {}

    def read() -> Iterator[Pair]:
        if target is not None:
            yield from read_pairs(path, target=target, problems=problems)
            return
        for record in read_records(path, problems=problems):
            for number, pair in enumerate(record.pairs()):
                if len(record.targets) > 1:
                    styles[pair.id] = f"{name}#{number}"
                yield pair

    pairs = align_pairs(read(), problems)
    if parser is not None:
        pairs = reparse(pairs, parser, problems=problems)
    for pair in pairs:
        yield pair, styles.get(pair.id, name)
