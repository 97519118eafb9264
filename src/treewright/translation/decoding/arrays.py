"""The records that the kernels of the search work on."""

from __future__ import annotations

from treewright.compiling import records

NODE = records(
    [
        # What is covered, the span translated last, how it may be followed (a class of options).
        ("gap", "i8"),
        ("mask", "i8"),
        ("start", "i4"),
        ("end", "i4"),
        ("behind", "i4"),
        # The same for the skeleton, in its own positions; and what else its parts must remember.
        ("bone_start", "i4"),
        ("bone_end", "i4"),
        ("bone_behind", "i4"),
        ("marks", "i4"),
        # The best score of a derivation, and with what is estimated for the rest.
        ("score", "f8"),
        ("total", "f8"),
    ]
)
EDGE = records([("head", "i4"), ("tail", "i4"), ("option", "i4")])
GROUP = records(
    [("gap", "i8"), ("mask", "i8"), ("end", "i4"), ("first", "i4"), ("last", "i4")],
)
GRID = records(
    [
        ("gap", "i8"),
        ("mask", "i8"),
        ("future", "f8"),
        ("distortion", "f8"),
        ("group", "i4"),
        ("start", "i4"),
        ("end", "i4"),
    ]
)
CELL = records(
    [
        ("grid", "i4"),
        ("rank", "i4"),
        ("option", "i4"),
        ("is_exact", "i4"),
        ("marks", "i4"),
        ("score", "f8"),
    ]
)
