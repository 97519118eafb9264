"""`treewright train phrase` and `ghkm`: from parallel text to tuned models that translate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.cli.training import interruptible
from treewright.errors import UsageError, choose

Target = Annotated[str, typer.Argument(metavar="TGT", help="Its translation, line by line.")]
Dev = Annotated[
    tuple[str, str], typer.Option(metavar="SRC REF", help="Text to tune on, its translation.")
]
Stop = Annotated[tuple[str, str] | None, optional("SRC REF", "Second dev text, which ends tuning.")]
StopSkeletons = Annotated[str | None, optional("FILE", "Those of the second dev text.")]
Links = Annotated[str | None, typer.Option(metavar="FILE", help="Word links, instead of aligning.")]
Languages = Annotated[
    tuple[str, str] | None, optional("SRC TGT", "Tokenisers for translate --raw, such as en de.")
]
Casing = Annotated[
    str | None,
    typer.Option(help="lower, true (first words in usual case) or cased.", show_default="lower"),
]
Order = Annotated[int | None, optional("N", "Order of language models.", "5")]
Tuning = Annotated[str | None, typer.Option(help="mira, mert or pro.", show_default="mira")]
Iterations = Annotated[int | None, typer.Option(min=1, help="Rounds of tuning.", show_default="8")]
Work = Annotated[
    str | None, optional("DIR", "Keep finished parts here; otherwise in OUT.parts until the end.")
]
_KINDS = {"t2s": "strings", "t2t": "trees"}


def _train(
    learner: Any,
    files: Any,
    model: str,
    work: str | None,
    size: Callable[[Any], str],
    *,
    strict: bool,
) -> None:
    """Train and save a model; parts are kept in a folder of its own unless one is given."""
    from treewright.translation import Workshop

    problems = console.collect(strict)
    shop = Workshop(work or f"{model}.parts", console.say)
    with interruptible(lambda: f"what is finished is in {shop.folder}; run the command again"):
        made = learner.fit(files, shop, problems=problems, progress=console.progress())
        made.save(model)
    if work is None:
        shop.clear()
    console.conclude(problems, "pairs")
    about = made.metadata
    console.say(
        f"{model}: {size(made)} from {about['pairs']} sentence pairs, "
        f"BLEU {about['bleu']:.2f} on the dev text"
    )


def phrase(
    source: options.SourceText,
    target: Target,
    model: options.Out,
    dev: Dev,
    stop: Stop = None,
    lm: Annotated[
        list[str] | None, optional("TEXT", "More text in the target language. Repeat.")
    ] = None,
    lm_model: Annotated[
        list[str] | None, optional("MODEL", "More language models. Repeat.")
    ] = None,
    links: Links = None,
    table: Annotated[
        str | None, optional("FILE", "A phrase table, instead of extracting it.")
    ] = None,
    languages: Languages = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(
            help="How links are symmetrised, see align --help.", show_default="grow-diag-final-and"
        ),
    ] = None,
    casing: Casing = None,
    order: Order = None,
    max_length: options.MaxLength = None,
    smoothing: options.PhraseSmoothing = None,
    distortion: Annotated[int | None, optional("N", "Longest jump in words; -1: any.", "6")] = None,
    skeleton: Annotated[
        str | None,
        optional("VARIANT", "Score skeletons: full, no-lm, no-phrases, space, feature or soft."),
    ] = None,
    skeletons: Annotated[
        tuple[str, str] | None,
        optional("TRAIN DEV", "Skeletons of the source texts, instead of finding them."),
    ] = None,
    stop_skeletons: StopSkeletons = None,
    skeleton_model: Annotated[
        str | None, optional("MODEL", "What finds skeletons, see skeleton --help.", "news")
    ] = None,
    skeleton_rate: Annotated[
        float | None, optional("R", "At most this share of the words is kept.", "0.65")
    ] = None,
    skeleton_parser: Annotated[
        str | None, optional("SPEC", "The parser of their language.", "embedded")
    ] = None,
    tuning: Tuning = None,
    iterations: Iterations = None,
    work: Work = None,
    seed: options.Seed = 0,
    jobs: options.Threads = 2,
    strict: options.Strict = False,
) -> None:
    """Align, extract phrases, estimate the language model, tune; write one model file.

    Run the same command again after an interruption: finished parts are used again. With
    --skeleton, the model also scores how the skeleton of a sentence is translated.
    """
    from treewright.translation import PhraseSettings, Search, TuningSettings

    make_files, make_learner = _makers(
        skeleton,
        console.given(model=skeleton_model, rate=skeleton_rate, parser=skeleton_parser),
        console.given(
            skeletons=skeletons and skeletons[0],
            dev_skeletons=skeletons and skeletons[1],
            stop_skeletons=stop_skeletons,
        ),
        jobs,
    )
    files = make_files(
        source=source,
        target=target,
        dev=dev,
        stop=stop,
        texts=tuple(lm or ()),
        models=tuple(lm_model or ()),
        links=links,
        table=table,
    )
    console.check_outputs(files.paths, [model])
    learner = make_learner(
        phrases=PhraseSettings(**console.given(max_length=max_length, smoothing=smoothing)),
        search=Search(**console.given(distortion=distortion)),
        tuning=TuningSettings(**console.given(method=tuning, iterations=iterations)),
        seed=seed,
        jobs=jobs,
        **console.given(symmetrize=symmetrize, casing=casing, order=order, languages=languages),
    )
    _train(
        learner, files, model, work, lambda made: f"{len(made.table)} phrase pairs", strict=strict
    )


def _makers(
    variant: str | None, finding: Mapping[str, Any], given: Mapping[str, Any], jobs: int
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what makes files and learner, with or without skeletons."""
    from treewright.translation import (
        VARIANTS,
        PhraseFiles,
        PhraseLearner,
        SkeletonFiles,
        SkeletonFinder,
        SkeletonLearner,
    )

    if variant is None:
        if finding or given:
            raise UsageError("skeletons are scored only with --skeleton; say which variant")
        return PhraseFiles, PhraseLearner
    use = VARIANTS[choose(variant, tuple(VARIANTS), "variant of skeletons")]
    if finding and given:
        raise UsageError("skeletons are given or found: leave out --skeletons, or how to find them")
    finder = None if given else SkeletonFinder(**finding, jobs=jobs)
    return partial(SkeletonFiles, **given), partial(SkeletonLearner, use=use, finder=finder)


def ghkm(
    source: options.SourceText,
    target: Target,
    model: options.Out,
    dev: Dev,
    kind: Annotated[
        str,
        typer.Option(help="t2s: rules from trees to strings; t2t: from trees to trees."),
    ] = "t2s",
    trees: Annotated[str | None, optional("FILE", "Trees of SRC, instead of parsing it.")] = None,
    target_trees: Annotated[
        str | None, optional("FILE", "Trees of TGT, instead of parsing it.")
    ] = None,
    dev_trees: Annotated[str | None, optional("FILE", "Trees of the dev text.")] = None,
    stop: Stop = None,
    stop_trees: Annotated[str | None, optional("FILE", "Trees of the second dev text.")] = None,
    parser: Annotated[
        str | None, optional("NAME", "Parser of SRC and of later inputs.", "embedded")
    ] = None,
    target_parser: Annotated[
        str | None, optional("NAME", "Parser of TGT, for t2t.", "embedded")
    ] = None,
    alignment: Links = None,
    rules: Annotated[str | None, optional("FILE", "Rules, instead of extracting them.")] = None,
    lm: Annotated[
        list[str] | None, optional("TEXT", "More text for the language model. Repeat.")
    ] = None,
    languages: Languages = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(help="How links are symmetrised, see align --help.", show_default="posterior"),
    ] = None,
    casing: Casing = None,
    order: Order = None,
    parts: options.RuleParts = None,
    phrases: Annotated[int | None, optional("N", "Also rules for phrases of N words.", "5")] = None,
    binarize: Annotated[
        str | None,
        typer.Option(help="Source trees: none, left or right.", show_default="none"),
    ] = None,
    beam: Annotated[int | None, optional("N", "States kept per node.", "100")] = None,
    dev_skeletons: Annotated[
        str | None, optional("FILE", "Skeletons of the dev text: score rules that cross them.")
    ] = None,
    stop_skeletons: StopSkeletons = None,
    tuning: Tuning = None,
    iterations: Iterations = None,
    work: Work = None,
    seed: options.Seed = 0,
    jobs: options.Threads = 2,
    strict: options.Strict = False,
) -> None:
    """Parse, align, extract rules, estimate the language model, tune; write one model file.

    Run the same command again after an interruption: finished parts are used again.
    """
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
    _train(learner, files, model, work, lambda made: f"{len(made.grammar)} rules", strict=strict)
