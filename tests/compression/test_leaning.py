"""Sentences that say nothing without the one before them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from treewright.compression import Compressor, Limit
from treewright.compression.fitting import fit

from .test_fitting import curves_of_words, rows


@given(curves_of_words.filter(lambda curves: len(curves) > 1), st.data())
def test_no_sentence_stays_without_the_one_it_leans_on(
    curves: list[list[float]], data: st.DataObject
) -> None:
    text, plain = rows(curves, has_whole=False)
    flags = st.lists(st.booleans(), min_size=len(curves), max_size=len(curves))
    candidates = [
        replace(row, may_go=may_go, leans=leans)
        for row, may_go, leans in zip(plain, data.draw(flags), data.draw(flags), strict=True)
    ]
    most = data.draw(st.integers(1, 12))
    result = fit(text, candidates, Limit(max_words=most), drop_sentences=True)
    for part, behind, row in zip(
        result.sentences, result.sentences[1:], candidates[1:], strict=False
    ):
        assert not (part.dropped and not behind.dropped and row.leans)
    if not result.met:
        # Then nothing that keeps each sentence, or lets those go that nothing leans on, fits.
        costs = [[n for n, x in enumerate(curve, 1) if x > float("-inf")] for curve in curves]
        assert all(sum(choice) > most for choice in product(*costs))


def test_of_a_paragraph_what_a_pronoun_refers_to_stays() -> None:
    text = (
        "The bakery on Hill Street burned down. Nobody was hurt. "
        "It had been in the family for ninety years."
    )
    for words in range(5, 18):
        found = Compressor.load("news").compress(text, max_words=words)
        first, _, third = found.sentences
        assert third.dropped or not first.dropped or not found.text
