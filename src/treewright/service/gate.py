"""What every request passes: names, tokens and sizes are checked before anything is read.

The log has a line for each request, without anything that its sender wrote.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treewright.service import problems
from treewright.service.metrics import Metrics
from treewright.service.pool import BusyError, Pool
from treewright.service.problems import ProblemError
from treewright.service.settings import Settings
from treewright.service.work import Answer, Job

LOG = logging.getLogger("treewright.service")

SECURITY = {
    b"content-security-policy": (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
}
STREAM = "/v1/compress/stream"
WORK = ("/v1/compress", "/v1/parse", "/v1/align")
_QUIET = ("/healthz", "/readyz", "/metrics")
"""Asked for all the time."""
_DISCARDED = 8 << 20
_PATIENCE = 5.0
"""Bytes and seconds after which a body that is too large is no longer read."""
_JSON = "application/json"
_LINES = ("application/jsonl", "application/x-ndjson", "application/json-lines")


class Gate:
    """Stands before the application, and counts and logs what passes."""

    def __init__(
        self, app: ASGIApp, settings: Settings, metrics: Metrics, pool: Pool[Job, Answer]
    ) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.pool = pool
        self.draining = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        passing = _Passing(self, scope, receive, send)
        try:
            try:
                self._check(scope, passing)
            except ProblemError as error:
                await passing.refuse(error)
                return
            except BusyError as error:
                await problems.respond_to(error)(scope, receive, passing.send)
                return
            try:
                await self.app(scope, passing.receive, passing.send)
            except ProblemError:
                if not passing.over:
                    raise
            if passing.over:
                # The body turned out to be too large while it was read.
                await passing.refuse(self.too_large())
        except Exception as error:
            _log_failure(error)
            if passing.status is None:
                await problems.respond_to(error)(scope, receive, passing.send)
        finally:
            passing.conclude()

    def _check(self, scope: Scope, passing: _Passing) -> None:
        headers = Headers(scope=scope)
        hosts = self.settings.allowed_hosts
        if hosts and _host(headers.get("host", "")) not in hosts:
            detail = "call it by one of the names it was started for (--allow-host)"
            raise ProblemError(problems.FORBIDDEN_HOST, detail)
        path = scope["path"]
        guarded = path.startswith("/v1/") or path == "/metrics"
        if guarded and scope["method"] != "OPTIONS":
            self._check_token(headers)
        if scope["method"] == "POST" and path.startswith("/v1/"):
            _check_media_type(headers, path)
        if path != STREAM:
            size = headers.get("content-length", "0")
            if not size.isascii() or not size.isdigit() or int(size) > self.settings.max_body:
                raise self.too_large()
            passing.most = self.settings.max_body
        if scope["method"] == "POST" and path in WORK:
            # To read what will be refused anyway takes time from what was accepted.
            self.pool.check_room()

    def _check_token(self, headers: Headers) -> None:
        token = self.settings.token
        if token is None:
            return
        scheme, _, given = headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(given.strip().encode("latin-1", "replace"), token.encode())
        if scheme.lower() != "bearer" or not same:
            raise ProblemError(problems.UNAUTHORIZED, "send Authorization: Bearer TOKEN")

    def too_large(self) -> ProblemError:
        """Return the problem of a body that is too large."""
        detail = f"a body may have {self.settings.max_body} bytes; send less at a time"
        return ProblemError(problems.TOO_LARGE, detail)


def _host(value: str) -> str:
    """Return a host without its port."""
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.rpartition(":")[0] if value.rpartition(":")[2].isdigit() else value


def _check_media_type(headers: Headers, path: str) -> None:
    """Refuse what a form on another site could send without being asked."""
    found = headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = (*_LINES, _JSON) if path == STREAM else (_JSON,)
    if found not in wanted:
        raise ProblemError(problems.NOT_JSON, f"send Content-Type: {wanted[0]}")


class _Passing:
    """One request: its size so far, its status, its time."""

    def __init__(self, gate: Gate, scope: Scope, receive: Receive, send: Send) -> None:
        self.gate, self.scope = gate, scope
        self._receive, self._send = receive, send
        self.began = time.perf_counter()
        self.most: int | None = None
        self.size = 0
        self.over = self.refused = False
        self.status: int | None = None

    async def receive(self) -> Message:
        """Receive a part of the body, if it is not too large."""
        message = await self._receive()
        self.size += len(message.get("body", b""))
        if self.most is not None and self.size > self.most:
            self.over = True
            raise self.gate.too_large()
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer, with the headers that all answers have."""
        if self.over and not self.refused:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers: list[Any] = [*message.get("headers", ()), *SECURITY.items()]
            if self.gate.draining:
                headers.append((b"connection", b"close"))
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self, error: ProblemError) -> None:
        """Answer with a problem; what is left of the body will not be read."""
        self.refused = True
        if error.kind is problems.TOO_LARGE:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._discard(), _PATIENCE)
        if self.status is None:
            headers = {"Connection": "close"}
            if error.kind is problems.UNAUTHORIZED:
                headers["WWW-Authenticate"] = "Bearer"
            response = problems.respond(error.kind, error.detail, headers)
            await response(self.scope, self._receive, self.send)

    async def _discard(self) -> None:
        """Read some of what is too much: whoever is still sending does not listen."""
        left = _DISCARDED
        while left > 0:
            message = await self._receive()
            left -= len(message.get("body", b""))
            if not message.get("more_body", False):
                return

    def conclude(self) -> None:
        """Count and log the request by its route, not by what its sender wrote."""
        route = getattr(self.scope.get("route"), "path", None) or "(none)"
        seconds = time.perf_counter() - self.began
        status = self.status or 499
        self.gate.metrics.observe(route, status, seconds)
        method = self.scope["method"] if self.scope["method"].isalpha() else "?"
        level = logging.DEBUG if route in _QUIET else logging.INFO
        LOG.log(
            level, "%s %s %d %.1f ms %d bytes", method[:8], route, status, 1000 * seconds, self.size
        )


def _log_failure(error: BaseException) -> None:
    """Log where an error comes from; its message might quote the text."""
    trace = error.__traceback__
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    LOG.error("%s at %s", type(error).__name__, " > ".join(places[-6:]))
