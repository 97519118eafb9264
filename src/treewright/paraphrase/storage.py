"""Harvested models as model files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from treewright.errors import ModelFileError, UsageError
from treewright.modelfile import Part, pack_array, read_mapped_model, unpack_array, write_model
from treewright.paraphrase.model import ParaphraseModel
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.settings import HarvestSettings
from treewright.paraphrase.space import Columns, Harvested, Space

KIND = "paraphrases"
_ARRAYS = ("start", "row", "count")
_PARTS = ("settings.json", "phrases.tsv", "contexts.txt", *(f"{name}.npy" for name in _ARRAYS))


def save_model(model: ParaphraseModel, path: str | Path) -> None:
    """Write a model to a file."""
    space = model.space
    lines = [
        f"{known.phrase.text}\t{' '.join(known.phrase.tags)}\t{known.type}\t{known.count}"
        f"\t{known.row}\n"
        for known in space.phrases
    ]
    parts = {
        "settings.json": json.dumps(space.settings.to_dict(), sort_keys=True).encode(),
        "phrases.tsv": "".join(lines).encode(),
        "contexts.txt": "\n".join(space.contexts).encode(),
    }
    for name, array in zip(_ARRAYS, space.counts, strict=True):
        parts[f"{name}.npy"] = pack_array(array)
    write_model(path, kind=KIND, parts=parts, metadata=model.metadata)


def load_model(path: str | Path) -> ParaphraseModel:
    """Read a model that `save_model` wrote."""
    parts, metadata = read_mapped_model(path, kind=KIND, known=_PARTS)
    try:
        return ParaphraseModel(_space(parts), metadata)
    except (KeyError, TypeError, ValueError, IndexError, UsageError) as error:
        raise ModelFileError(
            f"the paraphrases in it cannot be read ({error}); harvest again", where=str(path)
        ) from None


def _space(parts: dict[str, Part]) -> Space:
    settings = HarvestSettings.from_dict(json.loads(bytes(parts["settings.json"])))
    phrases = tuple(map(_harvested, bytes(parts["phrases.tsv"]).decode().splitlines()))
    rows = tuple(sorted({known.row for known in phrases}))
    contexts = tuple(bytes(parts["contexts.txt"]).decode().split("\n"))
    arrays: list[Any] = [unpack_array(parts[f"{name}.npy"]) for name in _ARRAYS]
    counts = Columns(*arrays)
    contexts = contexts if len(counts.start) > 1 else ()
    ends_well = len(counts.start) == len(contexts) + 1 and counts.start[-1] == len(counts.row)
    if not ends_well or len(counts.row) != len(counts.value):
        raise ValueError("its arrays do not fit together")
    if len(counts.row) and not 0 <= counts.row.min() <= counts.row.max() < len(rows):
        raise ValueError("its counts are of rows that it does not have")
    return Space(settings, phrases, rows, contexts, counts)


def _harvested(line: str) -> Harvested:
    text, tags, kind, count, row = line.split("\t")
    phrase = Phrase(tuple(text.split(" ")), tuple(tags.split(" ")))
    return Harvested(phrase, kind, int(count), row)
