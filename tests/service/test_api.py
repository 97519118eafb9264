"""The routes, over HTTP: the library's answers, and its errors as problem documents."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from treewright.cli.doctor import SENTENCE, SHORTENED
from treewright.compression import Compressor

from ..programs import TREEWRIGHT, run_program
from .server import Server, serving

DOG = "The old dog, which was tired, slept on the mat on Monday."
PROBLEM = "application/problem+json"


def compressed(server: Server, **body: Any) -> Any:
    answer = server.post("/v1/compress", body)
    assert answer.status == 200, answer.body
    return answer.json


def rounded(value: Any) -> Any:
    """The same without the last digits of scores, which depend on what is parsed together."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


def problem(answer: Any, status: int, name: str) -> str:
    assert (answer.status, answer.headers["content-type"]) == (status, PROBLEM)
    found = answer.json
    assert found["type"] == f"urn:treewright:problem:{name}"
    assert found["status"] == status
    return str(found["detail"])


def test_a_text_is_shortened_as_the_command_line_does(server: Server) -> None:
    assert compressed(server, text=SENTENCE)["text"] == SHORTENED["news"]
    asked = {"text": SENTENCE, "rate": 0.5, "keep": ["numbers"], "drop": ["old"]}
    options = ["--rate", "0.5", "--keep", "numbers", "--drop", "old"]
    for explain in (False, True):
        shown = compressed(server, **asked, explain=explain, alternatives=2 * explain, trees=True)
        more = ["--explain", "--alternatives", "2"] if explain else []
        command = [*TREEWRIGHT, "compress", SENTENCE, "--json", *options, *more]
        assert rounded(shown) == rounded(json.loads(run_program(*command).stdout))


def test_every_option_of_the_library_is_one_of_requests(server: Server) -> None:
    described = server.get("/v1/openapi.json").json
    fields = described["components"]["schemas"]["CompressBody"]["properties"]
    arguments = set(signature(Compressor.compress).parameters) - {"self", "tokenizer"}
    assert set(fields) == arguments | {"texts", "model", "format", "diff"}
    stream = described["paths"]["/v1/compress/stream"]["post"]["parameters"]
    assert {each["name"] for each in stream} == arguments - {"text"} | {"model", "diff"}


def test_several_texts_and_an_error_in_place_of_a_bad_one(server: Server) -> None:
    found = compressed(server, texts=[DOG, "bad\0", ["A", "dog", "barks", "."]], diff=True)
    first, second, third = found["results"]
    assert first["text"] in DOG + first["text"]
    assert first["diff"].replace("[-", "").replace("-]", "") == DOG
    assert "U+0000" in second["error"]
    assert third["tokens"] == ["A", "dog", "barks", "."]


def test_demands_of_places_and_their_conflicts(server: Server) -> None:
    start = DOG.index("on Monday")
    place = f"@{start}-{start + 9}"
    assert "on Monday" in compressed(server, text=DOG, keep=[place], rate=0.7)["text"]
    assert "on Monday" not in compressed(server, text=DOG, drop=[place], max_words=99)["text"]
    answer = server.post("/v1/compress", {"text": DOG, "keep": ["dog"], "drop": ["dog"]})
    assert "both to be kept and to be dropped" in problem(answer, 422, "invalid")
    answer = server.post("/v1/compress", {"text": DOG, "keep": ["dog"], "drop": ["/d.g/"]})
    assert "both to be kept and to be dropped" in problem(answer, 422, "unprocessable")
    found = compressed(server, text=DOG, keep=["zebra"], drop=["yak"])
    assert (found["unmatched_keep"], found["unmatched_drop"]) == (["zebra"], ["yak"])


@pytest.mark.parametrize(
    ("body", "status", "name", "words"),
    [
        (b"{", 400, "malformed", "JSON"),
        (b"[" * 100_000, 400, "malformed", ""),
        (b'{"text": "\xff"}', 400, "malformed", ""),
        (b'{"text": "\\ud800"}', 422, "unprocessable", "U+D800"),
        ({}, 422, "invalid", "either text or texts"),
        ({"text": "a", "texts": ["b"]}, 422, "invalid", "either text or texts"),
        ({"text": DOG, "rate": 2}, 422, "invalid", "rate"),
        ({"text": DOG, "rate": "0.5"}, 422, "invalid", "rate"),
        ({"text": DOG, "rate": 0.5, "max_words": 3}, 422, "invalid", "contradict each other"),
        ({"text": DOG, "rtae": 0.5}, 422, "invalid", "rtae"),
        ({"text": DOG, "model": "../../etc/passwd"}, 422, "invalid", "no model of this name"),
        ({"text": DOG, "keep": ["/(/"]}, 422, "invalid", "keep /(/"),
        ({"text": DOG, "max_words": 10**400}, 422, "invalid", "max_words"),
        ({"text": "a\0"}, 422, "unprocessable", "U+0000"),
        ({"text": "Paris is big.", "max_words": 1, "keep": ["Paris", "big"]}, 422, "unprocessable",
         "raise the limit or keep less"),
        ({"text": "x" * 300_000}, 422, "unprocessable", "more than 262144 characters"),
        ({"texts": ["x" * 200_000] * 2}, 413, "too-large", "characters of text"),
        ({"text": "x" * (1 << 20)}, 413, "too-large", "bytes"),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(
    server: Server, body: Any, status: int, name: str, words: str
) -> None:
    assert words in problem(server.post("/v1/compress", body), status, name)


def test_other_paths_methods_and_media_types(server: Server) -> None:
    problem(server.get("/v1/nothing"), 404, "not-found")
    problem(server.get("/page/../work.py"), 404, "not-found")
    problem(server.get("/v1/compress"), 405, "method-not-allowed")
    answer = server.ask("POST", "/v1/compress", b"text=a", {"Content-Type": "text/plain"})
    problem(answer, 415, "unsupported-media-type")


def test_only_local_names_are_answered(server: Server) -> None:
    problem(server.get("/healthz", Host="evil.example"), 421, "forbidden-host")
    for host in ("localhost", f"127.0.0.1:{server.port}", "[::1]:80"):
        assert server.get("/healthz", Host=host).status == 200


def test_parses_are_those_of_the_command_line(server: Server, tmp_path: Path) -> None:
    text = "The dog barks. It is old."
    (tmp_path / "t").write_text(text)
    lines = run_program(*TREEWRIGHT, "parse", tmp_path / "t", "--json").stdout.splitlines()
    answer = server.post("/v1/parse", {"text": text})
    assert answer.json == {"sentences": [json.loads(line) for line in lines]}


def test_words_are_aligned(server: Server) -> None:
    pairs = [{"source": "das haus", "target": ["the", "house"]}, {"source": "haus", "target": ""}]
    found = server.post("/v1/align", {"pairs": pairs, "method": "ibm1"}).json["alignments"]
    assert len(found) == 2
    assert found[1] == ""
    problem(server.post("/v1/align", {"pairs": []}), 422, "invalid")


def test_models_state_and_metrics(server: Server) -> None:
    assert server.get("/v1/models").json == {"models": [{"name": "news", "default": True}]}
    assert server.get("/healthz").json["status"] == "running"
    assert server.get("/readyz").json["ready"] is True
    before = server.metric("treewright_characters_total")
    compressed(server, text=DOG)
    assert server.metric("treewright_characters_total") == before + len(DOG)
    assert server.metric("treewright_workers_ready") == 1


def test_answers_forbid_other_hosts(server: Server) -> None:
    for path in ("/", "/docs", "/v1/models"):
        headers = server.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_a_token_an_origin_and_a_short_time(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("sesame\n")
    options = ["--token-file", tmp_path / "token", "--allow-origin", "https://a.example"]
    limits = ["--seconds", 0.02, "--max-body", 200_000, "--workers", 1]
    with serving(tmp_path, *options, *limits) as server:
        answer = server.post("/v1/compress", {"text": DOG})
        problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
        problem(server.get("/metrics"), 401, "unauthorized")
        assert server.get("/").status == 200
        server.headers = {"Authorization": "Bearer sesame", "Origin": "https://a.example"}
        assert (
            server.get("/v1/models").headers["access-control-allow-origin"] == "https://a.example"
        )
        problem(server.post("/v1/compress", {"text": "a" * 200_000}), 413, "too-large")
        slow = {"text": (DOG + " ") * 200, "explain": True}
        assert "more than 0.02 s" in problem(server.post("/v1/compress", slow), 503, "overrun")
        server.until(lambda: server.metric("treewright_workers_ready") == 1)
        assert server.metric("treewright_pool_overrun_total") == 1
