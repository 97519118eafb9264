"""`treewright train phrase`: from parallel text to a tuned phrase model."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.training import interruptible


def phrase(
    source: Annotated[str, typer.Argument(metavar="SRC", help="Source text, tokenised.")],
    target: Annotated[str, typer.Argument(metavar="TGT", help="Its translation, line by line.")],
    model: options.Out,
    dev: Annotated[
        tuple[str, str], typer.Option(metavar="SRC REF", help="Text to tune on, its translation.")
    ],
    stop: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="SRC REF", help="Second dev text, which ends tuning."),
    ] = None,
    lm: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="More text in the target language. Repeat."),
    ] = None,
    lm_model: Annotated[
        list[str] | None, typer.Option(metavar="MODEL", help="More language models. Repeat.")
    ] = None,
    links: Annotated[
        str | None, typer.Option(metavar="FILE", help="Word links, instead of aligning.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="FILE", help="A phrase table, instead of extracting it.")
    ] = None,
    languages: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="SRC TGT", help="Tokenisers for translate --raw, such as en de."),
    ] = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(
            help="How links are symmetrised, see align --help.", show_default="grow-diag-final-and"
        ),
    ] = None,
    casing: Annotated[
        str | None,
        typer.Option(
            help="lower, true (first words in usual case) or cased.", show_default="lower"
        ),
    ] = None,
    order: Annotated[
        int | None,
        typer.Option(metavar="N", help="Order of the language models.", show_default="5"),
    ] = None,
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
    tuning: Annotated[
        str | None, typer.Option(help="mira, mert or pro.", show_default="mira")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Rounds of tuning.", show_default="8")
    ] = None,
    work: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Keep finished parts here; otherwise in OUT.parts until the end."
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Threads.")] = 2,
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
        Workshop,
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
        f"{model}: {len(made.table)} phrase pairs from {about['pairs']} sentence pairs, "
        f"BLEU {about['bleu']:.2f} on the dev text"
    )
