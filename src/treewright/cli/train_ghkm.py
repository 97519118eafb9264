"""`treewright train ghkm`: from parallel text and trees to a tuned model of rules."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli import translation_training as shared

_KINDS = {"t2s": "strings", "t2t": "trees"}


def ghkm(
    source: shared.Source,
    target: shared.Target,
    model: options.Out,
    dev: shared.Dev,
    kind: Annotated[
        str,
        typer.Option(help="t2s: rules from trees to strings; t2t: from trees to trees."),
    ] = "t2s",
    trees: Annotated[
        str | None, typer.Option(metavar="FILE", help="Trees of SRC, instead of parsing it.")
    ] = None,
    target_trees: Annotated[
        str | None, typer.Option(metavar="FILE", help="Trees of TGT, instead of parsing it.")
    ] = None,
    dev_trees: Annotated[
        str | None, typer.Option(metavar="FILE", help="Trees of the dev text.")
    ] = None,
    stop: shared.Stop = None,
    stop_trees: Annotated[
        str | None, typer.Option(metavar="FILE", help="Trees of the second dev text.")
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Parser of SRC and of later inputs.", show_default="embedded"
        ),
    ] = None,
    target_parser: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Parser of TGT, for t2t.", show_default="embedded"),
    ] = None,
    alignment: shared.Links = None,
    rules: Annotated[
        str | None, typer.Option(metavar="FILE", help="Rules, instead of extracting them.")
    ] = None,
    lm: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="More text for the language model. Repeat."),
    ] = None,
    languages: shared.Languages = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(help="How links are symmetrised, see align --help.", show_default="posterior"),
    ] = None,
    casing: shared.Casing = None,
    order: shared.Order = None,
    parts: options.RuleParts = None,
    phrases: Annotated[
        int | None,
        typer.Option(metavar="N", help="Also rules for phrases of N words.", show_default="5"),
    ] = None,
    binarize: Annotated[
        str | None,
        typer.Option(help="Source trees: none, left or right.", show_default="none"),
    ] = None,
    beam: Annotated[
        int | None, typer.Option(metavar="N", help="States kept per node.", show_default="100")
    ] = None,
    dev_skeletons: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Skeletons of the dev text: score rules that cross them.",
        ),
    ] = None,
    stop_skeletons: Annotated[
        str | None, typer.Option(metavar="FILE", help="Those of the second dev text.")
    ] = None,
    tuning: shared.Tuning = None,
    iterations: shared.Iterations = None,
    work: shared.Work = None,
    seed: options.Seed = 0,
    jobs: shared.Threads = 2,
    strict: options.Strict = False,
) -> None:
    """Parse, align, extract rules, estimate the language model, tune; write one model file.

    Run the same command again after an interruption: finished parts are used again.
    """
    from treewright.errors import choose
    from treewright.translation import (
        PHRASES,
        RuleFiles,
        RuleLearner,
        RuleSearch,
        RuleSettings,
        TuningSettings,
    )

    files = RuleFiles(
        source=source,
        target=target,
        dev=dev,
        stop=stop,
        trees=trees,
        target_trees=target_trees,
        dev_trees=dev_trees,
        stop_trees=stop_trees,
        dev_skeletons=dev_skeletons,
        stop_skeletons=stop_skeletons,
        texts=tuple(lm or ()),
        links=alignment,
        rules=rules,
    )
    console.check_outputs(files.paths, [model])
    targets = _KINDS[choose(kind, _KINDS, "kind of rules")]
    learner = RuleLearner(
        rules=RuleSettings(
            kind=targets, **{"phrases": PHRASES} | console.given(parts=parts, phrases=phrases)
        ),
        search=RuleSearch(**console.given(beam=beam)),
        tuning=TuningSettings(**console.given(method=tuning, iterations=iterations)),
        seed=seed,
        jobs=jobs,
        **console.given(
            symmetrize=symmetrize,
            casing=casing,
            order=order,
            languages=languages,
            binarize=binarize,
            parser=parser,
            target_parser=target_parser,
        ),
    )
    made = shared.make_model(learner, files, model, work, strict=strict)
    about = made.metadata
    console.say(
        f"{model}: {len(made.grammar)} rules from {about['pairs']} sentence pairs, "
        f"BLEU {about['bleu']:.2f} on the dev text"
    )
