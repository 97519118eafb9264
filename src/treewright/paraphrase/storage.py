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


def save_model(model: ParaphraseModel, path: str | Path) -> None:
    """Write a harvested model to a file."""
    write_model(path, kind=KIND, parts=model_parts(model), metadata=model.metadata)


def save_pivots(model: PivotModel, path: str | Path) -> None:
    """Write a model of pivots to a file."""
    write_model(path, kind=PIVOTS, parts=pivot_parts(model), metadata=model.metadata)


def model_parts(model: ParaphraseModel) -> dict[str, bytes]:
    """Return a harvested model as parts of a model file."""
    space = model.space
    contexts = "\n".join(space.contexts).encode()
    parts = _packed(space.settings, space.phrases, space.counts) | {"contexts.txt": contexts}
    antonyms = sorted(" ".join(pair) for pair in space.antonyms.pairs)
    parts[_ANTONYMS] = "\n".join(antonyms).encode()
    if model.index is not None:
        parts[_SIGNATURES] = pack_array(model.index.signatures)
    return parts


def pivot_parts(model: PivotModel) -> dict[str, bytes]:
    """Return a model of pivots as parts of a model file."""
    return _packed(model.settings, model.phrases, model.table)


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
    """Undo `model_parts` or `pivot_parts`."""
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
    """Read a model that `save_model` or `save_pivots` wrote."""
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
    fits = len(table.start) == len(phrases) + 1 and table.start[-1] == len(table.row)
    if not fits or len(table.row) != len(table.value):
        raise ValueError("its arrays do not fit together")
    if len(table.row) and not 0 <= table.row.min() <= table.row.max() < len(phrases):
        raise ValueError("it has pairs of phrases that it does not have")
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
    ends_well = len(counts.start) == len(contexts) + 1 and counts.start[-1] == len(counts.row)
    if not ends_well or len(counts.row) != len(counts.value):
        raise ValueError("its arrays do not fit together")
    if len(counts.row) and not 0 <= counts.row.min() <= counts.row.max() < len(rows):
        raise ValueError("its counts are of rows that it does not have")
    return Space(settings, phrases, rows, contexts, counts, _antonyms(parts))


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
