"""Skeletons: the tokens without which a sentence would not say what it says, for translation."""

from treewright.translation.skeletons.files import (
    Skeleton,
    format_skeletons,
    parse_skeletons,
    read_skeleton_lists,
    read_skeletons,
    scan_skeletons,
    skeleton_of,
    write_skeletons,
)
from treewright.translation.skeletons.finding import SkeletonFinder
from treewright.translation.skeletons.generalising import (
    SYMBOL,
    generalise,
    generalise_all,
    project,
)
from treewright.translation.skeletons.projecting import Projection, project_back, read_projected
from treewright.translation.skeletons.stops import keep_stop

__all__ = [
    "SYMBOL",
    "Projection",
    "Skeleton",
    "SkeletonFinder",
    "format_skeletons",
    "generalise",
    "generalise_all",
    "keep_stop",
    "parse_skeletons",
    "project",
    "project_back",
    "read_projected",
    "read_skeleton_lists",
    "read_skeletons",
    "scan_skeletons",
    "skeleton_of",
    "write_skeletons",
]
