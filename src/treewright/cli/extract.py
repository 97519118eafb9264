"""`treewright extract`: rules from pairs, counted but not trained."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.train import Depth, MinCount, Parts, Variables


def extract(
    pairs: options.Pairs,
    target: options.Target = 0,
    model: Annotated[
        str | None,
        typer.Option(metavar="OUT", help="Write a model weighted by add-one counts instead."),
    ] = None,
    parts: Parts = 2,
    variables: Variables = 3,
    depth: Depth = 4,
    min_count: MinCount = 2,
    strict: options.Strict = False,
) -> None:
    """Print the rules of tree pairs with their counts, most frequent first."""
    from treewright.grammar import Extraction, Grammar, Model, format_rule
    from treewright.learning import flat

    problems = console.collect(strict)
    extraction = Extraction(parts=parts, variables=variables, depth=depth, min_count=min_count)
    counts = extraction(
        console.aligned_pairs(pairs, target, problems),
        problems=problems,
        progress=console.progress(),
    )
    grammar = Grammar.from_counts(counts)
    if model is not None:
        smoothed = flat(grammar, grammar.counts, 1.0)
        Model(*smoothed, {"learner": "extract", "rules": len(grammar)}).save(model)
        console.say(f"{model}: {len(grammar)} rules")
    else:
        for rule, count in sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))):
            console.put(f"{count}\t{format_rule(rule)}")
    console.conclude(problems, "pairs")
