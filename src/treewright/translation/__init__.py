"""Translation: phrase pairs learned from parallel text, and the search for the best translation."""

from treewright.translation.casing import Casing
from treewright.translation.decoding.decoder import Decoder, Found, Search, SkeletalModel
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.options import Fixed
from treewright.translation.decoding.skeleton import VARIANTS, SkeletonUse
from treewright.translation.drawing import draw_translations
from treewright.translation.forcing.decoder import RELAXATIONS, Forced, ForcedDecoder, Forcing
from treewright.translation.forcing.spans import (
    LinkRefinement,
    RefinedLinks,
    RefinementReport,
    Vote,
    derivations,
    refine_alignment,
    refine_links,
    sampled,
)
from treewright.translation.ghkm.building import RuleSettings, build_rules
from treewright.translation.ghkm.files import (
    load_rules,
    read_aligned_trees,
    read_tree_pairs,
    save_rules,
    scan_line_trees,
    scan_tree_lines,
)
from treewright.translation.ghkm.frontier import Usable, frontier_nodes, usable_constituents
from treewright.translation.markup import parse_marked
from treewright.translation.model import Outlined, PhraseModel
from treewright.translation.opening import open_translator
from treewright.translation.phrases.building import PhraseSettings, build_phrases
from treewright.translation.phrases.table import ORIENTATIONS, Option, PhraseTable
from treewright.translation.risk import by_risk
from treewright.translation.skeletons.files import (
    Skeleton,
    format_skeletons,
    parse_skeletons,
    read_skeleton_lists,
    read_skeletons,
    write_skeletons,
)
from treewright.translation.skeletons.finding import SkeletonFinder
from treewright.translation.skeletons.generalising import generalise, generalise_all
from treewright.translation.skeletons.projecting import Projection, read_projected
from treewright.translation.streaming import Input, Translation
from treewright.translation.syntax.decoder import RuleDecoder, RuleSearch
from treewright.translation.syntax.features import SyntaxFeatures
from treewright.translation.syntax.model import RuleModel
from treewright.translation.syntax.translator import RuleStep, RuleTranslator
from treewright.translation.training.learner import PhraseFiles, PhraseLearner
from treewright.translation.training.rules import PHRASES, RuleFiles, RuleLearner
from treewright.translation.training.skeletons import SkeletonFiles, SkeletonLearner
from treewright.translation.training.tuning import TuningSettings
from treewright.translation.training.workshop import Workshop
from treewright.translation.translator import Step, Translator

__all__ = [
    "ORIENTATIONS",
    "PHRASES",
    "RELAXATIONS",
    "VARIANTS",
    "Casing",
    "Decoder",
    "Features",
    "Fixed",
    "Forced",
    "ForcedDecoder",
    "Forcing",
    "Found",
    "Input",
    "LinkRefinement",
    "Option",
    "Outlined",
    "PhraseFiles",
    "PhraseLearner",
    "PhraseModel",
    "PhraseSettings",
    "PhraseTable",
    "Projection",
    "RefinedLinks",
    "RefinementReport",
    "RuleDecoder",
    "RuleFiles",
    "RuleLearner",
    "RuleModel",
    "RuleSearch",
    "RuleSettings",
    "RuleStep",
    "RuleTranslator",
    "Search",
    "SkeletalModel",
    "Skeleton",
    "SkeletonFiles",
    "SkeletonFinder",
    "SkeletonLearner",
    "SkeletonUse",
    "Step",
    "SyntaxFeatures",
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
    "draw_translations",
    "format_skeletons",
    "frontier_nodes",
    "generalise",
    "generalise_all",
    "load_rules",
    "open_translator",
    "parse_marked",
    "parse_skeletons",
    "read_aligned_trees",
    "read_projected",
    "read_skeleton_lists",
    "read_skeletons",
    "read_tree_pairs",
    "refine_alignment",
    "refine_links",
    "sampled",
    "save_rules",
    "scan_line_trees",
    "scan_tree_lines",
    "usable_constituents",
    "write_skeletons",
]
