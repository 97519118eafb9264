"""Text: sentences, Penn tokens with their positions, cutting words out of a user's string; words of
other languages, their case, and English lemmas.
"""

from treewright.text.characters import CLOSERS, STRAIGHT, is_dash, is_word
from treewright.text.cutting import Cut, cut
from treewright.text.joining import join_words
from treewright.text.kinds import Kind, kind_of, split_kinds
from treewright.text.lemmas import lemma
from treewright.text.roles import find_pairs
from treewright.text.sentences import split_sentences
from treewright.text.tokenizer import scan, tokenize
from treewright.text.tokens import Sentence, Token, detokenize
from treewright.text.truecasing import Truecaser
from treewright.text.wordtokenizers import LANGUAGES, WordTokenizer, word_tokenizer

__all__ = [
    "CLOSERS",
    "LANGUAGES",
    "STRAIGHT",
    "Cut",
    "Kind",
    "Sentence",
    "Token",
    "Truecaser",
    "WordTokenizer",
    "cut",
    "detokenize",
    "find_pairs",
    "is_dash",
    "is_word",
    "join_words",
    "kind_of",
    "lemma",
    "scan",
    "split_kinds",
    "split_sentences",
    "tokenize",
    "word_tokenizer",
]
