from __future__ import annotations

import pytest

from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.grammar import PCFG, BaseDistribution
from treewright.learning.gibbs.packing import PackedPairs
from treewright.learning.gibbs.sampler import Sampler
from treewright.randomness import generator

from .toys import PAIRS, Corpus, pair

UNLINKED_PAIR = pair("(ROOT (N a))", "(ROOT (N b))", "")
BARE = Pair("bare", PAIRS[0].source, PAIRS[0].target)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (UNLINKED_PAIR, "toy: no admissible alignment: no word of the target is linked"),
        (BARE, "bare: the pair has no word alignment; align it first"),
    ],
)
def test_a_bad_pair_is_reported_and_skipped(bad: Pair, message: str) -> None:
    problems = Problems()
    packed = PackedPairs.pack([PAIRS[0], bad, PAIRS[1]], problems=problems)
    assert [str(error)[: len(message)] for error in problems.errors] == [message]
    assert packed.pairs == PAIRS[:2]
    base = BaseDistribution(PCFG.read_off([]), PCFG.read_off([]), 0.3)
    chain = Sampler(packed, base, generator(0), alpha=1.0)
    whole = Sampler(PackedPairs.pack(PAIRS[:2]), base, generator(0), alpha=1.0)
    for sampler in (chain, whole):
        sampler.start_at_random()
        sampler.sweep(1.0)
    assert chain.to.tolist() == whole.to.tolist()
    assert chain.log_joint == whole.log_joint


def test_without_a_place_for_problems_the_first_is_raised() -> None:
    with pytest.raises(DataError, match="no admissible alignment"):
        PackedPairs.pack([PAIRS[0], UNLINKED_PAIR])


@pytest.mark.parametrize("bad", [[], [UNLINKED_PAIR], [UNLINKED_PAIR, BARE]])
def test_no_good_pair_at_all_is_an_error(bad: list[Pair]) -> None:
    with pytest.raises(DataError, match="no pair has an admissible alignment"):
        PackedPairs.pack(bad, problems=Problems())


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("NP", "expected a root pair such as NP/NP or NP/ε, found 'NP'"),
        ("ε/ε", "expected a root pair"),
        ("QP/ε", "the category 'QP' of 'QP/ε' does not occur"),
    ],
)
def test_a_process_of_no_root_pair_is_refused(root: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Corpus(PAIRS, alphas={root: 1.0}).sampler()


def test_a_single_word_is_a_corpus() -> None:
    sampler = Corpus([pair("(N a)", "(N a)", "0-0")]).sampler()
    sampler.start_at_random()
    assert sampler.sweep(1.0) == 0
    assert sampler.rules == 1
