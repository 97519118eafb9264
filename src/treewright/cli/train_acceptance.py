"""`treewright train acceptance`: which versions of a model readers accept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import Problems, UsageError

if TYPE_CHECKING:
    from treewright.compression import Compressor
    from treewright.corpora import Pair
    from treewright.parsing import Parser
    from treewright.pruning.acceptance import Acceptance, Neighbours


def acceptance(
    verdicts: Annotated[
        str,
        typer.Argument(
            metavar="VERDICTS",
            help='JSON lines: {"text": "…", "versions": [{"kept": [0, 1, …], "verdict": '
            '"fine|weak|changed|broken"}]}.',
        ),
    ],
    base: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The model to add the estimate to.")
    ],
    model: options.Out,
    text: Annotated[
        list[str] | None,
        optional(
            "FILE",
            "Running text to count neighbours in, or JSON lines with tokens and tags. Repeat. "
            "Without any, the base's counts are kept.",
        ),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        optional(
            "FILE",
            "Tree pairs that show what people drop although English needs it. Repeat. Without "
            "any, the base's prices are kept.",
        ),
    ] = None,
    surprises: Annotated[
        str | None,
        optional(
            "FILE",
            'JSON lines: {"text": "…", "seams": [[3, 7, 2.5], …]}: tokens 3 and 7 become '
            "neighbours, which surprises a language model by 2.5 nats more than the source. "
            "Without it, what the base knows of surprises is kept. Needs torch.",
        ),
    ] = None,
    opinions: Annotated[
        list[str] | None,
        optional(
            "FILE",
            "More versions to learn from, with the probability that readers accept them in place "
            "of a verdict (recipes/opinions.py). Repeat.",
        ),
    ] = None,
    layers: Annotated[
        bool,
        typer.Option(
            "--layers",
            help="Let two layers of the base's network learn from the verdicts, too: they know what"
            " the dropped words mean. Needs torch.",
        ),
    ] = False,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Learn which versions readers accept, and store the estimate with a model.

    'compress' then prefers versions that readers are likely to accept, and prints the estimate.
    """
    from treewright.compression import Compressor, model_path, with_acceptance
    from treewright.learning.acceptance import read_verdicts
    from treewright.learning.neural import need_torch

    if layers:
        need_torch()
    path = str(model_path(base))
    others = [*(text or []), *(pairs or []), *(opinions or []), *([surprises] if surprises else [])]
    inputs = [verdicts, path, *others]
    console.check_outputs(inputs, [model])
    problems = console.collect(strict)
    compressor = Compressor.load(path, parser=parser)
    if surprises is not None:
        compressor = _surprised(compressor, surprises, problems)
    before = compressor.model.acceptance
    trained = with_acceptance(
        compressor,
        chain.from_iterable(map(read_verdicts, [verdicts, *(opinions or [])])),
        _neighbours(text or [], compressor.parser, before),
        _prices(pairs or [], compressor.parser, before, problems),
        layers=layers,
        taught=bool(opinions),
        problems=problems,
        progress=console.progress(),
    )
    trained.save(model)
    assert trained.acceptance is not None
    console.say(f"{model}: {len(trained.acceptance.losses)} weights of losses")
    console.conclude(problems, "verdicts")


def _surprised(compressor: Compressor, path: str, problems: Problems) -> Compressor:
    """Return a compressor whose model has learned how surprising neighbours are."""
    from treewright.compression import Compressor, with_surprises
    from treewright.learning.neural import need_torch, read_surprises

    need_torch()
    learned = with_surprises(
        compressor, read_surprises(path), problems=problems, progress=console.progress()
    )
    return Compressor(learned, parser=compressor.parser)


def _neighbours(files: list[str], parser: Parser, before: Acceptance | None) -> Neighbours:
    from treewright.compression import tagged_sentences
    from treewright.pruning.acceptance import Neighbours

    if files:
        return Neighbours.learn(
            [sentence for path in files for sentence in tagged_sentences(path, parser)]
        )
    if before is None:
        raise UsageError("the base has no counts of neighbours; give running text with --text")
    return before.neighbours


def _prices(
    files: list[str], parser: Parser, before: Acceptance | None, problems: Problems
) -> dict[str, float]:
    from treewright.compression import prices_of_grammar
    from treewright.learning.neural import styled_pairs

    def read() -> Iterator[Pair]:
        for path in files:
            for pair, _ in styled_pairs(path, path, parser=parser, problems=problems):
                yield pair

    if files:
        return prices_of_grammar(read())
    if before is None:
        raise UsageError("the base has no prices of grammar; give tree pairs with --pairs")
    return dict(before.grammar)
