"""`treewright paraphrase`: harvest other ways to say a phrase, and look them up."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import DataError, UsageError, choose
from treewright.files import as_json

app = typer.Typer(
    help="Harvest other ways to say a phrase from text, and look them up.", no_args_is_help=True
)

Model = Annotated[str, typer.Argument(metavar="M", help="A model by harvest or combine.")]
Most = Annotated[int, typer.Option("--k", min=1, help="Paraphrases of a phrase.")]
Redundancy = Annotated[
    str | None,
    typer.Option(
        help="any; other: only with another main verb; each: one of each other verb.",
        show_default="as the model was made",
    ),
]

KeepAntonyms = Annotated[
    bool | None,
    typer.Option(
        "--keep-antonyms/--drop-antonyms",
        help="Whether verbs of opposite meaning stay.",
        show_default="dropped, but not by pd --as paper",
    ),
]


@app.command()
def harvest(
    method: Annotated[str, typer.Argument(metavar="pd|br|pivot", help="What is compared.")],
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS…",
            help="One tokenised sentence a line, plain or .gz; with tags (word_TAG) or as "
            "bracketed trees if there are any. pivot: English text, its translation, and so on.",
        ),
    ],
    model: options.Out,
    named: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="Settings: best; paper or dirt (pd), typed (pivot).",
            show_default="best",
        ),
    ] = None,
    pattern: Annotated[
        str | None, optional("TAGS", "Tags of a phrase, such as '(TO | VB)+'.")
    ] = None,
    category: Annotated[str | None, optional("LABEL", "Constituents instead, such as NP.")] = None,
    runs: Annotated[
        str | None, typer.Option(help="maximal matches of the pattern, or all parts of them.")
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Rarer candidates come last.")
    ] = None,
    paths: Annotated[
        bool,
        typer.Option("--paths", help="pd, br: also grammatical relations; text is parsed."),
    ] = False,
    links: Annotated[
        list[str] | None, optional("LINKS", "pivot: word links of a pair of texts. Repeat.")
    ] = None,
    parser: options.ParserSpec = "embedded",
    engine: options.Engine = "embedded",
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    strict: options.Strict = False,
) -> None:
    """Harvest paraphrases.

    pd: from words around phrases; br: from noun chunks around them, by signatures; pivot: from
    translations. Text without tags is tagged first.
    """
    from treewright.paraphrase import METHODS, harvest_files

    choose(method, METHODS, "method")
    console.check_stdin(*corpus)
    console.check_outputs([*corpus, *(links or [])], [model])
    problems = console.collect(strict)
    made = harvest_files(
        method,
        corpus,
        links=links or (),
        named=named,
        changes=console.given(
            pattern=pattern,
            category=category,
            runs=runs,
            min_count=min_count,
            paths=paths or None,
        ),
        engine=engine or "embedded",
        jobs=jobs,
        parser=parser,
        problems=problems,
        progress=console.progress(),
    )
    made.save(model)
    console.say(f"{model}: {made.summary()}")
    console.finish(problems, "partitions or lines")


@app.command()
def combine(
    models: Annotated[list[str], typer.Argument(metavar="M…", help="Models by harvest.")],
    model: options.Out,
    weights: Annotated[
        str | None, optional("'1 1 0.5'", "The weight of each.", "1 0.5 0.25 …")
    ] = None,
    by: Annotated[
        str, typer.Option(help="scores: log-linear; ranks: reciprocal ranks added up.")
    ] = "scores",
) -> None:
    """Put several models together in one, which ranks by what all of them say."""
    from treewright.paraphrase import CombinedModel, open_model

    console.check_outputs(models, [model])
    try:
        given = tuple(map(float, weights.split())) if weights else None
    except ValueError:
        raise UsageError(f"--weights must be numbers, found {weights!r}") from None
    CombinedModel.of([open_model(path) for path in models], given, by).save(model)


@app.command()
def apply(
    model: Model,
    phrases: Annotated[str, typer.Argument(metavar="PHRASES", help="One a line; - is stdin.")],
    k: Most = 10,
    redundancy: Redundancy = None,
    keep_antonyms: KeepAntonyms = None,
    output: options.Output = "-",
) -> None:
    """Print the paraphrases of each phrase, best first, as JSON Lines in input order.

    A phrase that the model does not know has none.
    """
    from treewright.corpora import read_plain
    from treewright.files import atomic_write
    from treewright.paraphrase import open_model, paraphrases

    loaded = open_model(model)
    unknown = 0
    with atomic_write(output) as handle:
        for _, line in read_plain(phrases):
            text = " ".join(line.split())
            if not text:
                continue
            found = paraphrases(loaded, text, k, redundancy=redundancy, keep_antonyms=keep_antonyms)
            unknown += not found
            scored = [{"text": item.text, "score": round(item.score, 6)} for item in found]
            handle.write(f"{as_json({'phrase': text, 'paraphrases': scored})}\n")
    if unknown:
        console.say(f"{unknown} phrases have no paraphrases in {model}")


@app.command("in-context")
def in_context(
    model: Model,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Tokenised sentences; - is stdin.")],
    lm: Annotated[
        str | None, typer.Option("--lm", metavar="LM", help="A language model to rank by.")
    ] = None,
    k: Most = 5,
    redundancy: Redundancy = None,
    keep_antonyms: KeepAntonyms = None,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Print paraphrases of every phrase in sentences, ranked by how well they fit there.

    JSON Lines, an object for each phrase: the sentence's line, the phrase, where it is in tokens
    from 0, and its paraphrases with the sentences they give.
    """
    from treewright.corpora import read_tokens
    from treewright.lm import open_lm
    from treewright.paraphrase import InContext, open_model

    ranker = InContext(
        open_model(model),
        None if lm is None else open_lm(lm),
        parser=parser,
        redundancy=redundancy,
        keep_antonyms=keep_antonyms,
    )
    problems = console.collect(strict)
    for number, words in enumerate(read_tokens(text, problems=problems), start=1):
        for place in ranker.phrases(words) if words else ():
            console.put_json(
                {
                    "line": number,
                    "phrase": place.text,
                    "start": place.start,
                    "end": place.end,
                    "paraphrases": [
                        {
                            "text": item.text,
                            "score": round(item.score, 6),
                            "sentence": item.sentence,
                        }
                        for item in ranker.paraphrases(words, place, k)
                    ],
                }
            )
    console.finish(problems, "sentences")


@app.command()
def show(
    model: Model,
    phrase: Annotated[str, typer.Argument(metavar="PHRASE", help="A phrase, tokenised.")],
    k: Most = 10,
    redundancy: Redundancy = None,
    keep_antonyms: KeepAntonyms = None,
) -> None:
    """Show a phrase, its paraphrases, and the contexts or translations that they share."""
    from treewright.paraphrase import open_model, paraphrases

    loaded = open_model(model)
    known = loaded.read(phrase)
    if known is None:
        raise DataError(f"{phrase!r} is not known; nothing can be said about it", where=model)
    voice = "passive" if known.is_passive else "active"
    polarity = "negative" if known.is_negative else "positive"
    console.put(
        f"{known.text}: {' '.join(known.tags)}; verb {known.verb}, {known.inflection}, {voice}, "
        f"{polarity}"
    )
    for item in paraphrases(loaded, phrase, k, redundancy=redundancy, keep_antonyms=keep_antonyms):
        console.put(f"{item.score:.4f}  {item.text}")
        for reason, weight in loaded.reasons(known, item.phrase):
            console.put(f"        {weight:.4f}  {reason}")
