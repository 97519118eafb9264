"""Streams of JSON Lines: in order, as they arrive, bad lines in their places."""

from __future__ import annotations

import json
import socket
from typing import Any

from .server import Server

DOG = "The old dog, which was tired, slept on the mat on Monday."
PATH = "/v1/compress/stream"
LINES = {"Content-Type": "application/jsonl"}


def streamed(server: Server, body: bytes, options: str = "") -> list[Any]:
    answer = server.ask("POST", f"{PATH}?{options}", body, LINES)
    assert (answer.status, answer.headers["transfer-encoding"]) == (200, "chunked")
    return [json.loads(line) for line in answer.body.splitlines()]


def test_lines_keep_their_order_and_ids(server: Server) -> None:
    rows = [{"id": number, "text": DOG.replace("mat", f"mat {number}")} for number in range(40)]
    body = "\n".join(map(json.dumps, rows)).encode()
    found = streamed(server, body, "max_words=6&drop=Monday&diff=true")
    assert [each["id"] for each in found] == list(range(40))
    for row, each in zip(rows, found, strict=True):
        assert "Monday" not in each["text"]
        assert each["diff"].replace("[-", "").replace("-]", "") == row["text"]


def test_a_bad_line_has_an_error_in_its_place(server: Server) -> None:
    body = b'"Hi there."\nnot JSON\n\n{"id": 7, "text": 3}\n"\xff"\n"a\\u0000"\n["A", "dog"]\n'
    found = streamed(server, body)
    errors = [each.get("error", "") for each in found]
    assert len(found) == 6
    assert [bool(each) for each in errors] == [False, True, True, True, True, True]
    assert found[2]["id"] == 7
    for part, error in zip(("not JSON", "string", "UTF-8", "U+0000"), errors[1:], strict=False):
        assert part in error


def test_answers_come_while_more_lines_are_awaited(server: Server) -> None:
    head = f"POST {PATH}?rate=0.9 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(f"{head}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        seen = connection.makefile("rb")
        for number in range(3):
            line = json.dumps({"id": number, "text": DOG}).encode() + b"\n"
            connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while not (got := seen.readline()).startswith(b"{"):
                assert got, "the stream ended"
            assert json.loads(got)["id"] == number
        connection.sendall(b"0\r\n\r\n")
        assert [seen.readline() for _ in range(3)] == [b"\r\n", b"0\r\n", b"\r\n"]


def test_options_of_a_stream_are_checked_first(server: Server) -> None:
    for options, words in (("rate=7", "rate"), ("model=x", "no model"), ("keep=/(/", "keep /(/")):
        answer = server.ask("POST", f"{PATH}?{options}", b'"a"', LINES)
        assert answer.status == 422
        assert words in answer.json["detail"]
