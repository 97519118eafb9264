"""One training run: from data to the last epoch's network, with checkpoints and a trace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from treewright.errors import Problems, UsageError
from treewright.parsing.embedded.inventory import ALPHABETIC, Inventory
from treewright.parsing.embedded.training.context import Context
from treewright.parsing.embedded.training.examples import Example, batches, gold_example
from treewright.parsing.embedded.training.export import network_of
from treewright.parsing.embedded.training.initial import begin_with
from treewright.parsing.embedded.training.labels import average, read_labels, read_sentences
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.scoring import parse_with
from treewright.parsing.embedded.training.settings import Schedule, Sizes
from treewright.parsing.embedded.training.storage import (
    read_checkpoint,
    read_teacher,
    write_checkpoint,
)
from treewright.parsing.embedded.training.trainer import Trainer
from treewright.parsing.embedded.weights import Weights
from treewright.parsing.scoring import BracketScores, score_brackets
from treewright.parsing.treebanks import collapse_repeats, read_treebank
from treewright.progress import SILENT, Progress
from treewright.trees import Tree

LONGEST = 100
"""The most tokens in a sentence to learn from."""


@dataclass(frozen=True)
class Treebank:
    """Trees of one style, and how often each is seen per epoch."""

    name: str
    trees: Sequence[Tree]
    repeat: int = 1

    def first(self, share: float) -> Treebank:
        """Return a share of the treebank, its first trees, as learning curves need."""
        return replace(self, trees=self.trees[: max(1, round(share * len(self.trees)))])


@dataclass(frozen=True)
class TrainingData:
    """What a run learns from and is scored on."""

    gold: Sequence[Treebank]
    dev: Sequence[Treebank] = ()
    labelled: Sequence[Sequence[str]] = ()
    """Files of teachers' labels; those in one inner list are averaged."""

    @property
    def names(self) -> list[str]:
        """Return the treebanks' names, each once, in order."""
        return list(dict.fromkeys(treebank.name for treebank in self.gold))

    def fingerprint(self) -> str:
        """Return a digest that changes with any tree or label."""
        digest = hashlib.sha256()
        for treebank in self.gold:
            digest.update(f"{treebank.name} {treebank.repeat}\n".encode())
            for tree in treebank.trees:
                digest.update(f"{tree}\n".encode())
        for path in (path for group in self.labelled for path in group):
            digest.update(file_digest(path).encode())
        return digest.hexdigest()


def file_digest(path: str) -> str:
    """Return a digest of what a file holds."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@dataclass
class Run:
    """A network in training and its progress so far."""

    data: TrainingData
    sizes: Sizes = field(default_factory=Sizes)
    schedule: Schedule = field(default_factory=Schedule)
    encoder: str | None = None
    """The folder of a pretrained transformer, if the run is to make a teacher."""
    encoder_layers: int = 4
    encoder_half: bool = False
    """Whether the transformer computes in bfloat16."""
    start: str | None = None
    """The parser or teacher whose weights and symbols the run starts from."""
    script: str | None = None
    """How words are seen, one of `SCRIPTS`; a run from a start goes on with the start's."""
    vectors: str | None = None
    """The folder of a pretrained transformer from whose vectors Chinese characters begin."""
    progress: Progress = SILENT
    trace: list[dict[str, Any]] = field(default_factory=list)

    def prepare(self) -> None:
        """Number the symbols, make the examples and the network."""
        torch.manual_seed(self.schedule.seed)
        self.network = self._begin()
        for treebank in self.data.dev:
            self.inventory.treebank(treebank.name)
        self.examples = _short(self._gold_examples())
        self.gold = len(self.examples)
        for group in self.data.labelled:
            opinions = [read_labels(path, self.inventory) for path in group]
            self.examples += _short(average(opinions))
        steps = len(batches(self.examples, self.schedule.tokens, None))
        self.trainer = Trainer(self.network, self.inventory, self.schedule, steps, self.progress)

    def _begin(self) -> SpanNetwork:
        """Return a new network, or the one to start from, whose symbols then replace the run's."""
        if self.start is None:
            self.inventory = self._collect(self.script or ALPHABETIC)
            context = (
                Context(self.encoder, self.encoder_layers, half=self.encoder_half)
                if self.encoder
                else None
            )
            network = SpanNetwork(
                self.inventory, self.sizes, dropout=self.schedule.dropout, context=context
            )
            if self.vectors is not None:
                begin_with(network, self.inventory, self.vectors)
            return network
        if self.encoder is not None:
            network, known = read_teacher(self.start, self.encoder)
        else:
            weights = Weights.read(self.start)
            network, known = network_of(weights, weights.inventory), weights.inventory
        if self.script not in (None, known.script):
            raise UsageError(
                f"{self.start} was trained with the script {known.script}, not {self.script}; "
                "leave --script out"
            )
        self.inventory = known.counted_by(self._collect(known.script))
        network.set_noise(self.inventory, self.schedule.dropout)
        self.sizes = network.sizes
        return network

    def _collect(self, script: str) -> Inventory:
        raw = [words for group in self.data.labelled for words in read_sentences(group[0])]
        trees = [tree for treebank in self.data.gold for tree in treebank.trees]
        return Inventory.collect(trees, self.data.names, raw=raw, script=script)

    def settings(self) -> dict[str, Any]:
        """Return everything that the result depends on."""
        return {
            **asdict(self.sizes),
            **asdict(self.schedule),
            "encoder_layers": self.encoder_layers if self.encoder else 0,
            "encoder_half": self.encoder_half,
            "encoder": None if self.encoder is None else file_digest(f"{self.encoder}/config.json"),
            "vectors": None if self.vectors is None else file_digest(f"{self.vectors}/config.json"),
            "script": self.inventory.script,
            "threads": torch.get_num_threads(),
            "data": self.data.fingerprint(),
            "start": None if self.start is None else file_digest(self.start),
        }

    def train(self, checkpoint: str | None = None, *, resume: bool = False) -> None:
        """Run all epochs, or those left after a checkpoint; the trace has one entry per epoch."""
        settings = self.settings()
        if resume:
            if checkpoint is None:
                raise UsageError("--resume needs the --checkpoint to continue from")
            self.trace = list(read_checkpoint(checkpoint, self.trainer, settings)["trace"])
        for number in range(len(self.trace) + 1, self.schedule.epochs + 1):
            loss = self.trainer.epoch(self.examples, number)
            entry: dict[str, Any] = {"epoch": number, "loss": round(loss, 4)}
            for treebank in self.data.dev:
                entry[treebank.name] = summary(self.score(treebank))
            self.trace.append(entry)
            self.progress.say(_line(entry))
            if checkpoint is not None:
                about = {"run": settings, "trace": self.trace}
                write_checkpoint(checkpoint, self.trainer, about)

    def score(self, treebank: Treebank) -> BracketScores:
        """Score the current network on a treebank, in that treebank's style."""
        sentences = [tree.words() for tree in treebank.trees]
        guessed = parse_with(self.network, self.inventory, sentences, treebank.name)
        return score_brackets(treebank.trees, guessed)

    def _gold_examples(self) -> list[Example]:
        return [
            gold_example(tree, self.inventory.treebank(treebank.name), self.inventory)
            for treebank in self.data.gold
            for tree in treebank.trees
            for _ in range(treebank.repeat)
        ]


def load_treebank(
    name: str, paths: Iterable[str], *, repeat: int = 1, problems: Problems | None = None
) -> Treebank:
    """Read a treebank to learn from, merging nodes with only children of the same label."""
    trees = [
        collapse_repeats(tree) for path in paths for tree in read_treebank(path, problems=problems)
    ]
    return Treebank(name, trees, repeat)


def summary(scores: BracketScores) -> dict[str, float]:
    """Return the figures kept in a trace."""
    return {"f1": round(100 * scores.f1, 2), "tags": round(100 * scores.token_tag_accuracy, 2)}


def _short(examples: Iterable[Example]) -> list[Example]:
    return [example for example in examples if len(example) <= LONGEST]


def _line(entry: dict[str, Any]) -> str:
    parts = [f"epoch {entry['epoch']}: loss {entry['loss']:.4f}"]
    for name, figures in entry.items():
        if isinstance(figures, dict):
            parts.append(f"{name} F1 {figures['f1']:.2f}, tags {figures['tags']:.2f}")
    return "; ".join(parts)
