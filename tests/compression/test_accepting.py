"""What an estimate is learned from besides verdicts: prices of grammar, and tagged text."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from treewright.compression import prices_of_grammar, tagged_sentences
from treewright.corpora import Pair
from treewright.errors import DataError
from treewright.pruning.guards import essential
from treewright.trees import Tree, TreeTable, parse_tree, prune_to

from .test_explaining_models import Known
from .toys import sample_pairs, sample_sources

DOG = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))")


def kept(tree: Tree, places: list[int]) -> Pair:
    target = prune_to(tree, places)
    assert target is not None
    return Pair("x", tree, target, tuple((place, at) for at, place in enumerate(places)))


def occasions(pairs: list[Pair]) -> tuple[Counter[str], Counter[str]]:
    """How often each need could have been denied, and was, by the tokens that stay."""
    seen: Counter[str] = Counter()
    denied: Counter[str] = Counter()
    for pair in pairs:
        table = TreeTable(pair.source)
        stays = {place for place, _ in pair.alignment or ()}
        for node, kind in essential(table).items():
            above = table.parent[node]
            if stays & set(range(table.left[above], table.right[above])):
                seen[kind] += 1
                denied[kind] += not stays & set(range(table.left[node], table.right[node]))
    return seen, denied


def test_prices_are_logs_of_shares() -> None:
    pairs = [*sample_pairs("train"), *[kept(DOG, [0, 1])] * 20, *[kept(DOG, [2, 3])] * 5]
    seen, denied = occasions(pairs)
    share = denied.total() / seen.total()
    assert 0.0 < share < 1.0
    prices = prices_of_grammar(pairs)
    assert prices[""] == pytest.approx(math.log(share))
    assert prices.keys() == {"", *[kind for kind, number in seen.items() if number >= 10]}
    assert len(prices) > 2
    for kind in prices.keys() - {""}:
        expected = (denied[kind] + 2 * share) / (seen[kind] + 2)
        assert prices[kind] == pytest.approx(math.log(expected))
        assert prices[kind] < 0.0


def test_what_is_never_denied_has_a_price_all_the_same() -> None:
    pairs = [kept(DOG, [0, 1, 2, 3])] * 30
    prices = prices_of_grammar(pairs)
    assert prices[""] == pytest.approx(math.log(1 / occasions(pairs)[0].total()))
    assert all(math.isfinite(price) for price in prices.values())


def test_needs_that_are_rare_have_the_price_of_all() -> None:
    assert list(prices_of_grammar([kept(DOG, [0, 1, 2, 3])])) == [""]


def test_pairs_without_needs_teach_nothing() -> None:
    with pytest.raises(DataError, match="no pair keeps anything that English needs"):
        prices_of_grammar([])


def test_running_text_is_tagged_by_a_parser(tmp_path: Path) -> None:
    trees = sample_sources()[:3]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(" ".join(tree.words()) for tree in trees) + "\n\n")
    found = list(tagged_sentences(path, Known()))
    assert [list(words) for words, _ in found] == [list(tree.words()) for tree in trees]
    assert [tags for _, tags in found] == [[n.label for n in t.preterminals()] for t in trees]


def test_tagged_text_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "text.jsonl"
    path.write_text('{"tokens": "The dog", "tags": "DT NN", "id": 1}\n')
    assert list(tagged_sentences(path, Known())) == [(["The", "dog"], ["DT", "NN"])]
