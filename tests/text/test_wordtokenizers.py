from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import UsageError
from treewright.text import LANGUAGES, WordTokenizer, word_tokenizer

ENGLISH = word_tokenizer("en")


def tokenizer_or_skip(language: str) -> WordTokenizer:
    """Return a tokeniser, or skip where its extra is not installed."""
    try:
        return word_tokenizer(language)
    except UsageError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It’s the leaders’ “plan”, isn't it?", "It 's the leaders ' \" plan , \" is n't it ?"),
        ("You cannot — or can’t – wait…", "You can not - or ca n't - wait ..."),
        ("a|b and/or R&D cost US$5", "a / b and / or R & D cost US $ 5"),
        ("He said ``no'' to 1/2 of AT&T.", 'He said " no " to 1/2 of AT & T .'),
        ("See https://x.org/a/b or a@b.org.", "See https://x.org/a/b or a@b.org ."),
        ('It is "P". The "3.5" stays.', 'It is " P . " The " 3.5 " stays .'),
        ("", ""),
    ],
)
def test_english_words_have_plain_marks(text: str, words: str) -> None:
    assert ENGLISH.tokenize(text) == words.split()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("It 's the leaders ' \" plan , \" is n't it ?", "It's the leaders' \"plan,\" isn't it?"),
        ("the women ' s bridge do n 't fall", "the women's bridge don't fall"),
        ("he said : ' I can . ' and left", "he said: 'I can.' and left"),
        ("the dogs ' and cats ' food", "the dogs' and cats' food"),
        ("", ""),
    ],
)
def test_english_words_are_written_as_people_write(words: str, text: str) -> None:
    assert ENGLISH.detokenize(words.split()) == text


@given(st.text(max_size=60))
def test_no_word_is_empty_or_holds_white_space(text: str) -> None:
    for language in ("en", "whitespace"):
        words = word_tokenizer(language).tokenize(text)
        assert [word.split() for word in words] == [[word] for word in words]
        assert isinstance(word_tokenizer(language).detokenize(words), str)


def test_white_space_alone_may_separate_words() -> None:
    tokenizer = word_tokenizer("whitespace")
    assert tokenizer.tokenize(" don't  split\tthis. ") == ["don't", "split", "this."]
    assert tokenizer.detokenize(["a", "b."]) == "a b."


def test_an_unknown_language_lists_the_others() -> None:
    with pytest.raises(UsageError, match=r"unknown language of a tokeniser 'xx'; .*de, .*zh"):
        word_tokenizer("xx")


@pytest.mark.parametrize(("language", "module"), [("zh", "jieba"), ("de", "sacremoses")])
def test_what_is_not_installed_is_said(
    language: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=rf"needs {module}; run pip install '\.\["):
        word_tokenizer(language)


def test_chinese() -> None:
    tokenizer = tokenizer_or_skip("zh")
    text = "我们在U.S.喝了3.5升“好茶”，0.1%来自if-then公司|A380。"
    words = tokenizer.tokenize(text)
    assert "".join(words) == text.replace("“", '"').replace("”", '"').replace("|", "/")
    assert {"我们", "U.S.", "3.5", "0.1%", "if-then", "A", "380", '"', "，", "/"} <= set(words)
    assert tokenizer.detokenize(words) == ("我们在U.S.喝了3.5升“好茶”，0.1%来自if-then公司/A 380。")


def test_german_and_french() -> None:
    german = tokenizer_or_skip("de").tokenize("„Das“ kostet z.B. 3,5 % (ca. 5|6).")
    assert " ".join(german) == '" Das " kostet z.B. 3,5 % ( ca. 5 / 6 ) .'
    french = word_tokenizer("fr")
    words = ["L'", "homme", "n'", "est", "pas", "là", "."]
    assert french.tokenize("L’homme n'est pas là.") == words
    assert french.detokenize(words) == "L'homme n'est pas là."


def share(data: Path, name: str, language: str, tokenizer: WordTokenizer) -> float:
    """Return the share of lines that are tokenised as in the data."""
    folder = data / "translation"
    raw, given = (
        (folder / f"{name}.{kind}{language}").read_text(encoding="utf-8").split("\n")[:-1]
        for kind in ("raw.", "")
    )
    same = [tokenizer.tokenize(a) == b.split(" ") for a, b in zip(raw, given, strict=True)]
    return sum(same) / len(same)


@pytest.mark.parametrize(
    ("name", "language", "least"),
    [
        ("multi30k/dev", "en", 1.0),
        ("zh-en/dev.everyday", "en", 1.0),
        ("zh-en/dev.news", "en", 0.99),
        ("zh-en/dev.captions", "en", 0.9),
        ("multi30k/dev", "de", 0.995),
        ("multi30k/dev", "fr", 0.995),
        ("zh-en/dev.everyday", "zh", 0.995),
        ("zh-en/dev.news", "zh", 0.995),
    ],
)
def test_real_text_is_tokenised_as_in_the_data(
    data: Path, name: str, language: str, least: float
) -> None:
    assert share(data, name, language, tokenizer_or_skip(language)) >= least


def test_every_language_has_a_name_once() -> None:
    assert len(set(LANGUAGES)) == len(LANGUAGES)
