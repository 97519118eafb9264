"""ARPA files: the text form of language models that other tools read and write.

Probabilities and back-off weights are base-10 logarithms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from treewright.arrays import Floats, Singles
from treewright.lm.arpa_reader import read_sections
from treewright.lm.arrays import NgramArrays, join_levels, level_starts
from treewright.lm.rows import LN10, levels_of_rows

NEVER = -99.0
"""What is written for log10 0, as is the custom for `<s>`."""


def format_arpa(words: Sequence[str], order: int, nodes: NgramArrays) -> Iterator[str]:
    """Yield the lines of an ARPA file."""
    starts = level_starts(nodes)
    starts += [starts[-1]] * (order + 1 - len(starts))
    yield "\\data\\\n"
    for k in range(order):
        yield f"ngram {k + 1}={starts[k + 1] - starts[k]}\n"
    texts = [""]
    for k in range(order):
        yield f"\n\\{k + 1}-grams:\n"
        at = slice(starts[k], starts[k + 1])
        log_prob = np.maximum(_log10(nodes["log_prob"][at]), NEVER).tolist()
        last = [words[number] for number in nodes["word"][at].tolist()]
        texts = last if k == 0 else _lengthened(texts, last, nodes, starts[k - 1], starts[k])
        if k + 1 == order:
            rows = zip(log_prob, texts, strict=True)
            yield from (f"{prob:.9g}\t{text}\n" for prob, text in rows)
        else:
            # Adding 0 turns -0, which some tools read as a mark of their own, into 0.
            back_off = (_log10(nodes["back_off"][at]) + 0.0).tolist()
            triples = zip(log_prob, texts, back_off, strict=True)
            yield from (f"{prob:.9g}\t{text}\t{weight:.9g}\n" for prob, text, weight in triples)
    yield "\n\\end\\\n"


def _log10(natural: Singles) -> Floats:
    return natural.astype(np.float64) / LN10


def _lengthened(
    texts: Sequence[str], last: Sequence[str], nodes: NgramArrays, low: int, high: int
) -> list[str]:
    children = np.diff(nodes["first"][low : high + 1])
    parent = np.repeat(np.arange(high - low), children).tolist()
    return [f"{texts[shorter]} {word}" for shorter, word in zip(parent, last, strict=True)]


def read_arpa(path: str | Path) -> tuple[list[str], int, NgramArrays]:
    """Read an ARPA file (`-`: standard input); return its words, its order and its nodes.

    N-grams without which others cannot be reached are added at the probability that backing off
    gives them, so nothing changes for any text.
    """
    words, sections = read_sections(path)
    return words, len(sections), join_levels(levels_of_rows(sections, len(words), str(path)))
