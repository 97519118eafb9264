"""A service in a process of its own, and a small client."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..programs import TREEWRIGHT, started

SECONDS = 280.0
"""For one answer, or until all is compiled and warm."""
LIFE = 3000.0
"""For all tests of one service."""
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

    def until(self, condition: Any) -> None:
        """Wait until a condition holds, but not for ever."""
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, "it never happened"
            assert self.process.poll() is None, self.log.read_text()


class Follower:
    """Copies what a program writes to a file, and waits for lines of it."""

    def __init__(self, stream: Any, path: Path) -> None:
        self.stream, self.path = stream, path
        self.ended = False
        self.seen = ""
        self.more = threading.Condition()
        threading.Thread(target=self._copy, daemon=True).start()

    def _copy(self) -> None:
        with self.path.open("w") as handle:
            for line in self.stream:
                handle.write(line)
                handle.flush()
                with self.more:
                    self.seen += line
                    self.more.notify_all()
        with self.more:
            self.ended = True
            self.more.notify_all()

    def wait_for(self, pattern: str) -> str:
        with self.more:
            self.more.wait_for(lambda: self.ended or re.search(pattern, self.seen), SECONDS)
            found = re.search(pattern, self.seen)
        assert found is not None, self.seen
        return found[1]


@contextlib.contextmanager
def serving(folder: Path, *options: object, **environment: str) -> Iterator[Server]:
    """Run `treewright serve` on a free port; it is ready when this begins."""
    log = folder / "log"
    arguments = ["serve", "--port", 0, "--model", "news", *options]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    env = {**os.environ, **environment}
    with started(*TREEWRIGHT, *arguments, seconds=LIFE, **streams, env=env) as process:
        follower = Follower(process.stdout, log)
        server = Server(process, log, follower.wait_for(r"Serving at (\S+);"))
        follower.wait_for(r"(ready:)")
        yield server
