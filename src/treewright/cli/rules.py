"""`treewright rules`: rules that translate trees, from aligned text, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import DataError, UsageError

if TYPE_CHECKING:
    from treewright.arrays import Longs
    from treewright.grammar import Grammar

app = typer.Typer(help="Extract and show rules that translate trees.", no_args_is_help=True)

Trees = Annotated[str, typer.Argument(metavar="TREES", help="Source trees, one a line.")]


@app.command()
def extract(
    trees: Trees,
    target: Annotated[
        str, typer.Argument(metavar="TGT", help="Target text, tokenised; with --kind trees, trees.")
    ],
    links: options.WordLinks,
    model: options.Out,
    kind: Annotated[
        str | None, typer.Option(help="Targets: strings or trees.", show_default="strings")
    ] = None,
    parts: options.RuleParts = None,
    size: Annotated[
        int | None, optional("N", "Source productions of a composed rule.", "15")
    ] = None,
    depth: Annotated[int | None, optional("N", "Of these, on the longest path.", "5")] = None,
    variables: Annotated[int | None, optional("N", "Variables of a composed rule.", "4")] = None,
    phrases: Annotated[
        int | None, optional("N", "Also rules for phrases of up to N words.", "0: none")
    ] = None,
    unaligned: Annotated[
        str | None,
        typer.Option(
            help="Where unlinked target words go: within the node around them, to the next word, "
            "or every place.",
            show_default="next",
        ),
    ] = None,
    places: Annotated[
        int | None, optional("N", "With every: ways per source fragment.", "16")
    ] = None,
    min_count: Annotated[int | None, optional("N", "Occurrences of a composed rule.", "1")] = None,
    limit: Annotated[int | None, optional("N", "Rules per source side; 0: all.", "30")] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(help="Of probabilities: none, absolute, kneser-ney.", show_default="none"),
    ] = None,
    memory: options.Memory = None,
    engine: options.Engine = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes of the embedded engine.")] = 1,
    strict: options.Strict = False,
) -> None:
    """Extract and score the rules of aligned pairs whose sources are trees."""
    from contextlib import ExitStack
    from dataclasses import asdict

    from treewright.engine import open_engine
    from treewright.translation import RuleSettings, build_rules, read_tree_pairs, save_rules

    settings = RuleSettings(
        **console.given(
            kind=kind,
            parts=parts,
            size=size,
            depth=depth,
            variables=variables,
            phrases=phrases,
            unaligned=unaligned,
            places=places,
            min_count=min_count,
            limit=limit,
            smoothing=smoothing,
            memory=memory,
        )
    )
    console.check_files([trees, target, links], [model])
    problems = console.collect(strict)
    pairs = read_tree_pairs(trees, target, links, kind=settings.kind, problems=problems)
    with ExitStack() as stack:
        opened = None if engine is None else stack.enter_context(open_engine(engine, jobs))
        grammar = build_rules(
            pairs,
            settings=settings,
            engine=opened,
            problems=problems,
            progress=console.progress(streaming=True),
        )
    save_rules(grammar, model, {"rules": asdict(settings)})
    console.say(f"{model}: {len(grammar)} rules")
    console.conclude(problems, "pairs")


@app.command()
def show(
    model: options.ModelFile,
    root: Annotated[str | None, optional("LABEL", "Only rules whose source has this root.")] = None,
    word: Annotated[str | None, optional("WORD", "Only rules with this source word.")] = None,
    top: Annotated[int, typer.Option(min=1, help="Rules shown.")] = 20,
    json: options.Json = False,
) -> None:
    """Show rules with their counts and features, the most frequent first."""
    import numpy as np

    from treewright.grammar import format_rule
    from treewright.translation import load_rules

    grammar, _ = load_rules(model)
    chosen = _chosen(grammar, root, word)
    if not chosen.size:
        raise DataError("no such rules", where=model)
    scores = grammar.features
    assert scores is not None
    chosen = chosen[np.argsort(-grammar.counts[chosen], kind="stable")]
    for number in chosen[:top].tolist():
        rule = format_rule(grammar.rules[number], alignment=True)
        count = float(grammar.counts[number])
        features = dict(zip(grammar.feature_names, scores[number].tolist(), strict=True))
        if json:
            console.put_json({"rule": rule, "count": count, "features": features})
        else:
            shown = "  ".join(f"{name} {value:.2f}" for name, value in features.items() if value)
            console.put(f"{count:g}\t{rule}\t{shown}")
    if chosen.size > top:
        console.say(f"{chosen.size - top} more (--top)")


def _chosen(grammar: Grammar, root: str | None, word: str | None) -> Longs:
    """Return the numbers of the rules with this root and word."""
    import numpy as np

    packed = grammar.packed
    wanted = np.ones(len(packed), np.bool_)
    if root is not None:
        if root not in packed.labels.ids:
            known = ", ".join(sorted(packed.labels.names)[:12])
            raise UsageError(f"no rules with root {root!r}; the labels are {known}, …")
        wanted &= packed.source_root == packed.labels.ids[root]
    if word is not None:
        columns = packed.columns
        number = packed.words.find(word)
        spells = [
            p
            for p in range(1, len(packed.productions.ptr) - 1)
            if number >= 0 and packed.production(p)[1] == -1 - number
        ]
        places = np.flatnonzero(np.isin(columns.source_symbol, spells))
        has = np.zeros(len(packed), np.bool_)
        has[np.searchsorted(columns.source_ptr, places, side="right") - 1] = True
        wanted &= has
    return np.flatnonzero(wanted)


@app.command()
def usable(
    trees: Trees,
    links: Annotated[
        str, typer.Argument(metavar="LINKS", help="Word links; of gold ones, those that are sure.")
    ],
    reverse: Annotated[
        bool, typer.Option("--reverse", help="The trees are those of the links' target side.")
    ] = False,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Say how many constituents of two or more words rules can be rooted in, given word links."""
    from treewright.translation import read_aligned_trees, usable_constituents

    console.check_stdin(trees, links)
    problems = console.collect(strict)
    found = usable_constituents(
        read_aligned_trees(trees, links, reverse=reverse, problems=problems)
    )
    if json:
        console.put_json({**found._asdict(), "share": found.share})
    else:
        console.put(f"{found.share:.1%} ({found.usable} of {found.constituents})")
    console.conclude(problems, "trees")
