"""The hand-made sentences, what a pruning keeps, and random trees over any text."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from treewright.text import Sentence, split_sentences
from treewright.trees import Tree


def _read(name: str) -> list[dict[str, Any]]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


EXAMPLES = _read("sentences.jsonl")
"""Negations, and what is to be kept."""
CLAIMS = _read("claims.jsonl")
"""What else carries a claim; in each pair the first word stays with the second."""
LABELS = "ROOT S SBAR SQ FRAG X PRN VP NP PP ADVP ADJP QP CONJP NP-SBJ UCP INTJ"
TAGS = "RB DT NN NNP VBD VB MD IN CC CD JJ JJR UH , . `` '' -LRB- $ SYM POS"


def one_sentence(text: str) -> Sentence:
    (sentence,) = split_sentences(text)
    return sentence


@lru_cache(maxsize=1)
def parsed() -> list[tuple[dict[str, Any], Sentence, Tree]]:
    """Return the examples with their trees by the embedded parser."""
    from treewright.parsing.embedded import EmbeddedParser

    sentences = [one_sentence(example["text"]) for example in EXAMPLES]
    trees = EmbeddedParser.load().parse([sentence.penn for sentence in sentences])
    return list(zip(EXAMPLES, sentences, trees, strict=True))


class Prunings:
    """All that may be left of a tree if some nodes never go while their parent stays."""

    def __init__(self, tree: Tree, held: frozenset[int]) -> None:
        self.held = held
        self.children: list[list[int]] = []
        self.parent: list[int] = []
        self.leaves: list[int] = []
        stack = [(tree, -1)]
        while stack:
            node, parent = stack.pop()
            number = len(self.parent)
            self.parent.append(parent)
            self.children.append([])
            if parent >= 0:
                self.children[parent].append(number)
            if node.word is not None:
                self.leaves.append(number)
            stack.extend((child, number) for child in reversed(node.children))

    def forced_by(self, place: int) -> set[int]:
        """Return the places of the words that stay whenever the one at `place` does."""
        kept = set()
        node = self.leaves[place]
        while node >= 0:
            kept.add(node)
            node = self.parent[node]
        for number in range(len(self.parent)):
            if number in self.held and self.parent[number] in kept:
                kept.add(number)
        return self._places(kept)

    def draw(self, rng: Random) -> set[int]:
        """Return the places of the words that a random pruning keeps."""
        share = rng.random()
        kept = {0}
        for number, children in enumerate(self.children):
            if number not in kept or not children:
                continue
            chosen = [x for x in children if x in self.held or rng.random() < share]
            kept.update(chosen or [rng.choice(children)])
        return self._places(kept)

    def _places(self, kept: set[int]) -> set[int]:
        return {place for place, leaf in enumerate(self.leaves) if leaf in kept}


@st.composite
def trees_over(draw: st.DrawFn, words: tuple[str, ...]) -> Tree:
    """Some tree over these words, at least one: flat, deep or anything between."""
    rng = Random(draw(st.integers(0, 1 << 16)))
    pieces = [Tree(rng.choice(TAGS.split()), word=word) for word in words]
    for _ in range(rng.choice([0, 1, len(pieces), 3 * len(pieces)])):
        first = rng.randrange(len(pieces))
        last = min(len(pieces), first + rng.randint(1, 4))
        pieces[first:last] = [Tree(rng.choice(LABELS.split()), pieces[first:last])]
    return pieces[0] if len(pieces) == 1 else Tree("ROOT", pieces)
