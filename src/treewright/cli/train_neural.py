"""`treewright train neural`: deletions priced by a network that starts from the parser's
encoder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console
from treewright.cli.parser_train import Encoder, need_torch
from treewright.cli.training import Training, training_command
from treewright.errors import DataError, Problems
from treewright.learning.neural import NeuralCRF, Teacher, ask
from treewright.pruning import Model

if TYPE_CHECKING:
    from treewright.corpora import Pair
    from treewright.parsing import Parser

ParserSpec = Annotated[
    str,
    typer.Option(
        metavar="SPEC|none",
        help="Parse all sources again, with what 'parse --parser' knows: the trees that 'compress' "
        "will see. none: keep the trees of the files.",
    ),
]


def _train(
    learner: NeuralCRF,
    training: Training,
    parser: ParserSpec = "embedded",
    encoder: Encoder = None,
) -> None:
    from treewright.parsing import open_parser

    training.check(learner)
    console.check_stdin(*training.files, parser.removeprefix("file="))
    opened = None if parser == "none" else open_parser(parser)
    need_torch(1, encoder, "a network")
    problems = console.collect(training.strict)
    held_out = _held_out(training, opened, problems)
    pairs = _styled(training, opened, problems)
    data = learner.prepare_styled(pairs, problems=problems, progress=console.progress())
    own = [style for style in data.styles if f"{style}#".startswith(f"{training.pairs}#")]
    if not own:
        raise DataError("there is no pair in it to learn from", where=training.pairs)
    if encoder is not None:
        # A teacher that has learned from the pairs says what it thinks of them.
        teacher = Teacher().fit(encoder, data, progress=console.progress())
        examples = ask(teacher, data.examples, progress=console.progress())
        data = replace(data, examples=examples)
    training.learn(learner, data, held_out, _save, styles=own)
    console.conclude(problems, "pairs")


def _held_out(training: Training, parser: Parser | None, problems: Problems) -> list[Pair]:
    from treewright.alignment import reparse_sources
    from treewright.corpora import read_pairs

    if training.dev is None:
        return []
    pairs = read_pairs(training.dev, target=training.target, problems=problems)
    return list(pairs if parser is None else reparse_sources(pairs, parser, problems=problems))


def _styled(
    training: Training, parser: Parser | None, problems: Problems
) -> Iterator[tuple[Pair, str]]:
    """Yield the pairs to learn from, with the file and target that each comes from."""
    from treewright.learning.neural import styled_pairs

    target = None if training.all_targets else training.target
    for path in training.files:
        yield from styled_pairs(path, path, parser=parser, target=target, problems=problems)


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: from {about['pairs']} pairs, {len(about['losses'])} epochs, "
        f"loss {about['losses'][-1]:.4f}{console.file_size(path)}"
    )


neural = training_command(
    NeuralCRF,
    _train,
    "Train a network for the prices of deletions. It starts from the encoder of the embedded "
    "parser, so that few pairs go far. With --encoder, a teacher learns from the pairs first, and "
    "the network from both. Needs torch; its models do not. With --also, the model is in the "
    "manner of PAIRS.",
    {
        "epochs": "Passes over the pairs.",
        "rate": "Highest learning rate.",
        "encoder_rate": "The same for the encoder.",
        "dropout": "Share of units dropped at random.",
        "tokens": "Tokens per batch.",
        "node": "Width of the layer that looks at nodes.",
        "gap": "Width of the layer that looks at gaps.",
        "seam": "Width of the layer that looks at tokens that become neighbours; 0: none does.",
        "taught": "Weight of the teacher's opinion, with --encoder, beside the pairs' own targets.",
        "seed": "Seed for all random choices.",
    },
    lacks=["grid", "jobs"],
)
