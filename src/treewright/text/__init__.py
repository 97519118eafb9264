"""Text: sentences, Penn tokens with their positions, and cutting words out of a user's string."""

from treewright.text.cutting import Cut, cut
from treewright.text.joining import join_words
from treewright.text.sentences import split_sentences
from treewright.text.tokenizer import tokenize
from treewright.text.tokens import Sentence, Token, detokenize

__all__ = [
    "Cut",
    "Sentence",
    "Token",
    "cut",
    "detokenize",
    "join_words",
    "split_sentences",
    "tokenize",
]
