"""Models of propositions in model files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model
from treewright.propositions.chain import Chain
from treewright.propositions.classes import ClassTable
from treewright.propositions.contexts import ContextClassifier
from treewright.propositions.lexicon import Lexicon
from treewright.propositions.model import Counted, Evidenced, PropositionModel
from treewright.propositions.sentence import Kind
from treewright.propositions.slots import SlotModel

_KIND = "propositions"
_PARTS = (
    "settings.json",
    "classes.json",
    "states.jsonl",
    "moves.jsonl",
    "slots.jsonl",
    "contexts.json",
    "contexts.npy",
    "instances.jsonl",
    "sentences.jsonl",
)


def save_model(model: PropositionModel, path: str | Path) -> None:
    """Write a model file (`-`: to standard output)."""
    chain, lexicon = model.chain, model.lexicon
    parts = {
        "settings.json": _pack(
            {
                "structure": model.structure,
                "shapes": model.shapes,
                "smoothing": chain.smoothing,
                "emissions": lexicon.smoothing,
                "most": lexicon.most,
                "unknown": lexicon.unknown,
            }
        ),
        "classes.json": _pack(
            {
                "counts": lexicon.table.counts,
                "prefixes": lexicon.table.prefixes,
                "likely": lexicon.likely,
                "leanings": model.leanings,
                "articles": dict(lexicon.articles),
            }
        ),
        "states.jsonl": _pack_lines(
            (state, share, chain.initial.get(state, 0.0), chain.after.get(state, 0.0))
            for state, share in chain.shares.items()
        ),
        "moves.jsonl": _pack_lines((*pair, number) for pair, number in chain.moves.items()),
        "slots.jsonl": _pack_lines(model.slots.counts.items()),
        "instances.jsonl": _pack_lines(
            (one.count, one.shape, one.words, one.kinds, one.classes, one.log_prob, one.seen_in)
            for one in model.evidence.instances
        ),
        "sentences.jsonl": _pack_lines(model.evidence.texts),
    }
    if model.contexts is not None:
        known = {"classes": model.contexts.classes, "features": list(model.contexts.features)}
        parts["contexts.json"] = _pack(known)
        parts["contexts.npy"] = pack_array(model.contexts.weights)
    write_model(path, kind=_KIND, parts=parts, metadata=model.metadata)


def load_model(path: str | Path) -> PropositionModel:
    """Read a model file (`-`: standard input)."""
    parts, metadata = read_model(path, kind=_KIND, known=_PARTS)
    try:
        model = _model(parts)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelFileError(
            f"a part of the model is not as expected ({error}); learn it again", where=str(path)
        ) from None
    model.metadata = metadata
    return model


def _model(parts: dict[str, bytes]) -> PropositionModel:
    settings, classes = json.loads(parts["settings.json"]), json.loads(parts["classes.json"])
    table = ClassTable(classes["counts"], classes["prefixes"])
    limits = (settings["most"], settings["unknown"])
    lexicon = Lexicon(table, classes["articles"], classes["likely"], settings["emissions"], *limits)
    chain = Chain(smoothing=settings["smoothing"])
    for state, share, initial, after in _lines(parts["states.jsonl"]):
        chain.shares[state] = share
        if initial:
            chain.initial[state] = initial
        if after:
            chain.after[state] = after
    for source, target, number in _lines(parts["moves.jsonl"]):
        chain.moves[source, target] = number
    slots = SlotModel()
    for context, words in _lines(parts["slots.jsonl"]):
        slots.counts[tuple(context)] = words
        slots.totals[tuple(context)] = sum(words.values())
    return PropositionModel(
        lexicon,
        chain,
        slots,
        _contexts(parts),
        settings["structure"],
        tuple(settings["shapes"]),
        classes["leanings"],
        evidence=_evidence(parts),
    )


def _contexts(parts: dict[str, bytes]) -> ContextClassifier | None:
    if "contexts.json" not in parts:
        return None
    known = json.loads(parts["contexts.json"])
    weights = unpack_array(parts["contexts.npy"])
    if weights.shape != (len(known["features"]) + 1, len(known["classes"])):
        raise ValueError("the weights of contexts do not fit their features")
    features = {name: place for place, name in enumerate(known["features"])}
    return ContextClassifier(known["classes"], features, weights)


def _evidence(parts: dict[str, bytes]) -> Evidenced:
    texts = [(name, text) for name, text in _lines(parts["sentences.jsonl"])]
    instances = [
        Counted(
            count,
            shape,
            tuple(words),
            tuple(Kind(kind) for kind in kinds),
            tuple(classes),
            log_prob,
            tuple((place, tuple((a, b) for a, b in spans)) for place, spans in seen_in),
        )
        for count, shape, words, kinds, classes, log_prob, seen_in in _lines(
            parts["instances.jsonl"]
        )
    ]
    if any(not 0 <= place < len(texts) for one in instances for place, _ in one.seen_in):
        raise ValueError("an instance names a sentence that is not there")
    return Evidenced(instances, texts)


def _pack(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _pack_lines(rows: Iterable[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _lines(part: bytes) -> Iterator[Any]:
    return map(json.loads, part.decode().splitlines())
