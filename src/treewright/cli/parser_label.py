"""`treewright parser label`: a teacher's opinion of raw sentences, for a parser to learn from."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.parser_train import Encoder, Threads, need_torch
from treewright.cli.training import interruptible


def label(
    teacher: Annotated[str, typer.Argument(metavar="TEACHER", help="From 'parser train'.")],
    texts: Annotated[
        list[str],
        typer.Argument(metavar="FILES", help="One sentence per line, tokens separated by spaces."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Labels to write.")],
    treebank: Annotated[str, typer.Option(metavar="NAME", help="Style of the labels' trees.")],
    encoder: Encoder = None,
    longest: Annotated[int, typer.Option(min=1, help="Leave out longer sentences.")] = 60,
    threads: Threads = 1,
    strict: options.Strict = False,
) -> None:
    """Write the probabilities of spans and tags that a teacher gives to raw sentences."""
    need_torch(threads, encoder)
    from treewright.cli.sentences import Given, tokenised_lines
    from treewright.errors import DataError
    from treewright.parsing.embedded.training.labels import label as label_sentences
    from treewright.parsing.embedded.training.labels import write_labels
    from treewright.parsing.embedded.training.storage import read_teacher

    console.check_stdin(teacher, *texts)
    console.check_outputs([teacher, *texts], [output])
    network, inventory = read_teacher(teacher, encoder)
    problems = console.collect(strict)
    sentences = []
    for item in (item for path in texts for item in tokenised_lines(path)):
        if isinstance(item, DataError):
            problems.add(item)
        elif isinstance(item, Given) and len(item.words) <= longest:
            sentences.append(item.words)
    if not sentences:
        raise DataError("no sentences to label", where=", ".join(texts))
    with interruptible(lambda: "nothing is kept"):
        made = label_sentences(network, inventory, sentences, treebank, console.progress())
        write_labels(output, made, inventory)
    console.say(f"{output}: {len(made)} sentences labelled as {treebank}")
    console.conclude(problems, "sentences")
