"""`treewright propositions export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.errors import UsageError


def export(
    model: options.ModelFile,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A table (.csv, .parquet) or a graph (.graphml)."
        ),
    ],
) -> None:
    """Write propositions as a table, or classes and what they do as a graph."""
    from treewright.propositions import load_model, write_csv, write_graphml, write_parquet

    writers = {".csv": write_csv, ".parquet": write_parquet, ".graphml": write_graphml}
    ending = Path(output).suffix
    if ending not in writers:
        raise UsageError(f"{output}: the name must end in one of: {', '.join(writers)}")
    console.check_outputs([model], [output])
    writers[ending](load_model(model), output)
