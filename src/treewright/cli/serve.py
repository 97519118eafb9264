"""`treewright serve`: the HTTP service and its page."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from treewright.cli import console
from treewright.cli.options import optional
from treewright.errors import UsageError

_TOKEN = "TREEWRIGHT_TOKEN"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 is all.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen at; 0 is any free one.")
    ] = 8000,
    model: Annotated[
        list[str] | None,
        optional(
            "NAME[=FILE]",
            "A model that requests can name, the default first. Repeat.",
            "news, headline",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes.", show_default="one per core")
    ] = None,
    queue: Annotated[
        int | None, typer.Option(min=1, help="Requests that may wait.", show_default="32")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Time for one request.", show_default="30")
    ] = None,
    max_body: Annotated[
        int | None, typer.Option(min=1, help="Bytes of one request.", show_default="1048576")
    ] = None,
    max_chars: Annotated[
        int | None,
        typer.Option(min=1, help="Characters of text of one request.", show_default="262144"),
    ] = None,
    token_file: Annotated[
        str | None, optional("FILE", f"Ask for the token in this file; else for ${_TOKEN}, if set.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None, optional("ORIGIN", "A site whose pages may call the service. Repeat.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        optional(
            "NAME",
            "A name the service may be called by. Repeat.",
            "localhost if it listens there, else any",
        ),
    ] = None,
    log_level: Annotated[str, typer.Option(help="info, warning or error.")] = "info",
) -> None:
    """Serve shortening, parsing and aligning over HTTP, and a page at /.

    Texts are neither stored nor logged. Stop it with the interrupt key or SIGTERM: it first
    finishes what it has accepted.
    """
    from treewright.errors import choose
    from treewright.service import Settings
    from treewright.service import serve as run

    choose(log_level, ("info", "warning", "error"), "log level")
    given = console.given(
        workers=workers, queue=queue, seconds=seconds, max_body=max_body, max_chars=max_chars
    )
    if model:
        given["models"] = dict([_named(each) for each in model])
    settings = Settings(
        host=host,
        port=port,
        token=_token(token_file),
        origins=tuple(allow_origin or ()),
        hosts=tuple(allow_host or ()),
        **given,
    )
    run(settings, log_level=log_level, say=console.say)


def _named(text: str) -> tuple[str, str]:
    """Return the name and the file of a model."""
    from pathlib import Path

    from treewright.compression import model_path

    name, path = console.split_name(text, "NAME or NAME=FILE")
    return name or Path(path).stem, str(model_path(path))


def _token(file: str | None) -> str | None:
    from treewright.files import open_text

    if file is None:
        return os.environ.get(_TOKEN) or None
    with open_text(file) as handle:
        token = handle.read(10_000).strip()
    if not token:
        raise UsageError(f"{file}: no token in it")
    return token
