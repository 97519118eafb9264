"""Paraphrases: other ways to say a phrase, harvested from text and from translations."""

from treewright.paraphrase.combining import CombinedModel, open_model
from treewright.paraphrase.comparing import PhraseComparison
from treewright.paraphrase.harvesting import harvest
from treewright.paraphrase.in_context import Fitted, InContext, Place
from treewright.paraphrase.making import harvest_files
from treewright.paraphrase.model import Paraphrase, ParaphraseModel, Paraphraser, paraphrases
from treewright.paraphrase.phrases import Phrase, TagPattern, phrase_of
from treewright.paraphrase.pivoting import PivotModel, pivot
from treewright.paraphrase.settings import (
    METHODS,
    HarvestSettings,
    configuration,
)
from treewright.paraphrase.signatures import SignatureIndex
from treewright.paraphrase.space import Space
from treewright.paraphrase.types import syntactic_type

__all__ = [
    "METHODS",
    "CombinedModel",
    "Fitted",
    "HarvestSettings",
    "InContext",
    "Paraphrase",
    "ParaphraseModel",
    "Paraphraser",
    "Phrase",
    "PhraseComparison",
    "PivotModel",
    "Place",
    "SignatureIndex",
    "Space",
    "TagPattern",
    "configuration",
    "harvest",
    "harvest_files",
    "open_model",
    "paraphrases",
    "phrase_of",
    "pivot",
    "syntactic_type",
]
