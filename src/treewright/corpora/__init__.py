"""Corpora: tree pairs and parallel text, their files, checks, statistics and splits."""

from treewright.corpora.bitext import (
    MAX_SENTENCE,
    Words,
    read_bitext,
    read_tokens,
    scan_tokens,
)
from treewright.corpora.checks import check_corpus, check_extractive, first_unmatched
from treewright.corpora.jsonl import (
    format_record,
    read_object,
    read_pairs,
    read_records,
    scan_lines,
    write_records,
)
from treewright.corpora.limits import (
    MAX_LINE,
    MAX_WORDS,
    check_size,
    numbered_lines,
    read_lines,
    read_plain,
    scan_plain,
)
from treewright.corpora.links import (
    Alignment,
    Links,
    check_alignment,
    format_pharaoh,
    parse_pharaoh,
    read_links,
    scan_links,
)
from treewright.corpora.pair import Pair, Record, with_trees
from treewright.corpora.parallel import read_parallel, scan_parallel
from treewright.corpora.sentences import Sentences
from treewright.corpora.split import split_corpus
from treewright.corpora.stats import gather
from treewright.corpora.texts import TextPair, scan_texts
from treewright.corpora.words import count_words, is_word, words_at
from treewright.trees import Vocabulary

__all__ = [
    "MAX_LINE",
    "MAX_SENTENCE",
    "MAX_WORDS",
    "Alignment",
    "Links",
    "Pair",
    "Record",
    "Sentences",
    "TextPair",
    "Vocabulary",
    "Words",
    "check_alignment",
    "check_corpus",
    "check_extractive",
    "check_size",
    "count_words",
    "first_unmatched",
    "format_pharaoh",
    "format_record",
    "gather",
    "is_word",
    "numbered_lines",
    "parse_pharaoh",
    "read_bitext",
    "read_lines",
    "read_links",
    "read_object",
    "read_pairs",
    "read_parallel",
    "read_plain",
    "read_records",
    "read_tokens",
    "scan_lines",
    "scan_links",
    "scan_parallel",
    "scan_plain",
    "scan_texts",
    "scan_tokens",
    "split_corpus",
    "with_trees",
    "words_at",
    "write_records",
]
