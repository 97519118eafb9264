"""Options that several commands share, so that they look and work the same everywhere.

Settings of the library default to `None` here, which leaves them to the library; `show_default`
repeats its values for the help text.
"""

from __future__ import annotations

from typing import Annotated

import typer

Pairs = Annotated[str, typer.Argument(metavar="PAIRS.jsonl", help="Tree pairs; - is stdin.")]
Trees = Annotated[
    str, typer.Argument(metavar="TREES", help="Bracketed trees, or a .jsonl's sources; - is stdin.")
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file; - is stdin.")]
Target = Annotated[
    int, typer.Option("--target", min=0, metavar="K", help="Which of a pair's targets, from 0.")
]
Strip = Annotated[
    bool, typer.Option("--strip", help="Strip traces and function tags, root trees in ROOT.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad item.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of all random choices.")]

Parts = Annotated[
    int | None, typer.Option(help="Most general rules conjoined into one.", show_default="2")
]
Variables = Annotated[
    int | None, typer.Option(help="Most variables of a conjoined rule.", show_default="3")
]
Depth = Annotated[
    int | None, typer.Option(help="Greatest depth of a conjoined rule.", show_default="4")
]
MinCount = Annotated[
    int | None, typer.Option(help="Drop conjoined rules seen less often.", show_default="2")
]
