import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from treewright.compression import Limit, Rewriter, Rewriting
from treewright.corpora import count_words
from treewright.errors import DataError, ParseError, Problems, UsageError
from treewright.forest import derivation_count, kbest
from treewright.grammar import FlatUnseen, Grammar, parse_rule
from treewright.pruning import Model, Pruner, StepPruning
from treewright.pruning.encoded import EncodedPruning
from treewright.transduction import Target
from treewright.transduction.probable import log_probability
from treewright.trees import Tree, parse_tree

from ..parsing.embedded.toys import TREES
from ..pruning.encoded.test_shares import biased, with_shares
from ..pruning.encoded.toys import model_of
from .toys import (
    LONG,
    MIDDLE,
    SHORT,
    STRANGE,
    allowed,
    closed,
    open_model,
    sample_model,
    sample_sources,
)

FREE = Limit()


def run(
    model: Model,
    sources: Iterable[Tree | DataError],
    limit: Limit = FREE,
    *,
    nbest: int = 1,
) -> tuple[list[Rewriting], list[str]]:
    """Return the rewritings and what went wrong."""
    problems = Problems()
    rewriter = Rewriter(model=model, limit=limit, nbest=nbest)
    return list(rewriter(sources, problems=problems)), [str(error) for error in problems.errors]


def everything(model: Model, source: Tree) -> list[Target]:
    """Every rewriting of a tree, best first, out of all its derivations."""
    forest = Pruner(model.grammar, model.unseen).forest(source)
    different: dict[Tree, Target] = {}
    for score, derivation in kbest(forest.forest, forest.weights):
        target = forest.target(derivation, score=score)
        assert target is not None
        different.setdefault(target.tree, target)
    return list(different.values())


def sentences(rewritings: Iterable[Rewriting]) -> list[str | None]:
    return [r.best and " ".join(r.best.tree.words()) for r in rewritings]


def score(rewriting: Rewriting) -> float:
    assert rewriting.best is not None
    return rewriting.best.score


def words(rewritings: Iterable[Rewriting]) -> int:
    return sum(count_words(r.best.tree) for r in rewritings if r.best is not None)


def test_free_rewriting_takes_the_best() -> None:
    rewritings, problems = run(closed(), [SHORT, LONG])
    assert sentences(rewritings) == ["the dog barks", "the dog barks ."]
    assert [r.source for r in rewritings] == [SHORT, LONG]
    assert problems == []
    for rewriting, source in zip(rewritings, (SHORT, LONG), strict=True):
        assert score(rewriting) == everything(closed(), source)[0].score
        assert rewriting.met


@pytest.mark.parametrize("cap", range(1, 7))
def test_a_cap_takes_the_best_within_it(cap: int) -> None:
    [rewriting], _ = run(closed(), [LONG], Limit(max_words=cap, per="sentence"))
    possible = everything(closed(), LONG)
    shortest = min(count_words(target.tree) for target in possible)
    expected = [t for t in possible if count_words(t.tree) <= max(cap, shortest)]
    assert score(rewriting) == pytest.approx(expected[0].score)
    assert words([rewriting]) <= max(cap, shortest)
    assert rewriting.met == (cap >= shortest)


@pytest.mark.parametrize("cap", range(1, 7))
@pytest.mark.parametrize("nbest", [2, 3, 100])
def test_nbest_under_a_cap_is_the_sorted_list_within_it(cap: int, nbest: int) -> None:
    [rewriting], _ = run(closed(), [LONG], Limit(max_words=cap, per="sentence"), nbest=nbest)
    [single], _ = run(closed(), [LONG], Limit(max_words=cap, per="sentence"))
    possible = everything(closed(), LONG)
    shortest = min(count_words(target.tree) for target in possible)
    within = [t for t in possible if count_words(t.tree) <= max(cap, shortest)]
    found = [target.score for target in rewriting.targets]
    assert found == pytest.approx([target.score for target in within[:nbest]])
    trees = [target.tree for target in rewriting.targets]
    assert len(set(trees)) == len(trees)
    if nbest == 100:
        assert set(trees) == {target.tree for target in within}
    assert score(rewriting) == pytest.approx(score(single))
    assert rewriting.met == single.met


@pytest.mark.parametrize("limit", [None, 4, 5, 6, 7, 9])
def test_rewritings_with_many_derivations_each_are_told_apart(limit: int | None) -> None:
    text = (
        "(ROOT (S (PP (IN On) (NP (NNP Friday))) (, ,) (NP (DT the) (JJ old) (NN town))"
        " (VP (VBD approved) (NP (DT the) (JJ new) (NN limit))) (. .)))"
    )
    source, model = parse_tree(text), sample_model()
    forest = Pruner(model.grammar, model.unseen).forest(source)
    assert derivation_count(forest.forest) > 50 * len(everything(model, source))
    within = [t for t in everything(model, source) if limit is None or count_words(t.tree) <= limit]
    for number in (1, 2, 5, 1000):
        found = forest.nbest(number, limit=limit)
        expected = [target.score for target in within[:number]]
        assert [target.score for target in found] == pytest.approx(expected)
        assert len({target.tree for target in found}) == len(found)


def test_free_nbest_is_the_sorted_list() -> None:
    [rewriting], _ = run(closed(), [LONG], nbest=4)
    assert [t.tree for t in rewriting.targets] == [t.tree for t in everything(closed(), LONG)[:4]]
    assert len(rewriting.targets) == 4


def test_a_rate_is_a_cap_on_each_sentence() -> None:
    rewritings, _ = run(closed(), [SHORT, LONG, MIDDLE], Limit(rate=0.67, per="sentence"))
    caps = [allowed(0.67, n) for n in (3, 5, 4)]
    for rewriting, cap in zip(rewritings, caps, strict=True):
        assert rewriting.met
        assert words([rewriting]) <= cap
    assert sentences(rewritings) == ["dog barks", "the dog barks .", "dog barks"]


def test_a_budget_that_cannot_be_met_gives_the_shortest_and_says_so() -> None:
    [rewriting], problems = run(closed(), [LONG], Limit(rate=0.01, per="sentence"))
    assert (sentences([rewriting]), rewriting.met, problems) == (["the dog barks ."], False, [])
    rewritings, _ = run(closed(), [LONG, SHORT], Limit(rate=0.1))
    assert [r.met for r in rewritings] == [False, False]
    assert words(rewritings) == 5


def best_sharing(model: Model, sources: Sequence[Tree], total: int) -> tuple[int, float]:
    """Try everything: the largest sum of words within `total`, and the best score that has it."""
    columns = [
        [(count_words(target.tree), target.score) for target in everything(model, source)]
        for source in sources
    ]
    sums = [
        (sum(count for count, _ in row), sum(value for _, value in row))
        for row in itertools.product(*columns)
    ]
    reached = max(count for count, _ in sums if count <= total)
    return reached, max(value for count, value in sums if count == reached)


@pytest.mark.parametrize("rate", [0.6, 0.63, 0.7, 0.8, 0.9, 1.0])
@pytest.mark.parametrize("make", [closed, open_model])
def test_a_corpus_rate_is_the_best_of_all_sharings(make: Callable[[], Model], rate: float) -> None:
    sources = [SHORT, LONG, MIDDLE]
    rewritings, _ = run(make(), sources, Limit(rate=rate))
    total = allowed(rate, sum(map(count_words, sources)))
    reached, best = best_sharing(make(), sources, total)
    assert words(rewritings) == reached <= total
    assert sum(map(score, rewritings)) == pytest.approx(best)
    assert all(r.met for r in rewritings)


@pytest.mark.parametrize("limit", [FREE, Limit(rate=0.6), Limit(max_words=3, per="sentence")])
def test_bad_items_stay_in_place(limit: Limit) -> None:
    bad = ParseError("broken", where="f:2:1")
    rewritings, problems = run(closed(), [SHORT, bad, STRANGE, LONG], limit)
    assert [r.source for r in rewritings] == [SHORT, None, STRANGE, LONG]
    assert [bool(r.targets) for r in rewritings] == [True, False, False, True]
    assert problems == [
        "f:2:1: broken",
        "tree 3: the grammar derives no target tree from a source rooted in S",
    ]
    with pytest.raises(ParseError, match="broken"):
        list(Rewriter(model=closed(), limit=limit)([SHORT, bad]))


def test_trees_that_cannot_be_rewritten_have_no_part_in_the_budget() -> None:
    alone, _ = run(closed(), [SHORT, LONG], Limit(rate=0.7))
    among, _ = run(closed(), [STRANGE, SHORT, STRANGE, LONG], Limit(rate=0.7))
    assert sentences(among)[1::2] == sentences(alone)


def test_what_the_grammar_never_saw_is_copied_and_counted() -> None:
    rewritings, problems = run(open_model(), [STRANGE, SHORT])
    assert sentences(rewritings) == ["the cat barks", "the dog barks"]
    assert [r.best and r.best.unseen for r in rewritings] == [1, 0]
    assert problems == []


@pytest.mark.parametrize("limit", [FREE, Limit(rate=0.6), Limit(rate=0.6, per="sentence")])
def test_a_sentence_beyond_the_limit_is_refused(limit: Limit) -> None:
    huge = Tree("S", [Tree("NN", word="dog")] * 10_000)
    rewritings, problems = run(open_model(), [SHORT, huge, LONG], limit)
    assert [bool(r.targets) for r in rewritings] == [True, False, True]
    assert problems == ["tree 2: a sentence of 10000 words, the limit is 1000"]


def test_empty_input_gives_no_output() -> None:
    for limit in (FREE, Limit(rate=0.6)):
        assert run(closed(), [], limit) == ([], [])


def test_rewriting_streams() -> None:
    """Without a corpus limit, an output comes before the next input is asked for."""
    asked: list[int] = []

    def sources() -> Iterator[Tree]:
        for number in range(3):
            asked.append(number)
            yield SHORT

    stream = Rewriter(model=closed())(sources())
    next(stream)
    assert asked == [0]


def test_settings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(UsageError, match="nbest goes with a limit on each sentence"):
        Rewriter(model=closed(), limit=Limit(rate=0.5), nbest=2)
    with pytest.raises(UsageError, match="trees are limited in words, not in characters"):
        Rewriter(model=closed(), limit=Limit(max_chars=9))
    with pytest.raises(UsageError, match="nbest must be at least 1"):
        Rewriter(model=closed(), nbest=0)


def test_no_words_are_an_empty_budget() -> None:
    dots = parse_tree("(S (. .) (. .))")
    for limit in (
        FREE,
        Limit(rate=0.5, per="sentence"),
        Limit(rate=0.5),
        Limit(max_words=1, per="sentence"),
    ):
        [rewriting], problems = run(open_model(), [dots], limit)
        assert rewriting.best is not None
        assert (rewriting.met, problems) == (True, [])


@pytest.mark.parametrize("rate", [0.5, 0.61, 0.8, 1.0])
def test_the_sample_corpus_meets_its_budgets(rate: float) -> None:
    sources = sample_sources()
    total = allowed(rate, sum(map(count_words, sources)))
    shared, problems = run(sample_model(), sources, Limit(rate=rate))
    assert problems == []
    assert words(shared) == total
    capped, _ = run(sample_model(), sources, Limit(rate=rate, per="sentence"))
    for rewriting, source in zip(capped, sources, strict=True):
        assert rewriting.met == (words([rewriting]) <= allowed(rate, count_words(source)))
    for rewriting in (*shared, *capped):
        check_extractive(rewriting)


def check_extractive(rewriting: Rewriting) -> None:
    """Every word of the output is the source's word at the position it claims, in order."""
    assert rewriting.source is not None
    assert rewriting.best is not None
    source, kept = rewriting.source.words(), rewriting.best.positions
    assert rewriting.best.tree.words() == tuple(source[place] for place in kept)
    assert list(kept) == sorted(set(kept))


def test_the_same_input_gives_the_same_output() -> None:
    once, twice = (run(sample_model(), sample_sources(), Limit(rate=0.5)) for _ in "ab")
    assert sentences(once[0]) == sentences(twice[0])


@pytest.mark.parametrize("limit", [Limit(), Limit(rate=0.3, per="sentence"), Limit(rate=0.25)])
def test_a_word_is_kept_where_one_is_allowed(limit: Limit) -> None:
    # Deleting is cheaper than anything else here, and the full stop could stand alone.
    model = Model(Grammar.from_counts({}), FlatUnseen({}, {}, (-9.0, -0.1)), {}, StepPruning({}))
    source = parse_tree("(S (N rain) (V falls) (R now) (R here) (. .))")
    rewritings, problems = run(model, [source, source], limit)
    assert not problems
    for rewriting in rewritings:
        assert rewriting.met
        assert rewriting.best is not None
        assert count_words(rewriting.best.tree) == 1


@pytest.mark.parametrize("decode", ["viterbi", "mbr", "mpt"])
@pytest.mark.parametrize(
    "limit",
    [Limit(), Limit(rate=0.5, per="sentence"), Limit(max_words=3, per="sentence"), Limit(rate=0.5)],
)
def test_every_decoder_keeps_to_the_budget(decode: str, limit: Limit) -> None:
    sources = sample_sources()[:6]
    rewriter = Rewriter(model=sample_model(), limit=limit, decode=decode, samples=20)
    rewritings = list(rewriter(sources))
    for rewriting in rewritings:
        check_extractive(rewriting)
        assert rewriting.met
        assert rewriting.source is not None
        own = limit.is_given and limit.per == "sentence"
        most = limit.room_of(count_words(rewriting.source)) if own else 1000
        assert 1 <= words([rewriting]) <= most
    if limit.is_given and limit.per == "text":
        assert words(rewritings) == allowed(0.5, sum(map(count_words, sources)))
    assert sentences(rewriter(sources)) == sentences(rewritings)


def test_the_most_probable_tree_is_at_least_as_probable_as_the_best_derivation() -> None:
    sources = sample_sources()[:6]
    transducer = Pruner.of(sample_model())
    found = [
        list(Rewriter(model=sample_model(), decode=decode)(sources))
        for decode in ("viterbi", "mpt")
    ]
    for source, derived, probable in zip(sources, *found, strict=True):
        forest = transducer.forest(source)
        assert derived.best is not None
        assert probable.best is not None
        assert log_probability(forest, probable.best.positions) >= log_probability(
            forest, derived.best.positions
        )


def test_the_consensus_keeps_a_pair_that_is_likelier_than_not() -> None:
    # The best derivation keeps the adverb; most of the probability is with those that drop it.
    rules = {
        "S/S -> (S N[1] V[2] R[3]) / (S N[1] V[2] R[3])": 0.4,
        "S/S -> (S N[1] V[2] R[ε]) / (S N[1] V[2])": 0.3,
        "S/S -> (S N[1] (V falls) R[ε]) / (S N[1] (V falls))": 0.3,
        "N/N -> (N rain) / (N rain)": 1.0,
        "V/V -> (V falls) / (V falls)": 1.0,
        "R/R -> (R now) / (R now)": 1.0,
        "R/ε -> (R now) / ε": 1.0,
    }
    grammar = Grammar(
        tuple(map(parse_rule, rules)), np.log(list(rules.values())), np.ones(len(rules))
    )
    source = parse_tree("(S (N rain) (V falls) (R now))")
    kept = {
        decode: sentences(Rewriter(model=Model(grammar), decode=decode)([source]))
        for decode in ("viterbi", "mbr", "mpt")
    }
    assert kept == {
        "viterbi": ["rain falls now"],
        "mbr": ["rain falls"],
        "mpt": ["rain falls"],
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decode": "beam"}, "beam"),
        ({"decode": "mbr", "nbest": 2}, "nbest needs decode viterbi, not mbr"),
        ({"decode": "mpt", "samples": 0}, "samples must be at least 1, found 0"),
    ],
)
def test_decoders_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Rewriter(model=closed(), **options)


def test_a_shared_limit_is_weighed_for_the_share_that_may_stay() -> None:
    network = with_shares()
    model, expected = (
        model_of(pruning) for pruning in (EncodedPruning(network), biased(network, (0.0, 1.0, 0.0)))
    )
    sources = [*TREES, *TREES, *TREES, *TREES]
    limit = Limit(rate=0.5)
    assert limit.share_of(sum(map(count_words, sources))) == 0.5
    assert sentences(run(model, sources, limit)[0]) == sentences(run(expected, sources, limit)[0])
    rows = list(
        Rewriter(model=model).at_limits(
            sources, [Limit(rate=0.25), limit, Limit(rate=0.5)], problems=Problems()
        )
    )
    assert [row[1].tree for row in rows] == [row[2].tree for row in rows]
    assert [row[1].tree for row in rows] == [r.tree for r in run(model, sources, limit)[0]]
    tight = biased(network, (1.0, 0.0, 0.0))
    assert [row[0].tree for row in rows] == [
        r.tree for r in run(model_of(tight), sources, Limit(rate=0.25))[0]
    ]


def test_a_limit_of_its_own_is_weighed_for_the_share_of_each_sentence() -> None:
    network = with_shares()
    model = model_of(EncodedPruning(network))
    for tree in TREES:
        words = count_words(tree)
        limit = Limit(max_words=max(1, words // 2), per="sentence")
        share = limit.share_of(words)
        fixed = model_of(EncodedPruning(network.at(share)))
        [found], [expected] = run(model, [tree], limit)[0], run(fixed, [tree], limit)[0]
        assert found.tree == expected.tree
