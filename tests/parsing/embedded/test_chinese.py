"""How Chinese words are seen: by their characters."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treewright.parsing.embedded import wordforms
from treewright.parsing.embedded.chinese import normal_form, outline, spelling
from treewright.parsing.embedded.wordforms import BUCKETS

from .strategies import words

FORMS = {
    "天气": "天气",
    "１９８４": "0000",
    "ＡＢＣ": "ABC",
    "，": ",",
    ",": ",",
    "？": "?",
    "。": "。",
    "「": "“",
    "』": "”",
    "——": "—",
    "－": "—",
    "......": "......",
    "……": "…",
    "著": "着",
    "著名": "著名",
    "-LRB-": "(",
    "（": "(",
    "㍿": "㍿",
}
HAN = "山水火木金土日月人口"


@pytest.mark.parametrize(("word", "form"), FORMS.items(), ids=FORMS)
def test_normal_forms(word: str, form: str) -> None:
    assert normal_form(word) == form


@given(words)
@example("²")
@example("－－")
@example("`")
def test_a_normal_form_is_its_own_and_no_longer(word: str) -> None:
    form = normal_form(word)
    assert len(form) <= max(len(word), 1)
    assert normal_form(form) == form


def test_of_a_long_word_both_ends_are_seen() -> None:
    form = normal_form("山" * 10_000 + "水" * 10_000)
    assert form == "山" * 20 + "水" * 20
    assert len(spelling(normal_form("".join(map(chr, range(0x4E00, 0x6000)))))) < 80


@pytest.mark.parametrize(
    ("form", "kinds"),
    [("火山", "h"), ("三十", "n"), ("第三次", "nh"), ("00岁", "0h"), ("Ab", "Xx"), ("。", "。")],
)
def test_outlines(form: str, kinds: str) -> None:
    assert outline(form) == kinds


@given(words)
@example("\ud800")
@example("\U0010ffff")
def test_any_word_has_features(word: str) -> None:
    buckets = spelling(normal_form(word))
    assert buckets == sorted(set(buckets))
    assert buckets[0] >= 0
    assert buckets[-1] < BUCKETS


@given(st.text(HAN, min_size=1, max_size=4), st.text(HAN, min_size=1, max_size=4))
def test_words_share_the_features_of_their_characters(first: str, second: str) -> None:
    """The place of a character is a feature of its own only at the ends of a word."""
    both = set(spelling(f"{first}家{second}")) & set(spelling("家"))
    assert both & set(spelling("国家"))
    assert both != set(spelling("家"))


def test_the_order_of_characters_matters_as_it_does_not_in_a_bag() -> None:
    assert spelling("牛奶") != spelling("奶牛")
    assert wordforms.spelling("牛奶") != spelling("牛奶")
