"""`treewright train`: learn a model from tree pairs, or follow a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treewright.cli.groups import lazy
from treewright.cli.options import optional
from treewright.errors import UsageError

_COMMANDS = {
    "em": "treewright.cli.train_em",
    "vb": "treewright.cli.train_em",
    "gibbs": "treewright.cli.train_gibbs",
    "crf": "treewright.cli.train_linear",
    "svm": "treewright.cli.train_linear",
    "perceptron": "treewright.cli.train_linear",
    "deletion": "treewright.cli.train_linear",
    "neural": "treewright.cli.train_neural",
    "acceptance": "treewright.cli.train_acceptance",
    "phrase": "treewright.cli.train_translation",
    "ghkm": "treewright.cli.train_translation",
}
_DATA = "../shared/data/compression"

app = typer.Typer(cls=lazy(_COMMANDS), no_args_is_help=True, invoke_without_command=True)


@app.callback()
def train(
    context: typer.Context,
    recipe: Annotated[
        str | None,
        optional(
            "NAME|FILE",
            "Make a shipped model, news or headline, or one from your own recipe. Needs torch.",
        ),
    ] = None,
    data: Annotated[
        str | None, optional("DIR", "Where the corpora of --recipe are.", _DATA)
    ] = None,
    model: Annotated[
        str | None, optional("OUT", "Where --recipe writes the model.", "NAME.model")
    ] = None,
    encoder: Annotated[
        str | None,
        optional(
            "FOLDER", "A transformer as 'transformers' saves it, for the teacher of --recipe."
        ),
    ] = None,
    keep: Annotated[
        str | None,
        optional(
            "DIR",
            "Keep the first stage of --recipe here: to go on with after an interruption, or "
            "with another recipe that begins in the same way.",
        ),
    ] = None,
) -> None:
    """Learn a model from tree pairs, with one of the commands below or from a recipe."""
    if context.invoked_subcommand is not None:
        given = {
            "--recipe": recipe,
            "--data": data,
            "--model": model,
            "--encoder": encoder,
            "--keep": keep,
        }
        for name, value in given.items():
            if value is not None:
                command = context.invoked_subcommand
                raise UsageError(
                    f"{name} before {command!r} belongs to a recipe, which takes no command; "
                    f"put options of 'train {command}' after it"
                )
    elif recipe is None:
        raise UsageError("these options belong to a recipe; give --recipe NAME|FILE too")
    else:
        _follow(recipe, data or _DATA, model or f"{Path(recipe).stem}.model", encoder, keep)


def _follow(name: str, data: str, model: str, encoder: str | None, keep: str | None) -> None:
    import hashlib

    from treewright.cli import console
    from treewright.cli.parser_train import need_torch
    from treewright.compression import Recipe
    from treewright.parsing import open_parser

    recipe = Recipe.load(name)
    inputs = [str(Path(data, f"{corpus}.jsonl")) for corpus in recipe.corpora]
    console.check_outputs([*inputs, name], [model])
    if recipe.lesson is not None:
        need_torch(1, encoder, "a network")
    kept = None if keep is None else Path(keep)
    trained = recipe.follow(
        Path(data), open_parser(), encoder=encoder, kept=kept, progress=console.progress()
    )
    trained.save(model)
    if model != "-":
        digest = hashlib.sha256(Path(model).read_bytes()).hexdigest()
        console.say(f"{model}: {recipe.name}{console.file_size(model)}, sha256 {digest}")
