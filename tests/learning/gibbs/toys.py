"""Tiny corpora, one for each shape that a pair can take, and samplers for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.corpora import Pair
from treewright.grammar import PCFG, BaseDistribution
from treewright.learning.gibbs.packing import PackedPairs
from treewright.learning.gibbs.sampler import Sampler
from treewright.randomness import generator
from treewright.trees import parse_tree

from ...compression.toys import sample_pairs
from ..toys import PAIRS

__all__ = ["PAIRS", "SHAPES", "Corpus", "pair", "sample_pairs"]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Pairs and the settings of a model of them."""

    pairs: Sequence[Pair]
    insertions: bool = False
    alpha: float = 1.0
    alphas: dict[str, float] = field(default_factory=dict)
    base: dict[str, Any] = field(default_factory=dict)

    def base_distribution(self) -> BaseDistribution:
        return BaseDistribution(
            PCFG.read_off(pair.source for pair in self.pairs),
            PCFG.read_off(pair.target for pair in self.pairs),
            **{"beta": 0.3, **self.base},
        )

    def sampler(self, seed: int = 0) -> Sampler:
        packed = PackedPairs.pack(self.pairs, insertions=self.insertions)
        base = self.base_distribution()
        return Sampler(packed, base, generator(seed), alpha=self.alpha, alphas=self.alphas)


def pair(source: str, target: str, links: str) -> Pair:
    alignment = tuple(tuple(map(int, link.split("-"))) for link in links.split())
    return Pair("toy", parse_tree(source), parse_tree(target), alignment)


DELETIONS = pair("(ROOT (S (PP (IN x) (NP (N y))) (V a)))", "(ROOT (S (V a)))", "2-0")
LADDER = pair("(ROOT (NP (NP (NP (N a) (D x)) (D x)) (D x)))", "(ROOT (NP (N a)))", "0-0")
INSERTIONS = pair("(ROOT (S (N a) (D x)))", "(ROOT (S (D (D (X the))) (N a)))", "0-1")

SHAPES = {
    "chain": Corpus([pair("(ROOT (S (VP (V a))))", "(ROOT (S (VP (V a))))", "0-0")]),
    "deletions": Corpus([DELETIONS]),
    "deletions, links to ε on the source side alone": Corpus(
        [DELETIONS], base={"insertions": False}
    ),
    "deletions, processes and categories of their own": Corpus(
        [DELETIONS],
        alphas={"PP/ε": 0.2, "V/V": 5.0, "ROOT/ROOT": 3.0},
        base={"betas": {"S": 0.7, "N": 0.1}, "beta_at_root": True},
    ),
    "three source nodes on one target node": Corpus(
        [pair("(ROOT (S (NP (NP (N a)) (D b)) (V c)))", "(ROOT (S (N a) (V c)))", "0-0 2-1")]
    ),
    "other labels": Corpus(
        [pair("(ROOT (S (NP (PRP it)) (V c)))", "(ROOT (VP (NN it) (X (V c))))", "0-0 1-1")]
    ),
    "insertions": Corpus([INSERTIONS], insertions=True),
    "insertions that β at the root makes dearer": Corpus(
        [INSERTIONS], insertions=True, base={"beta_at_root": True, "betas": {"D": 0.6}}
    ),
    "unlinked target words without insertions": Corpus([INSERTIONS]),
    "crossing links": Corpus(
        [
            pair("(ROOT (N a) (N b) (N c))", "(ROOT (N c) (N a) (N b))", "0-1 1-2 2-0"),
            pair("(ROOT (N a) (N b) (N c))", "(ROOT (N a) (N b) (N c))", "0-0 1-1 2-2"),
        ]
    ),
    "crossing links with all the rest": Corpus(
        [
            pair(
                "(ROOT (NP (N a)) (D x) (NP (N b)))",
                "(ROOT (NP (N b)) (NP (N a) (D y)))",
                "0-1 2-0",
            )
        ],
        insertions=True,
    ),
    "phrases linked as a whole": Corpus(
        [
            pair(
                "(ROOT (NP (D a) (N b)) (VP (V c) (R d)))",
                "(ROOT (NP (N b)) (VP (X (V c) (V d))))",
                "0-0 1-0 2-1 2-2 3-1",
            )
        ]
    ),
    "a chain of one rule, copied": Corpus(
        [pair("(ROOT (NP (NP (NP (N a)))))", "(ROOT (NP (NP (NP (N a)))))", "0-0")], alpha=0.3
    ),
    "a chain of one rule, deleted": Corpus(
        [pair("(ROOT (V a) (X (X (X (X (X b))))))", "(ROOT (V a))", "0-0")], alpha=0.3
    ),
    "a chain of one rule, all on one target node": Corpus([LADDER], alpha=0.3),
    "two pairs that share rules": Corpus(
        [
            pair("(ROOT (N a) (R x))", "(ROOT (N a))", "0-0"),
            pair("(ROOT (S (N a)) (R x))", "(ROOT (N a))", "0-0"),
        ],
    ),
}
