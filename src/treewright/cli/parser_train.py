"""`treewright parser train`, `label` and `average`: the embedded parser and teachers for it."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.cli.training import interruptible, what_is_left
from treewright.compiling import WIDEST
from treewright.errors import DataError, Problems, UsageError, choose, how_to_install
from treewright.parsing.embedded.training.settings import Schedule, Sizes

if TYPE_CHECKING:
    from treewright.parsing.embedded.training.run import Run, Treebank

Encoder = Annotated[
    str | None,
    optional("FOLDER", "A pretrained transformer as 'transformers' saves it, to train a teacher."),
]
Threads = Annotated[int, typer.Option(min=1, help="Threads of torch; the result depends on it.")]


def train(
    treebanks: Annotated[
        list[str], typer.Argument(metavar="NAME=FILE", help="Treebanks; a name may be repeated.")
    ],
    model: options.Out,
    dev: Annotated[list[str] | None, optional("NAME=FILE", "Score on it. Repeat.")] = None,
    repeat: Annotated[
        list[str] | None, optional("NAME=N", "Use a treebank N times per epoch. Repeat.")
    ] = None,
    share: Annotated[
        float, typer.Option(min=0.001, max=1, help="Learn only from this share of each treebank.")
    ] = 1.0,
    labels: Annotated[
        list[str] | None,
        optional("FILE", "From 'parser label'; FILE,FILE averages teachers. Repeat."),
    ] = None,
    encoder: Encoder = None,
    start: Annotated[str | None, optional("MODEL", "Continue from this parser or teacher.")] = None,
    script: Annotated[
        str | None, optional("NAME", "What is seen of a word: alphabetic or chinese.", "alphabetic")
    ] = None,
    vectors: Annotated[
        str | None,
        optional(
            "FOLDER",
            "A pretrained transformer: characters (--script chinese) begin as its vectors.",
        ),
    ] = None,
    style: Annotated[
        str, typer.Option(metavar="NAME", help="Treebank whose style is the parser's default.")
    ] = "any",
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="The parser keeps constituents above this probability.",
            show_default="0.5",
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data.")] = Schedule.epochs,
    rate: Annotated[float, typer.Option(min=0, help="Highest learning rate.")] = Schedule.rate,
    encoder_rate: Annotated[
        float, typer.Option(min=0, help="The same for --encoder.")
    ] = Schedule.context_rate,
    encoder_layers: Annotated[
        int, typer.Option(min=1, help="How many layers of --encoder are used.")
    ] = 4,
    encoder_half: Annotated[
        bool, typer.Option("--encoder-half", help="Compute --encoder in bfloat16.")
    ] = False,
    batch: Annotated[int, typer.Option(min=1, help="Tokens per batch.")] = Schedule.tokens,
    dropout: Annotated[
        float, typer.Option(min=0, max=0.9, help="The share of units dropped.")
    ] = Schedule.dropout,
    word: Annotated[
        int, typer.Option(min=1, max=WIDEST, help="Width of word vectors.")
    ] = Sizes.word,
    hidden: Annotated[
        int, typer.Option(min=1, max=WIDEST // 2, help="Width of a direction's states.")
    ] = Sizes.hidden,
    span: Annotated[
        int, typer.Option(min=1, max=WIDEST, help="Width of the spans' hidden layer.")
    ] = Sizes.span,
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Seed for all random choices.")
    ] = Schedule.seed,
    threads: Threads = 1,
    checkpoint: Annotated[
        str | None, optional("FILE", "Save what --resume needs, after each epoch.")
    ] = None,
    resume: options.Resume = False,
    trace: Annotated[
        str | None, optional("FILE.jsonl", "Write loss and dev scores for each epoch.")
    ] = None,
    strict: options.Strict = False,
) -> None:
    """Train the embedded parser; with --encoder, a teacher whose labels a parser learns from."""
    _check_script(script, vectors, start)
    need_torch(threads, encoder)
    need_torch(threads, vectors)
    from treewright.files import atomic_write
    from treewright.parsing.embedded.training.run import Run, TrainingData

    groups = [names.split(",") for names in labels or ()]
    named, named_dev = _named(treebanks, "FILE"), _named(dev or [], "FILE")
    inputs = [path for _, path in named + named_dev] + [path for group in groups for path in group]
    inputs += [start] if start is not None else []
    console.check_files(inputs, [model, checkpoint, trace])
    problems = console.collect(strict)
    counts = {name: _count(name, text) for name, text in _named(repeat or [], "N")}
    gold = [bank.first(share) for bank in _load(named, counts, problems)]
    if style not in ("any", *(bank.name for bank in gold)):
        raise UsageError(f"--style {style} is neither one of the treebanks nor 'any'")
    data = TrainingData(gold=gold, dev=_load(named_dev, {}, problems, learn=False), labelled=groups)
    schedule = Schedule(
        epochs=epochs,
        tokens=batch,
        rate=rate,
        context_rate=encoder_rate,
        dropout=dropout,
        seed=seed,
    )
    run = Run(
        data,
        Sizes(word=word, hidden=hidden, span=span),
        schedule,
        encoder=encoder,
        encoder_layers=encoder_layers,
        encoder_half=encoder_half,
        start=start,
        script=script,
        vectors=vectors,
        progress=console.progress(),
    )
    with interruptible(lambda: what_is_left(checkpoint)):
        run.prepare()
        run.train(checkpoint, resume=resume)
        _save(run, model, style, threshold)
        if trace is not None:
            with atomic_write(trace) as handle:
                handle.writelines(f"{json_module.dumps(entry)}\n" for entry in run.trace)
    console.conclude(problems, "trees")


def _check_script(script: str | None, vectors: str | None, start: str | None) -> None:
    from treewright.parsing.embedded import CHINESE, SCRIPTS

    if script is not None:
        choose(script, SCRIPTS, "script")
    if vectors is not None and (script != CHINESE or start is not None):
        raise UsageError("--vectors needs --script chinese, and no --start, which has its own")


def need_torch(threads: int, encoder: str | None, what: str = "a parser") -> None:
    """Import torch with that many threads, and what `encoder` needs, or say how to install it."""
    try:
        import torch

        if encoder is not None:
            import transformers  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"training {what} needs {error.name}, which is not installed; {how_to_install('train')}"
        ) from None
    if encoder is not None and not Path(encoder, "config.json").is_file():
        raise DataError("no transformer in this folder: it has no config.json", where=encoder)
    torch.set_num_threads(threads)
    # Otherwise, vanishing gradients would be computed many times more slowly.
    torch.set_flush_denormal(True)
    torch.use_deterministic_algorithms(True)


def _named(values: list[str], what: str) -> list[tuple[str, str]]:
    pairs = []
    for value in values:
        name, equals, rest = value.partition("=")
        if not (name and equals and rest):
            raise UsageError(f"expected NAME={what}, found {value!r}")
        if name == "any":
            raise UsageError("no treebank can be called 'any', which is not a style")
        pairs.append((name, rest))
    return pairs


def _count(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--repeat {name}={text}: expected a whole number from 1")
    return int(text)


def _load(
    named: list[tuple[str, str]], counts: dict[str, int], problems: Problems, *, learn: bool = True
) -> list[Treebank]:
    from treewright.parsing import read_treebank
    from treewright.parsing.embedded.training.run import Treebank, load_treebank

    banks = []
    for name in dict.fromkeys(name for name, _ in named):
        paths = [path for other, path in named if other == name]
        if learn:
            banks.append(load_treebank(name, paths, repeat=counts.get(name, 1), problems=problems))
        else:
            trees = [tree for path in paths for tree in read_treebank(path, problems=problems)]
            banks.append(Treebank(name, trees))
        if not banks[-1].trees:
            raise DataError("no trees in it", where=", ".join(paths))
    for name in counts:
        if name not in dict(named):
            raise UsageError(f"--repeat names {name}, which is not one of the treebanks")
    return banks


def _save(run: Run, path: str, style: str, threshold: float | None) -> None:
    from treewright.parsing.embedded.training.export import export
    from treewright.parsing.embedded.training.storage import write_teacher

    about: dict[str, Any] = {
        **run.settings(),
        "style": style,
        "treebanks": {bank.name: len(bank.trees) for bank in run.data.gold},
        "labelled": len(run.examples) - run.gold,
        "trace": run.trace,
    }
    if threshold is not None:
        about["threshold"] = threshold
    if run.encoder is not None:
        write_teacher(path, run.network, run.inventory, about)
    else:
        export(run.network, run.inventory, about).write(path)
    console.say(f"{path}: {len(run.inventory.words)} words{console.file_size(path)}")


def label(
    teacher: Annotated[str, typer.Argument(metavar="TEACHER", help="From 'parser train'.")],
    texts: Annotated[
        list[str],
        typer.Argument(metavar="FILES", help="One sentence per line, tokens separated by spaces."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Labels to write.")],
    treebank: Annotated[str, typer.Option(metavar="NAME", help="Style of the labels' trees.")],
    encoder: Encoder = None,
    longest: Annotated[int, typer.Option(min=1, help="Leave out longer sentences.")] = 60,
    threads: Threads = 1,
    strict: options.Strict = False,
) -> None:
    """Write the probabilities of spans and tags that a teacher gives to raw sentences."""
    need_torch(threads, encoder)
    from treewright.cli.sentences import Given, tokenised_lines
    from treewright.errors import DataError
    from treewright.parsing.embedded.training.labels import label as label_sentences
    from treewright.parsing.embedded.training.labels import write_labels
    from treewright.parsing.embedded.training.storage import read_teacher

    console.check_files([teacher, *texts], [output])
    network, inventory = read_teacher(teacher, encoder)
    problems = console.collect(strict)
    sentences = []
    for item in (item for path in texts for item in tokenised_lines(path)):
        if isinstance(item, DataError):
            problems.add(item)
        elif isinstance(item, Given) and len(item.words) <= longest:
            sentences.append(item.words)
    if not sentences:
        raise DataError("no sentences to label", where=", ".join(texts))
    with interruptible(lambda: "nothing is kept"):
        made = label_sentences(network, inventory, sentences, treebank, console.progress())
        write_labels(output, made, inventory)
    console.say(f"{output}: {len(made)} sentences labelled as {treebank}")
    console.conclude(problems, "sentences")


def average(
    parsers: Annotated[
        list[str],
        typer.Argument(
            metavar="MODELS", help="From 'parser train --start', all from the same parser."
        ),
    ],
    model: options.Out,
) -> None:
    """Average the weights of parsers trained from the same one, with other seeds or data."""
    from treewright.parsing.embedded import Weights, mean_weights

    console.check_outputs(parsers, [model])
    mean_weights([Weights.read(path) for path in parsers]).write(model)
    console.say(f"{model}: the mean of {len(parsers)} parsers")
