"""Forced decoding: derivations of given translations, and the links they improve."""

from treewright.translation.forcing.decoder import (
    RELAXATIONS,
    Forced,
    ForcedDecoder,
    Forcing,
    SpanStep,
)
from treewright.translation.forcing.spans import (
    Refined,
    Refinement,
    RefinementReport,
    Vote,
    derivations,
    refine_alignment,
    refine_links,
    sampled,
)

__all__ = [
    "RELAXATIONS",
    "Forced",
    "ForcedDecoder",
    "Forcing",
    "Refined",
    "Refinement",
    "RefinementReport",
    "SpanStep",
    "Vote",
    "derivations",
    "refine_alignment",
    "refine_links",
    "sampled",
]
