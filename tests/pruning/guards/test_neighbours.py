"""Tokens that cannot become neighbours."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import Pruner
from treewright.pruning.acceptance import join_neighbours
from treewright.pruning.guards import impossible_neighbours
from treewright.trees import Tree, TreeTable

from ...grammar.strategies import quick
from ..encoded.toys import model_of, random_pruning


def flat(tagged: str) -> TreeTable:
    """A sentence of `word/TAG`, without any phrases."""
    pairs = [token.rsplit("/", 1) for token in tagged.split()]
    return TreeTable(Tree("S", [Tree(tag, word=word) for word, tag in pairs]))


def refused(tagged: str) -> set[tuple[str, str]]:
    """The words that may not become neighbours; an end is empty."""
    table = flat(tagged)
    words = ["", *table.words, ""]
    return {(words[i], words[j]) for i, j in np.argwhere(impossible_neighbours(table)).tolist()}


@pytest.mark.parametrize(
    ("sentence", "pair"),
    [
        ("the/DT dog/NN of/IN Ann/NNP barks/VBZ ./.", ("the", "of")),
        ("the/DT dog/NN of/IN Ann/NNP barks/VBZ ./.", ("the", "barks")),
        ("a/DT dog/NN barks/VBZ ./.", ("a", ".")),
        ("their/PRP$ dog/NN and/CC cat/NN ./.", ("their", "and")),
        ("bread/NN and/CC wine/NN ./.", ("and", ".")),
        ("bread/NN and/CC wine/NN", ("and", "")),
        ("he/PRP came/VBD in/IN June/NNP ,/, they/PRP say/VBP ./.", ("in", ",")),
        ("he/PRP came/VBD in/IN June/NNP in/IN rain/NN ./.", ("in", "in")),
        ("it/PRP rained/VBD ,/, so/RB we/PRP left/VBD ./.", ("so", ".")),
        ("he/PRP wants/VBZ to/TO go/VB home/NN ./.", ("to", "home")),
        ("he/PRP may/MD go/VB ./.", ("may", ".")),
        ("hands/NNS that/WDT are/VBP clean/JJ ./.", ("that", ".")),
        ("What/WP counts/VBZ is/VBZ rain/NN ./.", ("", "is")),
        ("rain/NN ,/, which/WDT fell/VBD ,/, stopped/VBD ./.", ("", "which")),
        ("rain/NN ,/, which/WDT fell/VBD ,/, stopped/VBD ./.", ("rain", "which")),
        ("it/PRP is/VBZ the/DT same/JJ bus/NN ./.", ("is", "same")),
        ("he/PRP took/VBD the/DT largest/JJS box/NN ./.", ("took", "largest")),
        ("than/IN the/DT previous/JJ two/CD ./.", ("than", "previous")),
        ("close/VB the/DT Elm/NNP Street/NNP bridge/NN ./.", ("the", "Street")),
        ("see/VB annex/NN B/NN ./.", ("see", "B")),
        ("he/PRP said/VBD ``/`` it/PRP rained/VBD ''/'' ./.", ("said", "it")),
        ("he/PRP said/VBD ``/`` it/PRP rained/VBD ''/'' ./.", ("rained", ".")),
        ("one/CD of/IN the/DT king/NN 's/POS sons/NNS left/VBD ./.", ("of", "sons")),
        ("Had/VBD it/PRP been/VBN shut/VBN ,/, all/DT were/VBD safe/JJ ./.", ("it", ",")),
        ("Had/VBD it/PRP been/VBN shut/VBN ,/, all/DT were/VBD safe/JJ ./.", ("it", "all")),
        ("Not/RB only/RB did/VBD it/PRP rain/VB but/CC it/PRP snowed/VBD ./.", ("rain", ".")),
        ("It/PRP seems/VBZ likely/JJ that/IN he/PRP left/VBD ./.", ("likely", ".")),
        (
            "``/`` If/IN it/PRP rains/VBZ ,/, ''/'' he/PRP said/VBD ,/, ``/`` we/PRP stay/VBP ./. "
            "''/''",
            ("said", ""),
        ),
    ],
)
def test_what_no_sentence_has(sentence: str, pair: tuple[str, str]) -> None:
    assert pair in refused(sentence)


@pytest.mark.parametrize(
    ("sentence", "pair"),
    [
        ("he/PRP saw/VBD the/DT other/JJ houses/NNS ./.", ("saw", "other")),
        ("they/PRP met/VBD the/DT last/JJ week/NN ./.", ("met", "last")),
        ("the/DT old/JJ Elm/NNP Street/NNP ./.", ("the", "Elm")),
        ("he/PRP left/VBD because/IN I/PRP stayed/VBD ./.", ("left", "I")),
        ("he/PRP said/VBD ``/`` it/PRP rained/VBD ''/'' ./.", ("``", "rained")),
        ("the/DT city/NN of/IN the/DT kings/NNS ./.", ("of", "kings")),
        ("Had/VBD it/PRP been/VBN shut/VBN ,/, all/DT were/VBD safe/JJ ./.", ("been", ",")),
        ("Had/VBD he/PRP ever/RB been/VBN there/RB ,/, or/CC not/RB ?/.", ("he", ",")),
        ("Not/RB only/RB did/VBD it/PRP rain/VB but/CC it/PRP snowed/VBD ./.", ("snowed", ".")),
        ("It/PRP seems/VBZ likely/JJ that/IN he/PRP left/VBD ./.", ("likely", "he")),
        ("He/PRP seems/VBZ sure/JJ that/IN they/PRP left/VBD ./.", ("sure", ".")),
        ("the/DT very/RB old/JJ dog/NN barks/VBZ ./.", ("the", "dog")),
        ("the/DT very/RB old/JJ dog/NN barks/VBZ ./.", ("dog", ".")),
        ("bread/NN and/CC red/JJ wine/NN ./.", ("and", "wine")),
        ("he/PRP wants/VBZ to/TO really/RB go/VB ./.", ("to", "go")),
        ("he/PRP wants/VBZ to/TO go/VB home/NN ./.", ("go", ".")),
        ("the/DT man/NN I/PRP spoke/VBD to/TO ,/, who/WP left/VBD ./.", ("to", ".")),
        ("Is/VBZ it/PRP true/JJ that/IN he/PRP is/VBZ ill/JJ ?/.", ("", "is")),
        ("this/DT ,/, he/PRP said/VBD ,/, is/VBZ it/PRP ./.", ("this", "is")),
        ("rain/NN ,/, again/RB ,/, which/WDT fell/VBD ./.", (",", "which")),
        ("rain/NN from/IN France/NNP which/WDT fell/VBD ./.", ("rain", "which")),
        ("when/WRB it/PRP rains/VBZ ,/, it/PRP pours/VBZ ./.", ("", "it")),
    ],
)
def test_what_some_sentence_has(sentence: str, pair: tuple[str, str]) -> None:
    assert pair not in refused(sentence)


@quick
@given(
    st.lists(
        st.sampled_from(["the/DT", "dog/NN", "and/CC", "of/IN", "to/TO", "go/VB", ",/,", "is/VBZ"]),
        min_size=1,
        max_size=9,
    )
)
def test_what_the_source_has_is_possible(tokens: list[str]) -> None:
    impossible = impossible_neighbours(flat(" ".join(tokens)))
    assert not np.tril(impossible, 1).any()


@pytest.mark.parametrize("seed", range(6))
def test_a_forest_without_them_has_all_other_versions(seed: int) -> None:
    """By enumeration: what two impossible neighbours need goes, and nothing else."""
    random = np.random.default_rng(seed)
    table = TreeTable(
        Tree(
            "S",
            [
                Tree("NP", [Tree("N", word=w) for w in "ab"]),
                Tree("VP", [Tree("N", word="c"), Tree("NP", [Tree("N", word=w) for w in "de"])]),
            ],
        )
    )
    size = len(table.words) + 2
    impossible = np.triu(random.random((size, size)) < 0.3, 2)
    forest = Pruner.of(model_of(random_pruning(seed))).forest(table)
    whole = {t.positions: t.score for t in join_neighbours(forest).nbest(200)}
    left = {t.positions: t.score for t in join_neighbours(forest, impossible).nbest(200)}
    assert len(whole) > 10

    def allowed(kept: tuple[int, ...]) -> bool:
        ends = [0, *(place + 1 for place in kept), size - 1]
        return not any(impossible[i, j] for i, j in pairwise(ends))

    assert left.keys() == {kept for kept in whole if allowed(kept)}
    assert all(left[kept] == pytest.approx(whole[kept]) for kept in left)
    assert any(not allowed(kept) for kept in combinations(range(5), 2))
