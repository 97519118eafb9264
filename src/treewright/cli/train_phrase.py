"""`treewright train phrase`: from parallel text to a tuned phrase model."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli import translation_training as shared


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
    max_length: Annotated[
        int | None, typer.Option(metavar="N", help="Words of a phrase.", show_default="7")
    ] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(
            help="Of phrase probabilities: none, absolute, kneser-ney.", show_default="kneser-ney"
        ),
    ] = None,
    distortion: Annotated[
        int | None,
        typer.Option(metavar="N", help="Longest jump in words; -1: any.", show_default="6"),
    ] = None,
    tuning: shared.Tuning = None,
    iterations: shared.Iterations = None,
    work: shared.Work = None,
    seed: options.Seed = 0,
    jobs: shared.Threads = 2,
    strict: options.Strict = False,
) -> None:
    """Align, extract phrases, estimate the language model, tune; write one model file.

    Run the same command again after an interruption: finished parts are used again.
    """
    from treewright.translation import (
        PhraseFiles,
        PhraseLearner,
        PhraseSettings,
        Search,
        TuningSettings,
    )

    files = PhraseFiles(
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
    learner = PhraseLearner(
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
