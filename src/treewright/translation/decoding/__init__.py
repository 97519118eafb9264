"""The phrase-based decoder: options for the spans of a sentence, and the search over them."""

from treewright.translation.decoding.decoder import (
    MAX_WORDS,
    UNKNOWNS,
    Decoder,
    Found,
    Search,
    SkeletalModel,
    decode_options,
)
from treewright.translation.decoding.features import (
    COUNTED,
    CROSSING,
    DISTANCE,
    REORDERING,
    Features,
    is_skeletal,
)
from treewright.translation.decoding.options import COPIED, GIVEN, Fixed, Options, gather
from treewright.translation.decoding.skeleton import (
    CROSSINGS,
    VARIANTS,
    SkeletonUse,
    check_skeleton,
    ranks,
)

__all__ = [
    "COPIED",
    "COUNTED",
    "CROSSING",
    "CROSSINGS",
    "DISTANCE",
    "GIVEN",
    "MAX_WORDS",
    "REORDERING",
    "UNKNOWNS",
    "VARIANTS",
    "Decoder",
    "Features",
    "Fixed",
    "Found",
    "Options",
    "Search",
    "SkeletalModel",
    "SkeletonUse",
    "check_skeleton",
    "decode_options",
    "gather",
    "is_skeletal",
    "ranks",
]
