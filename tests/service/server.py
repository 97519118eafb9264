"""A service in a process of its own, and a small client."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..programs import TREEWRIGHT, started

SECONDS = 120.0
JSON = {"Content-Type": "application/json"}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    process: subprocess.Popen[Any]
    log: Path
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        connection = self.connect()
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        given = {**self.headers, **(JSON if sent is not None else {}), **(headers or {})}
        try:
            connection.request(method, path, sent, given)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        return self.ask("POST", path, body, headers)

    def metric(self, name: str) -> float:
        found = re.search(rf"^{name} (\S+)$", self.get("/metrics").body.decode(), re.MULTILINE)
        assert found is not None
        return float(found[1])

    def is_ready(self) -> bool:
        try:
            return self.get("/readyz").status == 200
        except ConnectionError:
            return False

    def until(self, condition: Any) -> None:
        """Wait until a condition holds, but not for ever."""
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, "it never happened"
            assert self.process.poll() is None, self.log.read_text()


def wait_for_line(log: Path, process: subprocess.Popen[Any]) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"Serving at (\S+);", log.read_text())
        if found:
            return found[1]
    raise AssertionError(log.read_text())


@contextlib.contextmanager
def serving(folder: Path, *options: object, **environment: str) -> Iterator[Server]:
    """Run `treewright serve` on a free port; it is ready when this begins."""
    import os

    log = folder / "log"
    with log.open("wb") as handle:
        arguments = ["serve", "--port", 0, "--model", "news", *options]
        env = {**os.environ, **environment}
        with started(*TREEWRIGHT, *arguments, stdout=handle, stderr=handle, env=env) as process:
            server = Server(process, log)
            server.url = wait_for_line(log, process)
            server.until(server.is_ready)
            yield server


def children(process: int) -> set[int]:
    """The processes below one, by /proc."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == process:
                child = int(path.parent.name)
                found |= {child} | children(child)
    return found


HAVE_PROC = sys.platform == "linux"
