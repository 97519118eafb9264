"""The phrase-based decoder: options for the spans of a sentence, and the search over them."""

from treewright.translation.decoding.decoder import (
    MAX_WORDS,
    UNKNOWNS,
    Decoder,
    Found,
    Search,
    decode_options,
)
from treewright.translation.decoding.features import COUNTED, DISTANCE, REORDERING, Features
from treewright.translation.decoding.options import COPIED, GIVEN, Fixed, Options, gather

__all__ = [
    "COPIED",
    "COUNTED",
    "DISTANCE",
    "GIVEN",
    "MAX_WORDS",
    "REORDERING",
    "UNKNOWNS",
    "Decoder",
    "Features",
    "Fixed",
    "Found",
    "Options",
    "Search",
    "decode_options",
    "gather",
]
