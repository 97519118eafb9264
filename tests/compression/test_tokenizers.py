"""Tokenizers by name, with a small table of our own; nothing is fetched."""

from __future__ import annotations

import base64
import pickle
from pathlib import Path

import pytest

from treewright.compression import Limit, open_tokenizer
from treewright.errors import DataError, UsageError

tiktoken = pytest.importorskip("tiktoken")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table of all bytes and two joined tokens."""
    tokens = [bytes([n]) for n in range(256)] + [b"th", b"the"]
    lines = [f"{base64.b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens)]
    path = tmp_path / "small.tiktoken"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_a_table_of_ones_own_counts_tokens(table: Path) -> None:
    count = open_tokenizer(str(table))
    assert count("the") == 1
    assert count("tha the") == 2 + 2
    assert count("é<|endoftext|>") == len("é<|endoftext|>".encode())
    assert Limit(max_tokens=5, tokenizer=count).measure("the the") == 3
    assert pickle.loads(pickle.dumps(count))("the") == 1


def test_bad_tables_and_names_are_reported(table: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown tokenizer 'nonsense'; .*cl100k_base"):
        open_tokenizer("nonsense")
    broken = tmp_path / "broken.tiktoken"
    broken.write_text("dGhl one\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"broken.tiktoken:1: found 'dGhl one'; expected a token"):
        open_tokenizer(str(broken))
    broken.write_text("dGhl 1\n", encoding="utf-8")
    with pytest.raises(DataError, match="no token for the byte 0 and 255 others"):
        open_tokenizer(str(broken))


def test_a_table_that_cannot_be_fetched_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(name: str) -> object:
        raise ConnectionError("no network")

    monkeypatch.setattr(tiktoken, "get_encoding", unreachable)
    with pytest.raises(DataError, match=r"p50k_edit could not be fetched.*TIKTOKEN_CACHE_DIR"):
        open_tokenizer("p50k_edit")
