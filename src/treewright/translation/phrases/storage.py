"""A phrase table as parts of a model file: names as text, all else as arrays that can be mapped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Longs
from treewright.corpora import Vocabulary
from treewright.modelfile import Part, pack_array, unpack_array
from treewright.translation.phrases._kernels import EMPTY
from treewright.translation.phrases.ngrams import LONGEST
from treewright.translation.phrases.table import ORIENTATIONS, PhraseTable
from treewright.translation.phrases.trie import PhraseTrie

_PREFIX = "phrases/"
_TRIE = ("keys", "children", "option_start")
_ROWS = (
    "target_start",
    "target_words",
    "features",
    "reordering",
    "link_start",
    "links",
    "counts",
)
_TYPES = {
    "keys": np.int64,
    "children": np.int32,
    "target_words": np.int32,
    "links": np.uint8,
    "features": np.float32,
    "reordering": np.float32,
    "counts": np.float32,
}


def table_parts(table: PhraseTable) -> dict[str, bytes]:
    """Return the parts that hold a table, by name."""
    arrays = {name: getattr(table.trie, name) for name in _TRIE}
    arrays |= {name: getattr(table, name) for name in _ROWS}
    settings = {"feature_names": table.feature_names, "max_length": table.max_length}
    parts = {f"{name}.npy": pack_array(array) for name, array in arrays.items()}
    parts |= {
        "table.json": json.dumps(settings).encode(),
        "source.txt": "\n".join(table.source.words).encode(),
        "target.txt": "\n".join(table.target.words).encode(),
    }
    return {f"{_PREFIX}{name}": part for name, part in parts.items()}


def table_from_parts(
    parts: Mapping[str, Part], metadata: Mapping[str, Any] | None = None
) -> PhraseTable:
    """Put a table together from parts, which may come from anywhere; a `ValueError` if they do not
    fit.
    """
    trie: dict[str, Any] = {name: _array(parts, name) for name in _TRIE}
    rows: dict[str, Any] = {name: _array(parts, name) for name in _ROWS}
    source, target = _vocabulary(parts, "source.txt"), _vocabulary(parts, "target.txt")
    settings = _settings(bytes(_part(parts, "table.json")))
    table = PhraseTable(
        source=source,
        target=target,
        trie=PhraseTrie(**trie, words=len(source)),
        **rows,
        **settings,
        metadata=dict(metadata or {}),
    )
    _check_rows(table)
    _check_trie(table)
    _check_links(table)
    return table


def _part(parts: Mapping[str, Part], name: str) -> Part:
    if _PREFIX + name not in parts:
        raise ValueError(f"{_PREFIX}{name} is missing")
    return parts[_PREFIX + name]


def _array(parts: Mapping[str, Part], name: str) -> NDArray[Any]:
    array = unpack_array(_part(parts, f"{name}.npy"))
    kind = _TYPES.get(name, np.int64)
    if array.dtype != kind:
        raise ValueError(f"{name} has numbers of type {array.dtype}, not {np.dtype(kind)}")
    return array


def _vocabulary(parts: Mapping[str, Part], name: str) -> Vocabulary:
    text = bytes(_part(parts, name)).decode()
    words = text.split("\n") if text else []
    vocabulary = Vocabulary(words)
    if len(vocabulary) != len(words):
        raise ValueError(f"{name} has a word twice")
    return vocabulary


def _settings(part: bytes) -> dict[str, Any]:
    fields = json.loads(part)
    if not isinstance(fields, dict):
        raise ValueError("table.json is not an object")
    names, longest = fields.get("feature_names"), fields.get("max_length")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("table.json has no names of features")
    if not isinstance(longest, int) or not 1 <= longest <= LONGEST:
        raise ValueError(f"table.json has phrases of up to {longest!r} words")
    return {"feature_names": tuple(names), "max_length": longest}


def _check(condition: Any, what: str) -> None:
    if not condition:
        raise ValueError(what)


def _check_starts(start: Longs, end: int, what: str) -> None:
    good = start.ndim == 1 and start.size and start[0] == 0 and start[-1] == end
    _check(good and (np.diff(start) >= 0).all(), f"{what} are not where they should be")


def _check_rows(table: PhraseTable) -> None:
    rows = len(table)
    _check(table.target_words.ndim == 1, "target words are not a list")
    _check_starts(table.target_start, table.target_words.size, "target phrases")
    _check((np.diff(table.target_start) > 0).all(), "a target phrase has no words")
    low, high = table.target_words.min(initial=0), table.target_words.max(initial=-1)
    _check(low >= 0 and high < len(table.target), "a target word has no name")
    _check(table.features.shape == (rows, len(table.feature_names)), "features are missing")
    _check(table.reordering.shape == (rows, 2 * len(ORIENTATIONS)), "orientations are missing")
    _check(table.counts.shape == (rows, 3), "counts are missing")
    for values in (table.features, table.reordering, table.counts):
        _check(np.isfinite(values).all(), "a score is not a number")


def _check_trie(table: PhraseTable) -> None:
    keys, children, option_start, words = table.trie
    _check_starts(option_start, len(table), "options")
    _check(option_start[:2].sum() == 0, "the empty phrase has options")
    _check(keys.ndim == 1 and keys.shape == children.shape, "the trie has keys without children")
    _check(keys.size and keys.size & (keys.size - 1) == 0, "the trie is not of a power of two")
    taken = keys != EMPTY
    _check(not taken.all(), "the trie is full")
    child, key = children[taken], keys[taken]
    nodes = table.trie.num_nodes
    _check(child.size == nodes - 1, "the trie has not as many nodes as options")
    _check(np.array_equal(np.sort(child), np.arange(1, nodes)), "a node of the trie is missing")
    _check(((key >= 0) & (key // max(words, 1) < child)).all(), "the trie runs in a circle")


def _check_links(table: PhraseTable) -> None:
    _check(table.links.ndim == 2 and table.links.shape[1] == 2, "links are not pairs")
    _check_starts(table.link_start, len(table.links), "links")
    depth = table.trie.depths()
    _check(depth.max(initial=0) <= table.max_length, "a source phrase is too long")
    per_row = np.diff(table.link_start)
    of_source = np.repeat(depth, np.diff(table.trie.option_start))
    inside = table.links[:, 0] < np.repeat(of_source, per_row)
    inside &= table.links[:, 1] < np.repeat(np.diff(table.target_start), per_row)
    _check(inside.all(), "a link leads outside its phrases")
