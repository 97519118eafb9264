"""`treewright train phrase`: from parallel text to a tuned phrase model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer

from treewright.cli import console, options
from treewright.cli import translation_training as shared
from treewright.errors import UsageError, choose


def phrase(
    source: shared.Source,
    target: shared.Target,
    model: options.Out,
    dev: shared.Dev,
    stop: shared.Stop = None,
    lm: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="More text in the target language. Repeat."),
    ] = None,
    lm_model: Annotated[
        list[str] | None, typer.Option(metavar="MODEL", help="More language models. Repeat.")
    ] = None,
    links: shared.Links = None,
    table: Annotated[
        str | None, typer.Option(metavar="FILE", help="A phrase table, instead of extracting it.")
    ] = None,
    languages: shared.Languages = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(
            help="How links are symmetrised, see align --help.", show_default="grow-diag-final-and"
        ),
    ] = None,
    casing: shared.Casing = None,
    order: shared.Order = None,
    max_length: options.MaxLength = None,
    smoothing: options.PhraseSmoothing = None,
    distortion: Annotated[
        int | None,
        typer.Option(metavar="N", help="Longest jump in words; -1: any.", show_default="6"),
    ] = None,
    skeleton: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT",
            help="Score skeletons: full, no-lm, no-phrases, space, feature or soft.",
        ),
    ] = None,
    skeletons: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="TRAIN DEV", help="Skeletons of the source texts, instead of finding them."
        ),
    ] = None,
    stop_skeletons: Annotated[
        str | None, typer.Option(metavar="FILE", help="Those of the second dev text.")
    ] = None,
    skeleton_model: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="What finds skeletons, see skeleton --help.", show_default="news"
        ),
    ] = None,
    skeleton_rate: Annotated[
        float | None,
        typer.Option(
            metavar="R", help="At most this share of the words is kept.", show_default="0.65"
        ),
    ] = None,
    skeleton_parser: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="The parser of their language.", show_default="embedded"),
    ] = None,
    tuning: shared.Tuning = None,
    iterations: shared.Iterations = None,
    work: shared.Work = None,
    seed: options.Seed = 0,
    jobs: shared.Threads = 2,
    strict: options.Strict = False,
) -> None:
    """Align, extract phrases, estimate the language model, tune; write one model file.

    Run the same command again after an interruption: finished parts are used again. With
    --skeleton, the model also scores how the skeleton of a sentence is translated.
    """
    from treewright.translation import PhraseSettings, Search, TuningSettings

    kind = _kind(
        skeleton,
        console.given(model=skeleton_model, rate=skeleton_rate, parser=skeleton_parser),
        console.given(
            skeletons=skeletons and skeletons[0],
            dev_skeletons=skeletons and skeletons[1],
            stop_skeletons=stop_skeletons,
        ),
        jobs,
    )
    files = kind.files(
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
    learner = kind.learner(
        phrases=PhraseSettings(**console.given(max_length=max_length, smoothing=smoothing)),
        search=Search(**console.given(distortion=distortion)),
        tuning=TuningSettings(**console.given(method=tuning, iterations=iterations)),
        seed=seed,
        jobs=jobs,
        **console.given(symmetrize=symmetrize, casing=casing, order=order, languages=languages),
    )
    made = shared.make_model(learner, files, model, work, strict=strict)
    about = made.metadata
    console.say(
        f"{model}: {len(made.table)} phrase pairs from {about['pairs']} sentence pairs, "
        f"BLEU {about['bleu']:.2f} on the dev text"
    )


class _Kind(NamedTuple):
    """What files and learner are made by, with or without skeletons."""

    files: Callable[..., Any]
    learner: Callable[..., Any]


def _kind(
    variant: str | None, finding: Mapping[str, Any], given: Mapping[str, Any], jobs: int
) -> _Kind:
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
        return _Kind(PhraseFiles, PhraseLearner)
    use = VARIANTS[choose(variant, tuple(VARIANTS), "variant of skeletons")]
    if finding and given:
        raise UsageError("skeletons are given or found: leave out --skeletons, or how to find them")
    return _Kind(
        partial(SkeletonFiles, **given),
        partial(
            SkeletonLearner,
            use=use,
            finder=None if given else SkeletonFinder(**finding, jobs=jobs),
        ),
    )
