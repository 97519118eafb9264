"""Propositions: what a body of text takes for granted about what does what to what."""

from treewright.propositions.chain import STRUCTURES
from treewright.propositions.enrichment import Enricher, enrich_lines
from treewright.propositions.evidence import WAYS
from treewright.propositions.exports import (
    questions,
    write_csv,
    write_graphml,
    write_page,
    write_parquet,
)
from treewright.propositions.files import load_model, save_model
from treewright.propositions.gathering import Found, Gathered, read_tree
from treewright.propositions.instances import PAPER_SHAPES, SHAPES, Instance, extract
from treewright.propositions.items import read_role_items, read_tuple_items
from treewright.propositions.learner import PropositionLearner, paper
from treewright.propositions.measures import (
    best_entropy,
    perplexity,
    spread,
)
from treewright.propositions.model import Proposition, PropositionModel
from treewright.propositions.parsing import gather_files, label_passages, read_all
from treewright.propositions.reading import Passage, read_passages
from treewright.propositions.roles import RoleFinder, rank_roles

__all__ = [
    "PAPER_SHAPES",
    "SHAPES",
    "STRUCTURES",
    "WAYS",
    "Enricher",
    "Found",
    "Gathered",
    "Instance",
    "Passage",
    "Proposition",
    "PropositionLearner",
    "PropositionModel",
    "RoleFinder",
    "best_entropy",
    "enrich_lines",
    "extract",
    "gather_files",
    "label_passages",
    "load_model",
    "paper",
    "perplexity",
    "questions",
    "rank_roles",
    "read_all",
    "read_passages",
    "read_role_items",
    "read_tree",
    "read_tuple_items",
    "save_model",
    "spread",
    "write_csv",
    "write_graphml",
    "write_page",
    "write_parquet",
]
