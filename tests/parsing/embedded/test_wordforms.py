from __future__ import annotations

import json
import os
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treewright.parsing.embedded.wordforms import BUCKETS, normal_form, shape, spelling

from ...programs import run_program
from .strategies import words

FORMS = {
    "Word": "Word",
    "1984": "0000",
    "B-52s": "B-00s",
    "٣٤": "00",
    "(": "(",
    "-LRB-": "(",
    "-RCB-": "}",
    "`": "'",
    "``": "``",
    "''": "''",
    "“": "``",
    "”": "''",
    "«": "``",
    "don’t": "don't",
    "…": "...",
    "—": "--",
    "1–2": "0-0",
    "a`b": "a`b",
    "中国": "中国",
}


@pytest.mark.parametrize(("word", "form"), FORMS.items(), ids=FORMS)
def test_normal_forms(word: str, form: str) -> None:
    assert normal_form(word) == form


@pytest.mark.parametrize("word", ["1/2", "A", '"', "\ud800", "🙂", "don't"])
def test_a_normal_form_is_its_own(word: str) -> None:
    assert normal_form(normal_form(word)) == normal_form(word)


def test_of_a_long_word_both_ends_are_seen() -> None:
    assert normal_form("a" * 10_000 + "b" * 10_000) == "a" * 20 + "b" * 20
    assert normal_form("c" * 40) == "c" * 40
    assert len(spelling(normal_form("".join(map(chr, range(256, 9000)))))) < 80


@pytest.mark.parametrize(
    ("form", "outline"),
    [("Word", "Xx"), ("0-year", "0-x"), ("USA", "X"), ("iPad", "xXx"), ("中国", "o"), ("$", "$")],
)
def test_outlines(form: str, outline: str) -> None:
    assert shape(form) == outline


@given(words)
@example("\ud800")
@example("a\udfffb")
@example("\U0010ffff")
@example("İ")
def test_any_word_has_features(word: str) -> None:
    form = normal_form(word)
    buckets = spelling(form)
    assert buckets == sorted(set(buckets))
    assert buckets[0] >= 0
    assert buckets[-1] < BUCKETS
    assert spelling(form) == buckets


@given(st.text("abc", min_size=5, max_size=9), st.text("xyz", min_size=5, max_size=9))
def test_words_that_share_an_ending_share_features(stem: str, other: str) -> None:
    assert len(set(spelling(f"{stem}tion")) & set(spelling(f"{other}tion"))) >= 4


def test_features_are_the_same_in_every_process() -> None:
    forms = ["House", "0000", "``", "中国", "naïve", "x"]
    code = (
        "import json, sys\n"
        "from treewright.parsing.embedded.wordforms import spelling\n"
        "print(json.dumps([spelling(form) for form in json.load(sys.stdin)]))"
    )
    found = run_program(
        sys.executable,
        "-c",
        code,
        input=json.dumps(forms),
        env={**os.environ, "PYTHONHASHSEED": "7"},
        text=True,
    )
    assert json.loads(found.stdout) == [spelling(form) for form in forms]
