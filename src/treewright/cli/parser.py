"""`treewright parser`: train parsers, label text by a teacher, evaluate."""

from __future__ import annotations

import typer

from treewright.cli import parser_evaluate, parser_label, parser_train

app = typer.Typer(help="Train and evaluate parsers.", no_args_is_help=True)
app.command("train")(parser_train.train)
app.command("label")(parser_label.label)
app.command("evaluate")(parser_evaluate.evaluate)
