"""Variants of a sentence that occur in text but not in treebanks: other quotation marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treewright.parsing.embedded.training.examples import Example

_QUOTES = {"``", "''", '"', "“", "”"}
_STRAIGHT = '"'


def varied(examples: Sequence[Example], random: np.random.Generator) -> list[Example]:
    """Write the double quotes of every other sentence that has any as straight ones."""
    chosen = random.random(len(examples)) < 0.5
    return [
        _straight(example) if flag and not _QUOTES.isdisjoint(example.words) else example
        for example, flag in zip(examples, chosen.tolist(), strict=True)
    ]


def _straight(example: Example) -> Example:
    words = tuple(_STRAIGHT if word in _QUOTES else word for word in example.words)
    return replace(example, words=words)
