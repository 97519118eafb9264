"""`treewright propositions`: what a body of text takes for granted about its domain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError, choose

_TEXT = "Plain text, or JSON Lines with tokenised sentences (.gz too); - is stdin."

Raw = Annotated[bool, typer.Option("--raw", help="JSON Lines hold plain text.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that parse.")]

app = typer.Typer(help="Learn from text what does what to what, and use it.", no_args_is_help=True)


@app.command()
def learn(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help=_TEXT)],
    model: options.Out,
    paper: Annotated[
        bool, typer.Option("--paper", help="The paper's own recipe, without our extensions.")
    ] = False,
    structure: Annotated[
        str, typer.Option(metavar="slots|chain", help="What a class depends on.")
    ] = "slots",
    shapes: Annotated[str | None, optional("NAMES", "Structures to look for, with commas.")] = None,
    sources: Annotated[
        str | None, optional("NAMES", "Where classes of names come from, with commas.")
    ] = None,
    classes: Annotated[int, typer.Option(min=1, help="Classes of a name.")] = 3,
    unknown: Annotated[int, typer.Option(min=1, help="Classes of an unknown name.")] = 20,
    raw: Raw = False,
    parser: options.ParserSpec = "embedded",
    jobs: Jobs = 1,
    engine: options.Engine = None,
    strict: options.Strict = False,
) -> None:
    """Learn classes of names, and what does what to what, from text.

    Sentences in other languages and those that cannot be parsed are skipped and reported.
    """
    from treewright.propositions import (
        SHAPES,
        STRUCTURES,
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
    with console.opened_engine(engine, jobs, parser) as opened:
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
    return tuple(choose(name.strip(), known, what) for name in text.split(","))


@app.command()
def label(
    model: options.ModelFile,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="Plain text, or JSON Lines (.gz too); - is stdin."),
    ],
    best: Annotated[int, typer.Option(min=1, metavar="K", help="Readings of an instance.")] = 1,
    full: Annotated[
        bool, typer.Option("--full", help="Also shapes, kinds, characters, tree nodes.")
    ] = False,
    raw: Raw = False,
    parser: options.ParserSpec = "embedded",
    jobs: Jobs = 1,
    engine: options.Engine = None,
    strict: options.Strict = False,
) -> None:
    """Print the propositions of each sentence as JSON Lines."""
    from treewright.propositions import label_passages, load_model, read_passages

    console.check_stdin(model, text)
    opened = load_model(model)
    problems = console.collect(strict)
    passages = read_passages(text, problems, raw=raw)
    with console.opened_engine(engine, jobs, parser) as on_engine:
        for row in label_passages(
            opened, passages, parser, problems, number=best, full=full, engine=on_engine
        ):
            console.put_json(row)
    console.conclude(problems, "sentences")


@app.command()
def show(
    model: options.ModelFile,
    verb: Annotated[str | None, typer.Option(metavar="V", help="Only with this verb.")] = None,
    noun: Annotated[
        str | None, typer.Option("--class", metavar="C", help="Only with this class.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many.")] = 20,
    json: options.Json = False,
) -> None:
    """Print the most frequent propositions, with how often they occur and an example."""
    from treewright.propositions import load_model

    shown = 0
    for classes, found in load_model(model).counted():
        best = found[0]
        verbs = [one for one, kind in zip(classes, best.kinds, strict=True) if kind == "verb"]
        if (verb is not None and verb not in verbs) or (noun is not None and noun not in classes):
            continue
        count = sum(one.count for one in found)
        if json:
            row = {"count": count, "classes": classes, "instances": len(found)}
            console.put_json(row | {"shape": best.shape, "example": best.words})
        else:
            console.put(f"{count:8,}  {' '.join(classes):50} e.g. {' '.join(best.words)}")
        shown += 1
        if shown == top:
            break
    if not shown:
        console.say("no such proposition")


@app.command()
def roles(
    model: options.ModelFile,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Lines {"id", "text", "name": [first, last]}; - is stdin.'
        ),
    ],
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Classes of each name.")] = 10,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Rank the classes of names in sentences: JSON Lines {"id", "classes"}, best first."""
    from treewright.propositions import load_model, rank_roles, read_role_items

    console.check_stdin(model, file)
    opened = load_model(model)
    problems = console.collect(strict)
    for item, classes in rank_roles(
        opened, read_role_items(file, problems), parser, problems, number=top
    ):
        console.put_json({"id": item.id, "classes": classes})
    console.conclude(problems, "items")


@app.command()
def score(
    model: options.ModelFile,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Lines {"id", "a", "a_names", "b", "b_names"}; - is stdin.'
        ),
    ],
    strict: options.Strict = False,
) -> None:
    """Print the log-probabilities of two tuples a line: JSON Lines {"id", "a", "b"}."""
    from treewright.propositions import load_model, read_tuple_items

    console.check_stdin(model, file)
    opened = load_model(model)
    problems = console.collect(strict)
    for item in read_tuple_items(file, problems):
        first = opened.log_sense(item.a, item.a_names)
        second = opened.log_sense(item.b, item.b_names)
        console.put_json({"id": item.id, "a": first, "b": second})
    console.conclude(problems, "items")


@app.command()
def browse(
    model: options.ModelFile,
    output: Annotated[str, typer.Option("--output", "-o", metavar="PAGE.html", help="The page.")],
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Propositions on the page.")] = 2000,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
) -> None:
    """Write a page to browse propositions, names and sentences; it needs no server."""
    from treewright.propositions import load_model, write_page

    console.check_outputs([model], [output])
    write_page(load_model(model), output, top=top, **console.given(title=title))


@app.command()
def enrich(
    model: options.ModelFile,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="A phrase a line (Young to Holt); - is stdin."),
    ] = "-",
    best: Annotated[int, typer.Option(min=1, metavar="K", help="Guesses for each phrase.")] = 3,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Guess what phrases without a verb leave unsaid: JSON Lines {"text", "propositions"}."""
    from treewright.propositions import Enricher, enrich_lines, load_model

    console.check_stdin(model, text)
    enricher = Enricher(load_model(model))
    problems = console.collect(strict)
    for line, found in enrich_lines(enricher, text, parser, problems, number=best):
        rows = [
            {
                "instance": one.instance,
                "classes": one.classes,
                "probability": one.probability,
                "support": one.support,
            }
            for one in found
        ]
        console.put_json({"text": line, "propositions": rows})
    console.conclude(problems, "lines")


@app.command()
def export(
    model: options.ModelFile,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A table (.csv, .parquet) or a graph (.graphml)."
        ),
    ],
) -> None:
    """Write propositions as a table, or classes and what they do as a graph."""
    from treewright.propositions import load_model, write_csv, write_graphml, write_parquet

    writers = {".csv": write_csv, ".parquet": write_parquet, ".graphml": write_graphml}
    ending = Path(output).suffix
    if ending not in writers:
        raise UsageError(f"{output}: the name must end in one of: {', '.join(writers)}")
    console.check_outputs([model], [output])
    writers[ending](load_model(model), output)


@app.command()
def judge(
    model: options.ModelFile,
    top: Annotated[int, typer.Option(min=0, metavar="N", help="The most frequent ones.")] = 100,
    drawn: Annotated[
        int, typer.Option("--random", min=0, metavar="N", help="Others, drawn at random.")
    ] = 100,
    seed: options.Seed = 0,
) -> None:
    """Print propositions as statements for people to judge, for 'annotate make': JSON Lines."""
    from treewright.propositions import load_model, questions

    for row in questions(load_model(model), top=top, drawn=drawn, seed=seed):
        console.put_json(row)
