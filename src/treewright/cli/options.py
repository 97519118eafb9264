"""Options that several commands share, so that they look and work the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

Pairs = Annotated[str, typer.Argument(metavar="PAIRS.jsonl", help="Tree pairs; - is stdin.")]
Trees = Annotated[
    str, typer.Argument(metavar="TREES", help="Bracketed trees, or a .jsonl's sources; - is stdin.")
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")]
Target = Annotated[
    int, typer.Option("--target", min=0, metavar="K", help="Which of a pair's targets, from 0.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad item.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of all random choices.")]
