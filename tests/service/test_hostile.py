"""Requests that no friend would send: no 500, no worker lost, nothing of the text in the log."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase

from ..profiles import examples
from .server import Server

MARK = "Zyxomma"
BODY = json.dumps({"text": f"The old {MARK} slept on Monday."}).encode()
HEAD = "POST /v1/compress HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def talk(server: Server, *pieces: bytes, ends: bool = True, half: bool = False) -> bytes:
    """Send pieces of a request, and return how the answer begins."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        for piece in pieces:
            connection.sendall(piece)
        if not ends:
            return b""
        if half:
            connection.shutdown(socket.SHUT_WR)
        try:
            return connection.recv(12)
        except ConnectionError:
            return b""


def with_length(body: bytes, length: int | None = None) -> bytes:
    number = len(body) if length is None else length
    return f"{HEAD}Content-Length: {number}\r\n\r\n".encode() + body


@pytest.fixture
def unharmed(server: Server) -> Any:
    """The service, which must have lost no worker, and written nothing of what it was sent."""
    names = ("lost", "overrun", "started")
    before = [server.metric(f"treewright_pool_{name}_total") for name in names]
    yield server
    assert server.get("/readyz").status == 200
    assert [server.metric(f"treewright_pool_{name}_total") for name in names] == before
    log = server.log.read_text()
    assert MARK not in log
    assert "Traceback" not in log
    assert "ERROR" not in log


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        ([with_length(BODY)], [b"200"]),
        ([with_length(BODY[:-9])], [b"400"]),
        ([with_length(BODY, len(BODY) - 3)], [b"400"]),
        ([with_length(BODY, len(BODY) + 3)], [b"", b"400"]),
        ([with_length(BODY, 10**12)], [b"413"]),
        ([with_length(BODY, -5)], [b"400"]),
        ([f"{HEAD}Content-Length: x{MARK}\r\n\r\n".encode()], [b"400"]),
        ([f"{HEAD}Transfer-Encoding: chunked\r\n\r\n{MARK}\r\n".encode()], [b"400"]),
        ([b"\x16\x03\x01\x00" + MARK.encode() + b"\r\n\r\n"], [b"400"]),
        ([f"GET /{MARK} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()], [b"404"]),
        ([f"GET /healthz?{MARK} HTTP/1.1\r\nHost: {MARK}\r\n\r\n".encode()], [b"421"]),
        ([with_length(b'{"text": "' + MARK.encode() + b'\xff"}')], [b"400"]),
        ([with_length(b'{"text": "' + MARK.encode() + b'\0"}')], [b"400", b"422"]),
        ([with_length(b"[" * 200_000)], [b"400"]),
        ([with_length(b'{"a":' * 100_000)], [b"400"]),
        ([with_length(b'{"text": "a", "max_words": ' + b"9" * 100_000 + b"}")], [b"400", b"422"]),
        ([with_length(b'{"text": "a", "rate": 1e999}')], [b"422"]),
        ([with_length(b'{"text": "a", "rate": NaN}')], [b"400", b"422"]),
        ([bytes([byte]) for byte in with_length(BODY)], [b"200"]),
    ],
)
def test_raw_requests(unharmed: Server, sent: list[bytes], answers: list[bytes]) -> None:
    assert talk(unharmed, *sent, half=b"" in answers)[9:] in answers


def test_whoever_leaves_in_the_middle_costs_nothing(unharmed: Server) -> None:
    whole = with_length(BODY)
    for size in (1, len(HEAD) // 2, len(whole) - 5, len(whole)):
        talk(unharmed, whole[:size], ends=False)
    assert talk(unharmed, whole)[9:] == b"200"


def test_too_much_without_a_length_is_refused_on_the_way(unharmed: Server) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", unharmed.port), timeout=60) as connection:
        connection.sendall(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
        seen = b""
        try:
            for _ in range(40):
                connection.sendall(chunk)
            seen = connection.recv(12)
        except ConnectionError:
            seen = seen or connection.recv(12)
        assert seen[9:] == b"413"


def test_generated_requests(unharmed: Server) -> None:
    requests: Any = pytest.importorskip("requests", reason="it is not installed")
    with contextlib.ExitStack() as closing:
        generate(unharmed, requests, closing)


def generate(unharmed: Server, requests: Any, closing: contextlib.ExitStack) -> None:
    schemathesis: Any = pytest.importorskip("schemathesis", reason="it is not installed")
    errors: Any = pytest.importorskip("schemathesis.core.errors")
    schema = schemathesis.openapi.from_url(f"{unharmed.url}/v1/openapi.json")
    seen = set()
    session = closing.enter_context(requests.Session())
    for result in schema.get_all_operations():
        for mode in schemathesis.GenerationMode:

            @hypothesis.settings(
                examples(8), suppress_health_check=list(HealthCheck), phases=[Phase.generate]
            )
            @hypothesis.given(case=result.ok().as_strategy(generation_mode=mode))
            def send(case: Any) -> None:
                response = case.call(session=session, timeout=60)
                seen.add(response.status_code)
                assert response.status_code < 500, response.text
                if response.status_code >= 400:
                    assert response.json()["status"] == response.status_code

            try:
                send()
            except (hypothesis.errors.Unsatisfiable, errors.SerializationNotPossible):
                continue
    assert 422 in seen
