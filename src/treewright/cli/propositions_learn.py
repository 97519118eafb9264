"""`treewright propositions learn`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.propositions import opened_engine
from treewright.propositions import STRUCTURES

_TEXT = "Plain text, or JSON Lines with tokenised sentences (.gz too); - is stdin."


def learn(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help=_TEXT)],
    model: options.Out,
    paper: Annotated[
        bool, typer.Option("--paper", help="The paper's own recipe, without our extensions.")
    ] = False,
    structure: Annotated[
        str, typer.Option(metavar="|".join(STRUCTURES), help="What a class depends on.")
    ] = "slots",
    shapes: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Structures to look for, with commas.")
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Where classes of names come from, with commas."),
    ] = None,
    classes: Annotated[int, typer.Option(min=1, help="Classes of a name.")] = 3,
    unknown: Annotated[int, typer.Option(min=1, help="Classes of an unknown name.")] = 20,
    raw: Annotated[bool, typer.Option("--raw", help="JSON Lines hold plain text.")] = False,
    parser: options.ParserSpec = "embedded",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that parse.")] = 1,
    engine: options.Engine = None,
    strict: options.Strict = False,
) -> None:
    """Learn classes of names, and what does what to what, from text.

    Sentences in other languages and those that cannot be parsed are skipped and reported.
    """
    from treewright.errors import choose
    from treewright.propositions import (
        SHAPES,
        WAYS,
        PropositionLearner,
        gather_files,
        save_model,
    )
    from treewright.propositions import paper as paper_recipe

    choose(structure, STRUCTURES, "structure")
    console.check_stdin(*texts)
    console.check_outputs([*texts, console.trees_of(parser)], [model])
    learner = paper_recipe() if paper else PropositionLearner(structure=structure)
    learner.classes.most, learner.classes.unknown = classes, unknown
    if shapes is not None:
        learner.shapes = _chosen(shapes, SHAPES, "shape")
    if sources is not None:
        learner.classes.ways = _chosen(sources, WAYS, "source")
    problems = console.collect(strict)
    with opened_engine(engine, jobs, parser) as opened:
        gathered = gather_files(
            texts,
            parser,
            problems,
            shapes=learner.shapes,
            raw=raw,
            engine=opened,
            progress=console.progress(thread=opened is None),
        )
    console.conclude(problems, "sentences")
    learner.fit(gathered, console.progress())
    console.say(f"{gathered.sentences:,} sentences read")
    save_model(learner.model_, model)
    made = learner.model_.metadata
    console.say(f"{made['names with classes']:,} names in {made['classes']:,} classes")


def _chosen(text: str, known: tuple[str, ...], what: str) -> tuple[str, ...]:
    from treewright.errors import choose

    return tuple(choose(name.strip(), known, what) for name in text.split(","))
