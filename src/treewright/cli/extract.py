"""`treewright extract`: rules from pairs, counted but not trained."""

from __future__ import annotations

from typing import Annotated

from treewright.cli import console, options
from treewright.cli.options import optional


def extract(
    pairs: options.Pairs,
    target: options.Target = 0,
    model: Annotated[
        str | None, optional("OUT", "Write a model weighted by add-one counts instead.")
    ] = None,
    parts: options.Parts = None,
    variables: options.Variables = None,
    depth: options.Depth = None,
    min_count: options.MinCount = None,
    strict: options.Strict = False,
) -> None:
    """Print the rules of tree pairs with their counts, most frequent first."""
    from treewright.grammar import Extraction, Grammar, format_rule
    from treewright.pruning import Model

    console.check_outputs([pairs], [model])
    problems = console.collect(strict)
    extraction = Extraction(
        **console.given(parts=parts, variables=variables, depth=depth, min_count=min_count)
    )
    counts = extraction(
        console.aligned_pairs(pairs, target, problems),
        problems=problems,
        progress=console.progress(),
    )
    if model is not None:
        from treewright.learning import flat

        grammar = Grammar.from_counts(counts)
        smoothed = flat(grammar, grammar.counts, 1.0)
        Model(*smoothed, {"learner": "extract", "rules": len(grammar)}).save(model)
        console.say(f"{model}: {len(grammar)} rules")
    else:
        for rule, count in sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))):
            console.put(f"{count}\t{format_rule(rule)}")
    console.conclude(problems, "pairs")
