"""Harvested models as model files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treewright.errors import ModelFileError, UsageError
from treewright.modelfile import (
    Part,
    pack_array,
    read_kind,
    read_mapped_model,
    unpack_array,
    write_model,
)
from treewright.paraphrase.antonyms import Antonyms
from treewright.paraphrase.model import ParaphraseModel
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.pivoting import PivotModel
from treewright.paraphrase.settings import HarvestSettings
from treewright.paraphrase.signatures import WORD, SignatureIndex
from treewright.paraphrase.space import Columns, Harvested, Space

KIND, PIVOTS = "paraphrases", "pivots"
_ARRAYS = ("start", "row", "count")
_SIGNATURES = "signatures.npy"
_ANTONYMS = "antonyms.txt"
PARTS = (
    "settings.json",
    "phrases.tsv",
    "contexts.txt",
    _ANTONYMS,
    *(f"{name}.npy" for name in _ARRAYS),
    _SIGNATURES,
)


def save_model(model: ParaphraseModel | PivotModel, path: str | Path) -> None:
    """Write a model to a file."""
    kind, parts = parts_of(model)
    write_model(path, kind=kind, parts=parts, metadata=model.metadata)


def parts_of(model: ParaphraseModel | PivotModel) -> tuple[str, dict[str, bytes]]:
    """Return what kind of model file a model is, and the parts of it."""
    if isinstance(model, PivotModel):
        return PIVOTS, _packed(model.settings, model.phrases, model.table)
    space = model.space
    contexts = "\n".join(space.contexts).encode()
    parts = _packed(space.settings, space.phrases, space.counts) | {"contexts.txt": contexts}
    antonyms = sorted(" ".join(pair) for pair in space.antonyms.pairs)
    parts[_ANTONYMS] = "\n".join(antonyms).encode()
    if model.index is not None:
        parts[_SIGNATURES] = pack_array(model.index.signatures)
    return KIND, parts


def _packed(
    settings: HarvestSettings, phrases: Sequence[Harvested], columns: Columns
) -> dict[str, bytes]:
    lines = [
        f"{known.phrase.text}\t{' '.join(known.phrase.tags)}\t{known.type}\t{known.count}"
        f"\t{known.row}\n"
        for known in phrases
    ]
    parts = {
        "settings.json": json.dumps(settings.to_dict(), sort_keys=True).encode(),
        "phrases.tsv": "".join(lines).encode(),
    }
    arrays: tuple[Any, ...] = columns
    for name, array in zip(_ARRAYS, arrays, strict=True):
        parts[f"{name}.npy"] = pack_array(array)
    return parts


def read_parts(
    parts: Mapping[str, Part], kind: str, metadata: dict[str, Any], *, where: str
) -> ParaphraseModel | PivotModel:
    """Undo `parts_of`."""
    try:
        if kind == PIVOTS:
            return _pivots(parts, metadata)
        space = _space(parts)
        return ParaphraseModel(space, metadata, _index(space, parts))
    except (KeyError, TypeError, ValueError, IndexError, UsageError) as error:
        raise ModelFileError(
            f"the paraphrases in it cannot be read ({error}); harvest again", where=where
        ) from None


def load_model(path: str | Path) -> ParaphraseModel | PivotModel:
    """Read a model that `save_model` wrote."""
    kind = PIVOTS if read_kind(path) == PIVOTS else KIND
    parts, metadata = read_mapped_model(path, kind=kind, known=PARTS)
    return read_parts(parts, kind, metadata, where=str(path))


def _unpacked(
    parts: Mapping[str, Part],
) -> tuple[HarvestSettings, tuple[Harvested, ...], Columns]:
    settings = HarvestSettings.from_dict(json.loads(bytes(parts["settings.json"])))
    lines = bytes(parts["phrases.tsv"]).decode().split("\n")[:-1]
    arrays: list[Any] = [unpack_array(parts[f"{name}.npy"]) for name in _ARRAYS]
    return settings, tuple(map(_harvested, lines)), Columns(*arrays)


def _pivots(parts: Mapping[str, Part], metadata: dict[str, Any]) -> PivotModel:
    settings, phrases, table = _unpacked(parts)
    _check(table, len(phrases), len(phrases), "it has pairs of phrases that it does not have")
    return PivotModel(settings, phrases, table, metadata)


def _index(space: Space, parts: Mapping[str, Part]) -> SignatureIndex | None:
    if not space.settings.bits:
        return None
    index = SignatureIndex(space, unpack_array(parts[_SIGNATURES]))
    if index.signatures.shape != (len(index.rows), space.settings.bits // WORD):
        raise ValueError("its signatures do not fit its phrases")
    return index


def _space(parts: Mapping[str, Part]) -> Space:
    settings, phrases, counts = _unpacked(parts)
    rows = tuple(sorted({known.row for known in phrases}))
    contexts = tuple(bytes(parts["contexts.txt"]).decode().split("\n"))
    contexts = contexts if len(counts.start) > 1 else ()
    _check(counts, len(contexts), len(rows), "its counts are of rows that it does not have")
    return Space(settings, phrases, rows, contexts, counts, _antonyms(parts))


def _check(matrix: Columns, columns: int, rows: int, strange: str) -> None:
    """Raise a `ValueError` if a matrix does not have so many columns, or has other rows."""
    start, row, value = matrix
    if len(start) != columns + 1 or not start[-1] == len(row) == len(value):
        raise ValueError("its arrays do not fit together")
    if len(row) and not 0 <= row.min() <= row.max() < rows:
        raise ValueError(strange)


def _antonyms(parts: Mapping[str, Part]) -> Antonyms:
    found = set()
    for line in bytes(parts[_ANTONYMS]).decode().splitlines():
        one, other = line.split(" ")
        found.add((one, other))
    return Antonyms(frozenset(found))


def _harvested(line: str) -> Harvested:
    text, tags, kind, count, row = line.split("\t")
    phrase = Phrase(tuple(text.split(" ")), tuple(tags.split(" ")))
    return Harvested(phrase, kind, int(count), row)
