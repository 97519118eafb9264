"""A teacher's opinion of raw sentences, kept sparse: the probable spans and tags of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from treewright.errors import DataError, ModelFileError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model
from treewright.parsing.embedded._kernels import expectations
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.examples import Example
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.scoring import score_sentences
from treewright.progress import SILENT, Progress

KIND = "parser-labels"
LEAST = 0.02
"""The probability below which a teacher's span or tag is dropped."""


def label(
    network: SpanNetwork,
    inventory: Inventory,
    sentences: Sequence[Sequence[str]],
    treebank: str,
    progress: Progress = SILENT,
) -> list[Example]:
    """Return the sentences with the probabilities that the network gives to spans and tags."""
    number = inventory.treebank(treebank)
    made: dict[int, Example] = {}
    scored = score_sentences(network, inventory, sentences, treebank, progress)
    for place, tags, spans in scored:
        made[place] = _labelled(tuple(sentences[place]), number, tags, spans)
    return [made[place] for place in range(len(sentences))]


def _labelled(
    words: tuple[str, ...], treebank: int, tags: np.ndarray, spans: np.ndarray
) -> Example:
    marginals = np.empty_like(spans)
    expectations(spans, np.array([len(words)]), marginals)
    odds = np.exp(tags - tags.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    starts, ends = np.triu_indices(len(words) + 1, 1)
    rows, labels = np.nonzero(marginals >= LEAST)
    tokens, choices = np.nonzero(odds >= LEAST)
    return Example(
        words=words,
        treebank=treebank,
        spans=np.stack([starts[rows], ends[rows], labels], axis=1).astype(np.int32),
        span_weights=marginals[rows, labels],
        tags=np.stack([tokens, choices], axis=1).astype(np.int32),
        tag_weights=odds[tokens, choices],
    )


def write_labels(path: str | Path, examples: Sequence[Example], inventory: Inventory) -> None:
    """Write labelled sentences with the symbols for their numbers."""
    lists: dict[str, np.ndarray] = {
        "treebanks": np.array([example.treebank for example in examples], np.int16),
        "span_counts": np.array([len(example.spans) for example in examples], np.int32),
        "tag_counts": np.array([len(example.tags) for example in examples], np.int32),
        "spans": np.concatenate([example.spans for example in examples]).astype(np.int16),
        "span_weights": np.concatenate([e.span_weights for e in examples]).astype(np.float16),
        "tags": np.concatenate([example.tags for example in examples]).astype(np.int16),
        "tag_weights": np.concatenate([e.tag_weights for e in examples]).astype(np.float16),
    }
    parts = {f"{name}.npy": pack_array(array) for name, array in lists.items()}
    parts["sentences.txt"] = "\n".join(" ".join(e.words) for e in examples).encode()
    parts["inventory.json"] = inventory.to_json()
    write_model(path, kind=KIND, parts=parts, metadata={"sentences": len(examples)})


def read_sentences(path: str | Path) -> list[tuple[str, ...]]:
    """Read only the words of labelled sentences."""
    parts, _ = read_model(path, kind=KIND)
    return _sentences(parts)


def _sentences(parts: Mapping[str, bytes]) -> list[tuple[str, ...]]:
    return [tuple(line.split(" ")) for line in parts["sentences.txt"].decode().split("\n")]


def read_labels(path: str | Path, inventory: Inventory | None = None) -> list[Example]:
    """Read labelled sentences, numbered by `inventory`, leaving out what it does not know.

    Without an inventory they keep the numbers in the file.
    """
    parts, _ = read_model(path, kind=KIND)
    try:
        return _numbered(parts, inventory)
    except (LookupError, TypeError, ValueError) as error:
        raise ModelFileError(
            f"the parts of these labels do not fit together ({error}); label the text again",
            where=str(path),
        ) from None


def _numbered(parts: Mapping[str, bytes], inventory: Inventory | None) -> list[Example]:
    own = Inventory.from_json(parts["inventory.json"])
    target = inventory or own
    labels = np.array([target.label(name) if name else 0 for name in own.labels], np.int32)
    tags = np.array([target.tag_numbers.get(name, -1) for name in own.tags], np.int32)
    banks = [target.treebank(name) if name in target.treebanks else 0 for name in own.treebanks]
    arrays = {
        name.removesuffix(".npy"): unpack_array(part)
        for name, part in parts.items()
        if name.endswith(".npy")
    }
    spans = arrays["spans"].astype(np.int32)
    spans[:, 2] = labels[spans[:, 2]]
    tagged = arrays["tags"].astype(np.int32)
    tagged[:, 1] = tags[tagged[:, 1]]
    span_ends = np.cumsum(arrays["span_counts"])
    tag_ends = np.cumsum(arrays["tag_counts"])
    examples = []
    for number, words in enumerate(_sentences(parts)):
        s = slice(span_ends[number] - arrays["span_counts"][number], span_ends[number])
        t = slice(tag_ends[number] - arrays["tag_counts"][number], tag_ends[number])
        known_spans, known_tags = spans[s, 2] > 0, tagged[t, 1] >= 0
        examples.append(
            Example(
                words=words,
                treebank=banks[int(arrays["treebanks"][number])],
                spans=spans[s][known_spans],
                span_weights=arrays["span_weights"][s][known_spans].astype(np.float32),
                tags=tagged[t][known_tags],
                tag_weights=arrays["tag_weights"][t][known_tags].astype(np.float32),
            )
        )
    return examples


def average(opinions: Sequence[Sequence[Example]]) -> list[Example]:
    """Return the mean opinion of several teachers on the same sentences: an ensemble's."""
    sentences = [[example.words for example in opinion] for opinion in opinions]
    if any(other != sentences[0] for other in sentences[1:]):
        raise DataError("labels to average are of different sentences; label the same text")
    return [_mean(list(same)) for same in zip(*opinions, strict=True)]


def _mean(examples: list[Example]) -> Example:
    if len(examples) == 1:
        return examples[0]
    share = np.float32(1 / len(examples))
    return Example(
        words=examples[0].words,
        treebank=examples[0].treebank,
        spans=np.concatenate([example.spans for example in examples]),
        span_weights=np.concatenate([example.span_weights for example in examples]) * share,
        tags=np.concatenate([example.tags for example in examples]),
        tag_weights=np.concatenate([example.tag_weights for example in examples]) * share,
    )
