"""Language models: how likely a word is after the words before it."""

from treewright.lm.arrays import BEGIN, END, SPECIAL, UNKNOWN
from treewright.lm.model import LanguageModel, Perplexity, open_lm
from treewright.lm.training import check_order, read_text, train_lm

__all__ = [
    "BEGIN",
    "END",
    "SPECIAL",
    "UNKNOWN",
    "LanguageModel",
    "Perplexity",
    "check_order",
    "open_lm",
    "read_text",
    "train_lm",
]
