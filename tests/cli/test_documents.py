"""`treewright compress --format`: documents that stay byte for byte but for their prose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..documents.test_subtitles import SRT
from ..pages import HAVE_MODELS
from .runner import fail, run, succeed

pytestmark = pytest.mark.skipif(not HAVE_MODELS, reason="the models are not in the package")

PAGE = (
    "# The *shop*\r\n\r\n- Sadly, the [old shop](a.md) will not reopen.\r\n\r\n```\r\nSadly,\r\n```"
)
SHORT = PAGE.replace("Sadly, the [", "The [")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_bytes(PAGE.encode())
    return path


def test_the_name_of_a_file_says_its_format(page: Path) -> None:
    assert succeed("compress", "--file", page).raw == SHORT.encode()
    plain = succeed("compress", "--file", page, "--format", "plain").raw
    assert plain != SHORT.encode() and plain.endswith(b"\n")


def test_a_document_from_a_pipe_or_in_json() -> None:
    piped = run("compress", "--format", "markdown", stdin=PAGE)
    assert piped.raw == SHORT.encode()
    line = json.dumps({"id": 7, "text": PAGE})
    told = run("compress", "--jsonl", "--format", "markdown", "--json", stdin=line)
    described = json.loads(told.out)
    assert (described["id"], described["text"]) == (7, SHORT)
    assert "".join([PAGE[a:b] for a, b in described["spans"]]) == SHORT.replace("- The", "- the")


def test_what_is_deleted_is_shown_in_the_document(page: Path) -> None:
    assert "- [-Sadly, -]the [old shop](a.md) will" in succeed(
        "compress", "--file", page, "--diff"
    ).raw.decode().replace("\r", "")
    assert "Sadly, (ADVP)" in succeed("compress", "--file", page, "--explain").out


def test_tokens_of_a_table_are_counted(page: Path, tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    table = tmp_path / "bytes.tiktoken"
    from base64 import b64encode

    lines = [f"{b64encode(bytes([n])).decode()} {n}\n" for n in range(256)]
    table.write_text("".join(lines), encoding="utf-8")
    short = ("compress", "--file", page, "--tokenizer", table, "--max-tokens")
    assert succeed(*short, len(SHORT)).raw == SHORT.encode()
    assert succeed(*short, len(PAGE)).raw == PAGE.encode()
    assert "a tokenizer is for max_tokens" in fail(2, "compress", "A text.", "--tokenizer", table)


def test_cues_have_limits_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    path.write_text(SRT, encoding="utf-8")
    short = succeed("compress", "--file", path, "--cue-line-chars", 37, "--cue-lines", 2).out
    assert short.count("-->") == 6
    text = [line for line in short.replace("&amp;", "&").splitlines() if "-->" not in line]
    assert max(map(len, text)) <= len("{\\an8}") + 37
    tight = run("compress", "--file", path, "--cue-second-chars", 2)
    assert "exceeds the limit (--cue-second-chars 2.0)" in tight.err
    assert "for subtitles" in fail(2, "compress", "A text.", "--cue-second-chars", 17)


def test_lines_are_no_documents() -> None:
    assert "lines and tokens are no documents" in fail(
        2, "compress", "--lines", "--format", "markdown", "--file", "-"
    )
