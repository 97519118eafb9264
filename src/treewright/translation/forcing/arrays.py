"""The records that the kernels of forced decoding work on."""

from __future__ import annotations

from treewright.compiling import records

FREE = -1
BLOCK = records(
    [
        # A source span and a target span, ends excluded; the phrase pair there, its score, and the
        # geometric mean of its probabilities in both directions, 0 if it was seen only here.
        ("i1", "i4"),
        ("i2", "i4"),
        ("j1", "i4"),
        ("j2", "i4"),
        ("row", "i4"),
        ("score", "f8"),
        ("confidence", "f8"),
    ]
)
STATE = records(
    [
        # Target words spelled; the first source word to cover, those covered from there on, how
        # many in all; where the last phrase ended.
        ("position", "i4"),
        ("gap", "i4"),
        ("mask", "i8"),
        ("covered", "i4"),
        ("end", "i4"),
        # The best score, the least upper bound of what can follow, and the step that led here.
        ("score", "f8"),
        ("left", "f8"),
        ("back", "i4"),
        ("block", "i4"),
        ("next", "i4"),
    ]
)
