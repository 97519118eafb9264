"""Translation: phrase pairs learned from parallel text, and the search for the best translation."""

from treewright.translation.casing import CASINGS, Casing
from treewright.translation.decoding import Decoder, Features, Fixed, Found, Search
from treewright.translation.forcing import (
    RELAXATIONS,
    Forced,
    ForcedDecoder,
    Forcing,
    Refined,
    Refinement,
    RefinementReport,
    Vote,
    derivations,
    refine_alignment,
    refine_links,
    sampled,
)
from treewright.translation.ghkm import (
    RuleSettings,
    Usable,
    build_rules,
    frontier_nodes,
    load_rules,
    read_aligned_trees,
    read_tree_pairs,
    save_rules,
    scan_tree_lines,
    usable_constituents,
)
from treewright.translation.markup import parse_marked
from treewright.translation.model import PhraseModel
from treewright.translation.phrases import (
    ORIENTATIONS,
    Option,
    PhraseSettings,
    PhraseTable,
    PhraseTrie,
    Spans,
    build_phrases,
)
from treewright.translation.risk import by_risk
from treewright.translation.training import (
    PhraseFiles,
    PhraseLearner,
    TuningSettings,
    Workshop,
)
from treewright.translation.translator import Input, Step, Translation, Translator

__all__ = [
    "CASINGS",
    "ORIENTATIONS",
    "RELAXATIONS",
    "Casing",
    "Decoder",
    "Features",
    "Fixed",
    "Forced",
    "ForcedDecoder",
    "Forcing",
    "Found",
    "Input",
    "Option",
    "PhraseFiles",
    "PhraseLearner",
    "PhraseModel",
    "PhraseSettings",
    "PhraseTable",
    "PhraseTrie",
    "Refined",
    "Refinement",
    "RefinementReport",
    "RuleSettings",
    "Search",
    "Spans",
    "Step",
    "Translation",
    "Translator",
    "TuningSettings",
    "Usable",
    "Vote",
    "Workshop",
    "build_phrases",
    "build_rules",
    "by_risk",
    "derivations",
    "frontier_nodes",
    "load_rules",
    "parse_marked",
    "read_aligned_trees",
    "read_tree_pairs",
    "refine_alignment",
    "refine_links",
    "sampled",
    "save_rules",
    "scan_tree_lines",
    "usable_constituents",
]
