"""The service under load: latency, overload, killed workers, shutdown, and hostile requests.

    python benchmarks/service.py load --locust PATH/TO/locust > load.md
    python benchmarks/service.py hostile > hostile.md

Load comes from locust (`pip install locust`, in an environment of its own if you like): arrivals
follow a fixed rate, whatever the answers do. Hostile requests come from schemathesis (`pip install
schemathesis`) and from raw sockets. Client and server share the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

MARK = "Zyxomma"
"""A word of every text, which no log may hold."""
SENTENCE = (
    f"The mayor of {MARK} said on Monday that the old harbour bridge, which has been closed since "
    "last winter, will not reopen until June because repairs will cost 4 million euros."
)
LOCUSTFILE = """
import os, random
from locust import FastHttpUser, constant_throughput, task

WORDS = "red old new big cold dark late warm slow loud".split()


class Caller(FastHttpUser):
    host = os.environ["TARGET"]
    wait_time = constant_throughput(float(os.environ["PER_USER"]))
    network_timeout = connection_timeout = 120.0

    @task
    def compress(self):
        two = " ".join(random.choices(WORDS, k=2))
        text = os.environ["SENTENCE"].replace("old", two)
        with self.client.post(
            "/v1/compress", json={"text": text, "rate": 0.5}, catch_response=True
        ) as response:
            if response.status_code == 429:
                response.request_meta["name"] = "refused"
                response.success()
"""


class Server:
    """`treewright serve` with everything this page needs to know about it."""

    def __init__(self, *options: object, log: Path) -> None:
        self.log = log
        self.handle = log.open("wb")
        command = [sys.executable, "-m", "treewright", "serve", "--port", "0", *map(str, options)]
        self.process = subprocess.Popen(command, stdout=self.handle, stderr=self.handle)
        while not (found := re.search(r"Serving at (\S+);", log.read_text())):
            assert self.process.poll() is None, log.read_text()
            time.sleep(0.05)
        self.url = found[1]
        began = time.monotonic()
        while not self.is_ready():
            time.sleep(0.1)
        self.warm_up = time.monotonic() - began

    def is_ready(self) -> bool:
        try:
            return bool(json.load(urllib.request.urlopen(f"{self.url}/readyz"))["ready"])
        except OSError:
            return False

    def metrics(self) -> dict[str, float]:
        text = urllib.request.urlopen(f"{self.url}/metrics").read().decode()
        return {
            name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.MULTILINE)
        }

    def workers(self) -> list[int]:
        """The processes that work, below the server of processes."""
        servers = [pid for pid in below(self.process.pid) if below(pid)]
        return sorted(pid for server in servers for pid in below(server))

    def memory(self) -> float:
        return sum(resident(pid) for pid in [self.process.pid, *below(self.process.pid)])

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(120)


def below(process: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == process:
                child = int(path.parent.name)
                found += [child, *below(child)]
    return found


def resident(process: int) -> float:
    """Megabytes in memory."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 2**20
    return 0.0


@contextlib.contextmanager
def locust(
    program: str, server: Server, folder: Path, users: int, rate: float, seconds: float
) -> Iterator[Path]:
    """Run locust beside the body of the context; yield the stem of its tables."""
    (folder / "locustfile.py").write_text(LOCUSTFILE)
    stem = folder / "table"
    for path in folder.glob("table*"):
        path.unlink()
    env = {**os.environ, "TARGET": server.url, "PER_USER": str(rate / users), "SENTENCE": SENTENCE}
    command = [program, "-f", folder / "locustfile.py", "--headless", "-u", users, "-r", users]
    command += ["-t", f"{seconds:.0f}s", "--csv", stem, "--only-summary", "--stop-timeout", "60"]
    env.pop("PYTHONPATH", None)
    with subprocess.Popen(
        [str(each) for each in command], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        yield stem
        output = process.communicate()[0].decode()
    assert (folder / "table_stats.csv").exists(), output


def rows(stem: Path) -> dict[str, dict[str, str]]:
    with Path(f"{stem}_stats.csv").open() as handle:
        return {row["Name"]: row for row in csv.DictReader(handle)}


def failures(stem: Path) -> list[str]:
    with Path(f"{stem}_failures.csv").open() as handle:
        return [f"{row['Error']} ({row['Occurrences']})" for row in csv.DictReader(handle)]


def describe(row: dict[str, str] | None) -> str:
    if row is None:
        return "0 | | | "
    return (
        f"{row['Request Count']} | {float(row['50%'] or 0):.0f} | {float(row['95%'] or 0):.0f} | "
        f"{float(row['99%'] or 0):.0f}"
    )


def load(options: argparse.Namespace) -> None:
    folder = Path(tempfile.mkdtemp())
    server = Server("--workers", 2, "--queue", 32, "--log-level", "error", log=folder / "log")
    print(f"Warm after {server.warm_up:.0f} s; load average {os.getloadavg()[0]:.1f}.\n")
    run = partial(locust, options.locust, server, folder)
    print(
        "| clients | requests/s | answered | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|---|---|"
    )
    capacity = 0.0
    for users in (1, 8, 64):
        # As fast as each client gets answers: this is what the server can do.
        with run(users, 1e6, options.seconds) as stem:
            pass
        row = rows(stem).get("/v1/compress")
        refused = rows(stem).get("refused")
        rate = float(row["Requests/s"]) if row else 0.0
        capacity = max(capacity, rate)
        more = f" ({refused['Request Count']} refused)" if refused else ""
        print(f"| {users} | {rate:.1f} | {describe(row)}{more} |", flush=True)
    overload(server, run, capacity, options)
    kill(server, run, capacity, options)
    stop(server, run, capacity, options)


def overload(server: Server, run: Any, capacity: float, options: argparse.Namespace) -> None:
    rate = 3 * capacity
    sizes: list[float] = []
    before = server.metrics()
    with run(max(128, round(4 * rate)), rate, options.overload) as stem:
        end = time.monotonic() + options.overload
        while time.monotonic() < end:
            time.sleep(2)
            sizes.append(server.memory())
    after = server.metrics()
    answered, refused = rows(stem).get("/v1/compress"), rows(stem).get("refused")
    settled = sizes[len(sizes) // 6 :]
    print(f"\nOverload: {rate:.1f} requests/s offered for {options.overload:.0f} s.\n")
    print("| | requests | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|---|")
    print(f"| answered | {describe(answered)} |\n| refused (429) | {describe(refused)} |\n")
    done = after["treewright_pool_done_total"] - before["treewright_pool_done_total"]
    print(f"Jobs done: {done:.0f}. Failures: {failures(stem) or 'none'}.")
    spread = (max(settled) - min(settled)) / (sum(settled) / len(settled))
    print(f"Memory: {min(settled):.0f} to {max(settled):.0f} MB (spread {spread:.1%}).", flush=True)


def kill(server: Server, run: Any, capacity: float, options: argparse.Namespace) -> None:
    killed = 0
    before = server.metrics()
    with run(8, 1e6, options.seconds) as stem:
        for _ in range(3):
            time.sleep(options.seconds / 5)
            for worker in random.sample(server.workers(), 1):
                os.kill(worker, signal.SIGKILL)
                killed += 1
    after = server.metrics()
    while server.metrics()["treewright_workers_ready"] < 2:
        time.sleep(0.1)
    lost = after["treewright_pool_lost_total"] - before["treewright_pool_lost_total"]
    answered = rows(stem).get("/v1/compress")
    print(f"\nKilled {killed} workers under load: {lost:.0f} lost, {describe(answered)} answered;")
    print(f"failures: {failures(stem) or 'none'}. Both workers are back.", flush=True)


def stop(server: Server, run: Any, capacity: float, options: argparse.Namespace) -> None:
    with run(8, 1e6, options.seconds) as stem:
        time.sleep(options.seconds / 2)
        code = server.stop()
    found = failures(stem)
    ours = [each for each in found if "refused" not in each.lower()]
    print(f"\nStopped under load: exit status {code}; failures other than refused connections: ")
    print(f"{ours or 'none'}.")
    log = server.log.read_text()
    print(f"\nThe log has {len(log.splitlines())} lines; the text is in {log.count(MARK)} of them.")


# Hostile requests


def hostile(options: argparse.Namespace) -> None:
    folder = Path(tempfile.mkdtemp())
    server = Server("--workers", 2, "--seconds", 20, log=folder / "log")
    before = server.metrics()
    began = time.monotonic()
    sockets = Counter(raw(server.url, options.sockets))
    statuses = Counter(fuzz(server.url, options.requests, began + 60 * options.minutes))
    after = server.metrics()
    print("| requests | statuses |\n|---|---|")
    for name, found in (("schemathesis", statuses), ("raw sockets", sockets)):
        listed = ", ".join(f"{status}: {number}" for status, number in sorted(found.items()))
        print(f"| {name}: {found.total()} | {listed} |")
    for name in ("lost", "overrun", "started"):
        key = f"treewright_pool_{name}_total"
        print(f"\nWorkers {name}: {after[key] - before[key]:.0f}.", end="")
    log = server.log.read_text()
    print(f"\n\n{time.monotonic() - began:.0f} s; ready afterwards: {server.is_ready()}.")
    print(f"Log: {len(log.splitlines())} lines, {log.count(MARK)} with the text, ", end="")
    print(f"{len(re.findall('ERROR', log))} errors.")
    server.stop()


def fuzz(url: str, number: int, end: float) -> Iterator[str]:
    """Yield the status of each of so many requests generated from the OpenAPI document.

    When time is up, no more are sent.
    """
    import hypothesis
    import schemathesis
    from schemathesis.core.errors import SerializationNotPossible

    schema = schemathesis.openapi.from_url(f"{url}/v1/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    found: list[str] = []
    modes = list(schemathesis.GenerationMode)
    share = -(-number // (len(operations) * len(modes)))
    for operation in operations:
        for mode in modes:

            @hypothesis.settings(
                max_examples=share,
                deadline=None,
                database=None,
                suppress_health_check=list(hypothesis.HealthCheck),
                phases=[hypothesis.Phase.generate],
            )
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def send(case: Any) -> None:
                if time.monotonic() > end:
                    return
                response = case.call(timeout=60)
                found.append(str(response.status_code))
                assert response.status_code != 500, case.as_curl_command()

            # It cannot write JSON Lines; raw sockets send those.
            known = (hypothesis.errors.Unsatisfiable, SerializationNotPossible)
            with contextlib.suppress(*known):
                send()
    yield from found


PARTS = (
    b"POST /v1/compress HTTP/1.1\r\n",
    b"POST /v1/compress/stream?rate=0.5 HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\n",
    b"BREW /v1/parse HTTP/1.1\r\n",
    b"\x00\xff\x16\x03\x01 HTTP/9.9\r\n",
)
BODIES = (
    f'{{"text": "{SENTENCE}"}}'.encode(),
    f'{{"text": "{MARK} \\u0000"}}'.encode(),
    b'{"text": "' + MARK.encode() + b'\x00\xff\xfe"}',
    b"[" * 5000,
    b'{"a":' * 2000,
    b'{"text": "a", "max_words": ' + b"9" * 5000 + b"}",
    b'{"text": "a", "rate": 1e999}',
    b'{"text": "a", "rate": NaN}',
    b"",
    MARK.encode() + b"\n" * 50,
)


def raw(url: str, number: int) -> Iterator[str]:
    """Yield what comes of so many requests that no client would send."""
    host, port = url.removeprefix("http://").split(":")
    drawn = random.Random(1)
    for _ in range(number):
        line, body = drawn.choice(PARTS), drawn.choice(BODIES)
        length = drawn.choice([len(body), len(body) + 7, max(0, len(body) - 3), -1, 10**30])
        lengths = [f"Content-Length: {length}\r\n"]
        chunks = drawn.random() < 0.2
        if chunks:
            lengths = ["Transfer-Encoding: chunked\r\n"]
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body) + drawn.choice([0, 0, 5]), body)
        kind = drawn.choice(["application/json", "application/jsonl", "text/plain"])
        head = line + f"Host: {host}\r\nContent-Type: {kind}\r\n{''.join(lengths)}\r\n".encode()
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            try:
                # In pieces; one in ten leaves before it has said everything.
                said = head + body
                middle = drawn.randrange(1, len(said))
                connection.sendall(said[:middle])
                if drawn.random() < 0.1:
                    yield "left"
                    continue
                connection.sendall(said[middle:])
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(64)
                found = re.match(rb"HTTP/1.1 (\d+)", answer)
                yield found[1].decode() if found else "closed"
            except OSError as error:
                yield type(error).__name__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("load")
    command.add_argument("--locust", default="locust")
    command.add_argument("--seconds", type=float, default=30.0)
    command.add_argument("--overload", type=float, default=120.0)
    command.set_defaults(run=load)
    command = commands.add_parser("hostile")
    command.add_argument("--requests", type=int, default=9000)
    command.add_argument("--sockets", type=int, default=1000)
    command.add_argument("--minutes", type=float, default=60.0)
    command.set_defaults(run=hostile)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
