"""Errors as problem documents (RFC 9457), in the library's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.responses import Response

from treewright.errors import TreewrightError
from treewright.processes import LostProcessError
from treewright.service.pool import BusyError, OverrunError

MEDIA_TYPE = "application/problem+json"
_SHOWN = 3
"""How many mistakes of a body are named."""


class Kind(NamedTuple):
    """A kind of problem: its name in `type`, its status, and its title."""

    name: str
    status: int
    title: str


MALFORMED = Kind("malformed", 400, "The request cannot be read")
UNAUTHORIZED = Kind("unauthorized", 401, "A valid token is needed")
FORBIDDEN_HOST = Kind("forbidden-host", 421, "The service is not known by this name")
NOT_FOUND = Kind("not-found", 404, "There is nothing here")
NOT_ALLOWED = Kind("method-not-allowed", 405, "The method is not allowed")
TOO_LARGE = Kind("too-large", 413, "The request is too large")
NOT_JSON = Kind("unsupported-media-type", 415, "The body has the wrong media type")
INVALID = Kind("invalid", 422, "The request makes no sense")
UNPROCESSABLE = Kind("unprocessable", 422, "The text cannot be processed as asked")
BUSY = Kind("busy", 429, "Too many requests are waiting")
INTERNAL = Kind("internal", 500, "Something unexpected went wrong")
LOST = Kind("lost", 503, "The work was lost")
OVERRUN = Kind("overrun", 503, "The work took too long")


class ProblemError(Exception):
    """A problem that ends a request."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


def document(kind: Kind, detail: str) -> bytes:
    """Write a problem; whatever in it is not text is escaped."""
    values = {"type": f"urn:treewright:problem:{kind.name}", "title": kind.title}
    return json.dumps({**values, "status": kind.status, "detail": detail}).encode()


def respond(kind: Kind, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a problem."""
    return Response(
        document(kind, detail), kind.status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )


def respond_to(error: Exception) -> Response:
    """Answer with the problem that an error is."""
    if isinstance(error, ProblemError):
        return respond(error.kind, error.detail)
    if isinstance(error, BusyError):
        return respond(BUSY, str(error), {"Retry-After": str(error.seconds)})
    if isinstance(error, OverrunError):
        return respond(OVERRUN, str(error))
    if isinstance(error, LostProcessError):
        return respond(LOST, f"{error}; try again", {"Retry-After": "1"})
    if isinstance(error, TreewrightError):
        return respond(INVALID, str(error))
    return respond(INTERNAL, "an error that is not your fault; the log names its place")


def describe_mistakes(errors: list[Any]) -> str:
    """Say where a body differs from its schema, and how."""
    shown = []
    for error in errors[:_SHOWN]:
        place = ".".join([str(each) for each in error["loc"] if each not in ("body", "query")])
        shown.append(f"{place}: {error['msg']}" if place else str(error["msg"]))
    more = f"; and {len(errors) - _SHOWN} more" if len(errors) > _SHOWN else ""
    return "; ".join(shown) + more
