"""`treewright lm`: estimate language models, score text with them."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError

app = typer.Typer(help="Estimate language models, and score text with them.", no_args_is_help=True)

AnyModel = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A language model or an ARPA file (.gz too); - is stdin."),
]
TEXT = "Tokenised text, a sentence a line; - is stdin."


@app.command()
def train(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT...", help=TEXT)],
    model: options.Out,
    order: Annotated[int, typer.Option(metavar="N", help="Words in the longest n-grams, 1-6.")] = 5,
    prune: Annotated[
        str,
        typer.Option(
            metavar="'0 0 1'",
            help="Leave out n-grams that occur at most so often; a number for each order from 1, "
            "the last for all higher ones.",
        ),
    ] = "0",
    entropy: Annotated[
        float,
        typer.Option(
            "--prune-entropy",
            metavar="SHARE",
            help="Leave out n-grams without which the perplexity grows by a smaller share, such "
            "as 1e-7.",
        ),
    ] = 0.0,
    arpa: Annotated[
        str | None, optional("FILE", "Write an ARPA file, too; .gz is compressed, - stdout.")
    ] = None,
    strict: options.Strict = False,
) -> None:
    """Estimate an n-gram model by interpolated modified Kneser-Ney smoothing.

    Bad lines are skipped and reported, empty ones ignored.
    """
    from treewright.lm import read_text, train_lm

    if model == arpa == "-":
        raise UsageError("only one of --model and --arpa can be - (standard output)")
    console.check_files(texts, [model, arpa])
    problems = console.collect(strict)
    made = train_lm(read_text(texts, problems), order, prune=_cutoffs(prune), entropy=entropy)
    console.conclude(problems, "lines")
    for low in made.metadata["fallback"]:
        console.say(f"too little text to estimate the discounts of order {low}; fixed ones used")
    made.save(model)
    if arpa is not None:
        made.write_arpa(arpa)


def _cutoffs(text: str) -> list[int]:
    try:
        numbers = [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 0:
        raise UsageError(f"--prune takes counts such as '0 0 1', found {text!r}")
    return numbers


@app.command()
def score(
    model: AnyModel,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=TEXT, show_default=False)] = "-",
    words: Annotated[bool, typer.Option("--words", help="Print the score of each word.")] = False,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Print the natural log-probability of each sentence, a line for a line.

    A bad line gives an empty one, and the exit status is 1. With --words, each line has a number
    for each word and one for the end of the sentence. With --json, each has both, and says which
    words are unknown.
    """
    from treewright.corpora import scan_tokens
    from treewright.errors import DataError
    from treewright.lm import open_lm

    console.check_stdin(model, text)
    opened = open_lm(model)
    problems = console.collect(strict)
    for _, sentence in scan_tokens(text):
        if isinstance(sentence, DataError):
            problems.add(sentence)
            console.put("null" if json else "")
            continue
        scores = opened.score(sentence).tolist()
        if json:
            unknown = [word for word in sentence if word not in opened.vocabulary]
            console.put_json({"log_prob": sum(scores), "words": scores, "unknown": unknown})
        elif words:
            console.put(" ".join(f"{value:.6f}" for value in scores))
        else:
            console.put(f"{sum(scores):.6f}")
    console.finish(problems, "lines")


@app.command()
def perplexity(
    model: AnyModel,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=TEXT)],
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Measure how well a model predicts a text; each end of a sentence is a token too.

    The first figure counts unknown words at the price of <unk>, the second leaves them out. Bad
    lines are skipped and reported, empty ones ignored.
    """
    from treewright.corpora import read_tokens
    from treewright.lm import open_lm

    console.check_stdin(model, text)
    opened = open_lm(model)
    problems = console.collect(strict)
    found = opened.perplexity(read_tokens(text, problems=problems))
    console.conclude(problems, "lines")
    if not found.tokens:
        console.say(f"{text}: no sentences in it")
    figures = {
        "perplexity": found.perplexity,
        "perplexity_without_oov": found.known_perplexity,
        "oov": found.unknown,
        "tokens": found.tokens,
        "sentences": found.sentences,
        "log_prob": found.log_prob,
        "order": opened.order,
    }
    if json:
        console.put_json(figures)
        return
    for name, value in figures.items():
        shown = f"{value:.2f}" if isinstance(value, float) else value
        console.put(f"{name.replace('_', ' ')}: {shown}")
