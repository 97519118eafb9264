"""Slots of cells, against a dictionary of pairs of words."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment.statistical import numbering
from treewright.alignment.statistical.numbering import Text, join, slots_of

SENTENCES = st.lists(st.sampled_from("abcdef"), max_size=5)
TEXTS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=6)


@given(TEXTS, st.integers(1, 40))
def test_slots_are_those_of_pairs_of_words(
    pairs: list[tuple[list[str], list[str]]], part: int
) -> None:
    cells = [(s, t) for source, target in pairs for s in source for t in target]
    often = Counter(cells)
    shared = [cell for cell in dict.fromkeys(cells) if often[cell] > 1]
    alone = [cell for cell in dict.fromkeys(cells) if often[cell] == 1]
    number = {cell: k for k, cell in enumerate(shared + alone)}
    text = Text.of(pairs, lowercase=False)
    bitext = join(text)
    assert bitext.cell.tolist() == [number[cell] for cell in cells]
    assert (bitext.slots, bitext.shared) == (len(number), len(shared))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "_PART", part)
        found = [
            (int(slot), text.source_words.words[s], text.target_words.words[t])
            for slots in slots_of(bitext)
            for slot, (s, t) in zip(slots.number, slots.words.tolist(), strict=True)
        ]
    assert found == [(number[cell], *cell) for cell in dict.fromkeys(cells)]
