"""Random corpora: reworked trees with links missing and added, and settings of the model."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from treewright.corpora import Pair

from ...grammar.strategies import extractive_pairs, pairs
from .toys import Corpus


@st.composite
def corpora(draw: Any) -> Corpus:
    """Up to three pairs whose roots may be aligned, insertions or not, processes of their own."""
    whole = extractive_pairs() | pairs().filter(_keeps_a_link)
    found: list[Pair] = draw(st.lists(whole, min_size=1, max_size=3))
    insertions = draw(st.booleans())
    labels = {node.label for pair in found for node in pair.source.nodes()}
    own = st.dictionaries(st.sampled_from(sorted(labels)), st.sampled_from([0.1, 0.6]), max_size=2)
    betas = draw(own)
    return Corpus(
        found,
        insertions=insertions,
        alpha=draw(st.sampled_from([0.1, 1.0, 30.0])),
        alphas={f"{label}/ε": 2.5 for label in betas},
        base={
            "betas": betas,
            "beta_at_root": draw(st.booleans()),
            "insertions": insertions or draw(st.booleans()),
        },
    )


def _keeps_a_link(pair: Pair) -> bool:
    return bool(pair.alignment)


seeds = st.integers(0, 2**32 - 1)
temperatures = st.sampled_from([0.0, 0.3, 1.0, 2.0, 5.0])
