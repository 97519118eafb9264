"""Running the service: listening, logging, and stopping without losing what was accepted."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable

import uvicorn

from treewright.errors import TreewrightError
from treewright.service.application import make_app
from treewright.service.gate import Gate
from treewright.service.settings import Settings

_DRAIN = 1.0
"""Seconds in which clients with open connections are told to close them."""


class _Server(uvicorn.Server):
    """A server that, when stopped, tells its clients before it hangs up."""

    def __init__(self, config: uvicorn.Config, gate: Gate) -> None:
        super().__init__(config)
        self.gate = gate

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen no more, answer what comes on open connections, then close them."""
        self.gate.draining = True
        for server in self.servers:
            server.close()
        for listening in sockets or ():
            listening.close()
        await asyncio.sleep(_DRAIN)
        await super().shutdown(sockets)


def serve(
    settings: Settings, *, log_level: str = "info", say: Callable[[str], None] = lambda line: None
) -> None:
    """Serve until interrupted; `say` where, as soon as it is known."""
    gate = make_app(settings)
    assert isinstance(gate, Gate)
    config = uvicorn.Config(
        gate,
        host=settings.host,
        port=settings.port,
        log_config=None,
        # Our own has no query, which may hold what users wrote.
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=round(settings.grace),
        timeout_keep_alive=30,
        backlog=1024,
    )
    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)s %(message)s")
    listening = _listen(settings.host, settings.port)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    say(f"Serving at http://{host}:{listening.getsockname()[1]}; ready when /readyz says so.")
    _Server(config, gate).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound.

    It names its protocol, because asyncio sends small answers at once only on those that do.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        why = f"cannot listen at {host}:{port}: {error.strerror}; choose another --port or --host"
        raise TreewrightError(why) from None
    return listening
