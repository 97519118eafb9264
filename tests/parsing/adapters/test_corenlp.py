"""The CoreNLP adapter against a server on this machine that speaks as CoreNLP does."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from treewright.errors import DataError, UsageError
from treewright.parsing import ParserError, parse_each
from treewright.parsing.adapters import CoreNLPParser, corenlp
from treewright.trees import Tree

from .fakes import BRACKETS, FITTED, SENTENCE, SHORT

Answer = tuple[int, bytes]


def parsed(line: str) -> dict[str, object]:
    """Return what CoreNLP says of one line: fields as version 4.5 has them."""
    words = line.split(" ")
    known = {" ".join(words): tree for words, tree in BRACKETS.items()}
    plain = line.replace("-LRB-", "(").replace("-RRB-", ")")
    flat = "(ROOT (X " + " ".join(f"(XX {word})" for word in words) + "))"
    tokens = [
        {"index": place, "word": word, "originalText": word, "pos": "XX"}
        for place, word in enumerate(words, start=1)
    ]
    return {"index": 0, "parse": known.get(plain, flat), "tokens": tokens}


def well(body: str) -> Answer:
    sentences = [parsed(line) for line in body.splitlines()]
    return 200, json.dumps({"sentences": sentences}, ensure_ascii=False).encode()


@dataclass
class Server:
    """What the server was asked, and how it answers."""

    url: str = ""
    answer: Callable[[str], Answer] = well
    bodies: list[str] = field(default_factory=list)
    queries: list[dict[str, list[str]]] = field(default_factory=list)
    types: list[str | None] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            state.bodies.append(body)
            state.queries.append(parse_qs(urlsplit(self.path).query))
            state.types.append(self.headers["Content-Type"])
            status, content = state.answer(body)
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                pass

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    yield state
    http.shutdown()
    thread.join(60.0)
    assert not thread.is_alive()
    http.server_close()


def test_trees_fit_the_protocol(server: Server) -> None:
    trees = CoreNLPParser(server.url).parse([SENTENCE, SHORT])
    assert [str(tree) for tree in trees] == [FITTED[SENTENCE], FITTED[SHORT]]
    assert [tree.words() for tree in trees] == [SENTENCE, SHORT]


def test_the_request_says_that_tokens_are_split(server: Server) -> None:
    CoreNLPParser(server.url).parse([SENTENCE, ("100%20", "+", "é", "中国"), ("[", "f(x)", "}")])
    assert server.bodies == [
        "The price -LRB- a lot -RRB- fell .\n100%20 + é 中国\n-LSB- f-LRB-x-RRB- -RCB-\n"
    ]
    assert server.types == ["text/plain; charset=utf-8"]
    assert json.loads(server.queries[0]["properties"][0]) == {
        "annotators": "tokenize,ssplit,pos,parse",
        "tokenize.whitespace": "true",
        "ssplit.eolonly": "true",
        "outputFormat": "json",
    }


def test_an_address_may_have_a_path_and_a_query(server: Server) -> None:
    CoreNLPParser(f"{server.url}/nlp/?pipelineLanguage=zh").parse([SHORT])
    assert server.queries[0]["pipelineLanguage"] == ["zh"]
    assert "properties" in server.queries[0]


def test_a_proxy_is_not_asked_for_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert len(CoreNLPParser(server.url).parse([SHORT])) == 1


def test_long_batches_go_in_several_requests(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corenlp, "_REQUEST", 30)
    sentences = [SHORT] * 4 + [("word",) * 20] + [SHORT]
    trees = CoreNLPParser(server.url).parse(sentences)
    assert [tree.words() for tree in trees] == sentences
    assert [body.count("\n") for body in server.bodies] == [2, 2, 1, 1]


def test_control_characters_come_back_bare(server: Server) -> None:
    tree = '{"sentences": [{"parse": "(ROOT (NN a\x07b))"}]}'
    server.answer = lambda body: (200, tree.encode())
    assert CoreNLPParser(server.url).parse([("a\x07b",)]) == [
        Tree("ROOT", [Tree("NN", word="a\x07b")])
    ]


@pytest.mark.parametrize(
    "url", ["", "localhost:9000", "file:///etc/passwd", "ftp://x", "http://", "http://[", "http"]
)
def test_only_web_addresses(url: str) -> None:
    with pytest.raises(UsageError, match="not the address of a CoreNLP server"):
        CoreNLPParser(url)


def test_a_refused_connection() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ParserError) as caught:
        CoreNLPParser(f"http://127.0.0.1:{port}").parse([SHORT])
    assert str(caught.value) == (
        f"http://127.0.0.1:{port}: cannot reach the CoreNLP server (Connection refused); "
        "start it, or correct the address"
    )


def test_a_server_that_does_not_answer(server: Server) -> None:
    def late(body: str) -> Answer:
        time.sleep(0.3)
        return well(body)

    server.answer = late
    with pytest.raises(ParserError, match=r"no answer from the CoreNLP server within 0.05 seconds"):
        CoreNLPParser(server.url, timeout=0.05).parse([SHORT])


@pytest.mark.parametrize(
    ("status", "kind"), [(500, DataError), (400, DataError), (404, ParserError), (401, ParserError)]
)
def test_a_server_that_refuses(server: Server, status: int, kind: type[Exception]) -> None:
    server.answer = lambda body: (status, b"CoreNLP request timed out.\n")
    with pytest.raises(kind, match=f"the server answered {status} .*: CoreNLP request timed out."):
        CoreNLPParser(server.url).parse([SHORT])


@pytest.mark.parametrize(
    "content", [b"<html>", b"", b"[]", b'{"sentences": ', b'{"x": 1}', b"\xff"]
)
def test_an_answer_that_is_not_corenlps(server: Server, content: bytes) -> None:
    server.answer = lambda body: (200, content)
    with pytest.raises(ParserError, match="the answer is not CoreNLP's JSON"):
        CoreNLPParser(server.url).parse([SHORT])


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([], "the server found 0 sentences where 1 were sent"),
        (None, "the server found 0 sentences where 1 were sent"),
        ([{}], "sentence 1: the server gave no parse of it"),
        ([{"parse": "(S"}], "sentence 1: the server's parse is not a tree: the text ends inside"),
        ([{"parse": "(S (NN Rain))"}], "sentence 1: the parser's tree has 1 words, the sentence 2"),
    ],
)
def test_an_answer_that_does_not_fit(server: Server, sentences: object, message: str) -> None:
    server.answer = lambda body: (200, json.dumps({"sentences": sentences}).encode())
    with pytest.raises(DataError, match=message):
        CoreNLPParser(server.url).parse([SHORT])


def test_one_bad_sentence_does_not_lose_the_rest(server: Server) -> None:
    def choosy(body: str) -> Answer:
        return (500, b"too strange") if "strange" in body else well(body)

    server.answer = choosy
    found = parse_each(CoreNLPParser(server.url), [SHORT, ("strange",), SENTENCE])
    assert [isinstance(result, Tree) for result in found] == [True, False, True]
    assert "too strange" in str(found[1])
