"""`treewright phrases`: phrase tables from aligned text, what they say, and files of Moses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import DataError, UsageError

if TYPE_CHECKING:
    from treewright.translation import Option, PhraseTable

_SIDES = ("previous", "following")

app = typer.Typer(help="Make, read and convert phrase tables.", no_args_is_help=True)

Table = Annotated[str, typer.Argument(metavar="TABLE", help="A phrase table; - is stdin.")]
Moses = Annotated[str, typer.Argument(metavar="FILE", help="The file; .gz is compressed.")]
Reordering = Annotated[str | None, optional("FILE", "The file of orientations; .gz is compressed.")]


@app.command()
def extract(
    source: options.SourceText,
    target: options.TargetText,
    links: options.WordLinks,
    model: options.Out,
    moses: Annotated[
        str | None, optional("FILE", "Also write it for Moses; .gz is compressed.")
    ] = None,
    reordering: Reordering = None,
    lower: Annotated[bool, typer.Option("--lower", help="Lower-case both texts.")] = False,
    max_length: options.MaxLength = None,
    smoothing: options.PhraseSmoothing = None,
    orientation: Annotated[
        str | None, typer.Option(help="To a neighbouring word or phrase.", show_default="word")
    ] = None,
    min_count: Annotated[int | None, optional("N", "Occurrences of a pair.", "1")] = None,
    significance: Annotated[
        str | None,
        optional(
            "LEVEL",
            "Prune by Fisher's test: none, alpha-epsilon, alpha+epsilon or the least -ln p.",
            "none",
        ),
    ] = None,
    limit: Annotated[int | None, optional("N", "Options per source phrase; 0: all.", "30")] = None,
    memory: options.Memory = None,
    strict: options.Strict = False,
) -> None:
    """Extract and score the phrase pairs of aligned text."""
    from treewright.translation import PhraseSettings, build_phrases

    settings = PhraseSettings(
        **console.given(
            max_length=max_length,
            smoothing=smoothing,
            orientation=orientation,
            min_count=min_count,
            significance=significance,
            limit=limit,
            memory=memory,
        )
    )
    if reordering is not None and moses is None:
        raise UsageError("--reordering goes with --moses, which writes the other file")
    console.check_files([source, target, links], [model, moses, reordering])
    problems = console.collect(strict)
    aligned = _read(source, target, links, lower, problems)
    table = build_phrases(*aligned, settings=settings, progress=console.progress())
    if moses is not None:
        table.write_moses(moses, reordering)
    table.save(model)
    console.say(f"{model}: {len(table)} phrase pairs")
    console.conclude(problems, "pairs")


def _read(source: str, target: str, links: str, lower: bool, problems: Any) -> tuple[Any, ...]:
    """Read text and links as `build_phrases` takes them."""
    from treewright.corpora import Sentences, Vocabulary, read_bitext, read_links

    pairs = list(read_bitext(source, target, problems=problems))
    if not any(one for one, _ in pairs):
        raise DataError("no sentence pairs in it; nothing can be extracted", where=source)
    sizes = [(len(one), len(other)) for one, other in pairs]
    f, e = Vocabulary(), Vocabulary()

    def cased(words: list[str]) -> list[str]:
        return [word.lower() for word in words] if lower else words

    return (
        Sentences.encode((cased(one) for one, _ in pairs), f),
        Sentences.encode((cased(other) for _, other in pairs), e),
        read_links(links, sizes),
        f,
        e,
    )


@app.command()
def show(
    table: Table,
    phrase: Annotated[str, typer.Argument(metavar="PHRASE", help="Source words, tokenised.")],
    top: Annotated[int, typer.Option(min=1, help="Options shown.")] = 20,
    json: options.Json = False,
) -> None:
    """Show the translations of a phrase: probabilities, orientations, links and counts."""
    from treewright.translation import PhraseTable

    loaded = PhraseTable.load(table)
    found = loaded.options(phrase)
    if json:
        console.put_json({"phrase": phrase, "options": [_fields(option) for option in found[:top]]})
    elif not found:
        raise DataError(f"no translations of {phrase!r}{_instead(phrase, loaded)}", where=table)
    else:
        console.put_table(_as_table(found[:top]))
    if len(found) > top:
        console.say(f"{len(found) - top} more (--top)")


def _instead(phrase: str, table: PhraseTable) -> str:
    """Say which words of a phrase a table does not have, or which parts of it there are."""
    words = phrase.split()
    unknown = [word for word in words if word not in table.source]
    if unknown:
        return f"; unknown: {' '.join(unknown)}"
    spans = table.spans(table.source.numbers(words))
    parts = [" ".join(words[i:j]) for i, j in zip(spans.start, spans.end, strict=True)]
    return f"; it has: {', '.join(map(repr, parts))}" if parts else ""


def _fields(option: Option) -> dict[str, Any]:
    from treewright.corpora import format_pharaoh
    from treewright.translation import ORIENTATIONS

    probabilities = [math.exp(value) for value in option.reordering]
    return {
        "target": " ".join(option.target),
        "features": {name: math.exp(value) for name, value in option.features.items()},
        "previous": dict(zip(ORIENTATIONS, probabilities[:3], strict=True)),
        "following": dict(zip(ORIENTATIONS, probabilities[3:], strict=True)),
        "links": format_pharaoh(option.links),
        "counts": dict(zip(("pair", "source", "target"), option.counts, strict=True)),
    }


def _as_table(found: list[Option]) -> Any:
    from rich.table import Table

    fields = [_fields(option) for option in found]
    table = Table(box=None, pad_edge=False)
    table.add_column("translation")
    names = [*fields[0]["features"], *(f"{side} m/s/d" for side in _SIDES)]
    for name in (*names, "links", "counts"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in fields:
        table.add_row(
            row["target"],
            *(f"{value:.4f}" for value in row["features"].values()),
            *("/".join([f"{p:.2f}" for p in row[side].values()]) for side in _SIDES),
            row["links"],
            " ".join(f"{value:g}" for value in row["counts"].values()),
        )
    return table


@app.command("write")
def write_moses(
    table: Table,
    moses: Moses,
    reordering: Reordering = None,
) -> None:
    """Write a phrase table as the files of Moses."""
    from treewright.translation import PhraseTable

    console.check_outputs([table], [moses, reordering])
    PhraseTable.load(table).write_moses(moses, reordering)


@app.command("read")
def read_moses(
    moses: Moses,
    model: options.Out,
    reordering: Reordering = None,
) -> None:
    """Read the files of Moses; without orientations, each has the same probability."""
    from treewright.translation import PhraseTable

    console.check_outputs([moses, reordering], [model])
    table = PhraseTable.read_moses(moses, reordering)
    table.save(model)
    console.say(f"{model}: {len(table)} phrase pairs")
