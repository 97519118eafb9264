"""Markdown: prose is shortened, and everything else stays byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from treewright.compression import Compressor, Limit, Request
from treewright.documents import shorten_document
from treewright.documents.markdown import may_start_line, read_page
from treewright.documents.rewriting import Manuscript
from treewright.text import split_kinds

from ..pages import HAVE_MODELS, ROOT
from ..profiles import examples
from .strategies import Document, Dropping, Without, documents

needs_models = pytest.mark.skipif(not HAVE_MODELS, reason="the models are not in the package")


@pytest.fixture(scope="module")
def news() -> Compressor:
    return Compressor.load("news")


def shape(text: str) -> list[tuple[Any, ...]]:
    """Return what a stock parser sees besides the words of paragraphs."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    seen: list[tuple[Any, ...]] = []
    before = ""
    for token in tokens:
        prose = token.type == "inline" and before == "paragraph_open"
        seen.append((token.type, token.markup, token.info, "" if prose else token.content))
        before = token.type
    return seen


def spans_of_markup(text: str) -> list[tuple[Any, ...]]:
    """Return links and pictures with their addresses, and code, in order."""
    found: list[tuple[Any, ...]] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        for child in token.children or ():
            if child.type in ("link_open", "image", "code_inline", "html_inline"):
                found.append((child.type, child.content, *sorted(child.attrs.items())))
    return found


def is_subsequence(part: list[Any], whole: list[Any]) -> bool:
    rest = iter(whole)
    return all(item in rest for item in part)


def check(document: Document, text: str) -> None:
    assert shape(text) == shape(document.text)
    assert is_subsequence(spans_of_markup(text), spans_of_markup(document.text))
    place = 0
    for piece in document.others:
        place = text.index(piece, place) + len(piece)
    ends = {line[len(line.rstrip("\r\n")) :] for line in text.splitlines(keepends=True)}
    assert "\r\n" not in document.text or ends <= {"\r\n", ""}


def letters_of(text: str) -> list[str]:
    # A space that must not break may give way to a line break.
    text = text.replace("&nbsp;", "")
    return [character.casefold() for character in text if character.isalnum()]


@given(documents())
@examples(60)
def test_what_is_read_is_written_back(document: Document) -> None:
    page = read_page(document.text)
    for passage in page.passages:
        written = document.text[passage.start : passage.end]
        assert passage.write(passage.letters, may_start_line) == written
        assert len(passage.spans) == len(passage.plain)


def test_code_with_a_footnote_is_written_once() -> None:
    text = "The `x = 1` [^1] the the."
    [passage] = read_page(text).passages
    letters = passage.letters
    assert passage.write(letters[: -len(" the.")]) == text[: -len(" the.")]


@given(documents(), st.integers(0, 1000), st.sampled_from([0.1, 0.3, 0.6, 0.9]))
@examples(100)
def test_whatever_a_compressor_drops_only_prose_changes(
    document: Document, seed: int, share: float
) -> None:
    dropping: Any = Dropping(seed, share)
    result = shorten_document(document.text, dropping, format="markdown")
    check(document, result.text)
    assert result.source == document.text
    kept = "".join([document.text[start:end] for start, end in result.spans])
    assert letters_of(kept) == letters_of(result.text)
    assert [*result.spans] == sorted(result.spans)


def prose_of(text: str) -> str:
    return "\n\n".join([passage.plain for passage in read_page(text).passages])


@needs_models
@given(documents(), st.sampled_from(["rate", "max_words", "max_chars"]), st.floats(0.3, 0.9))
@examples(4)
def test_limits_hold(news: Compressor, document: Document, unit: str, share: float) -> None:
    words = Limit(max_words=1).measure(prose_of(document.text))
    value: float = share
    if unit != "rate":
        value = max(1, int(share * (words if unit == "max_words" else len(document.text))))
    limit = Limit(**{unit: value})
    result = shorten_document(document.text, news, Request(limit=limit), format="markdown")
    check(document, result.text)
    if result.met and unit == "max_chars":
        assert len(result.text) <= value
    elif result.met:
        assert limit.measure(prose_of(result.text)) <= max(1, limit.room_of(words))


def without(text: str, *words: str) -> str:
    """Return a document that lost some words."""
    dropping: Any = Without(words)
    return shorten_document(text, dropping, format="markdown").text


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("Run the *very old* code.", ["very"], "Run the *old* code."),
        ("Run the **very old** code.", ["old"], "Run the **very** code."),
        ("Run the **very old** code.", ["very", "old"], "Run the code."),
        ("The ~~so old~~ way.", ["so"], "The ~~old~~ way."),
        ("> The old\n> bridge is\n> long.", ["old", "bridge"], "> The\n> is\n> long."),
        ("- The old\n  bridge is long.", ["bridge"], "- The old\n  is long."),
        ("The old\r\nbridge.", ["old"], "The\r\nbridge."),
        ("Sadly, the\nold bridge.", ["Sadly", ","], "The\nold bridge."),
        ("It costs more\nthan 1. It fell.", ["than"], "It costs more 1. It fell."),
        ("The old way  \nis really long.", ["really"], "The old way  \nis long."),
        ("The old \\* way&nbsp;on.", ["old"], "The \\* way&nbsp;on."),
        ("The old bridge[^1] fell down.", ["bridge"], "The old fell down."),
        ("The old [^1]\nbridge fell.", ["bridge"], "The old [^1]\nfell."),
        ("- [x] The old one.", ["old"], "- [x] The one."),
        ("[^1]: The old note.", ["old"], "[^1]: The note."),
        ("> [!NOTE]\n> The old one.", ["old"], "> [!NOTE]\n> The one."),
        ("\ufeff# Old\n\nThe old one.", ["old"], "\ufeff# Old\n\nThe one."),
        ("The old <br> way. The old way.", ["old"], "The old <br> way. The way."),
        ("**Old and fast.** The old one.", ["old", "Old"], "**Old and fast.** The one."),
        ("`old`: the old one.", ["old"], "`old`: the one."),
        ("See the [old guide](a_b). The old.", ["old", "See"], "The [old guide](a_b). The."),
    ],
)
def test_markup_stays_around_what_is_left(source: str, words: list[str], expected: str) -> None:
    assert without(source, *words) == expected


@pytest.mark.parametrize(
    "source",
    [
        "old 1. foo, and so on.\n",
        "$$ old $$",
        "::: old note",
        "[old](x) ![old](y)",
        "<p>The old one.</p>",
        "| old |\n|---|\n| old |",
        "**the old  \nbridge**",
        "",
        "\n\n",
    ],
)
def test_what_is_no_prose_stays(source: str) -> None:
    assert without(source, "old") == source


def test_strong_sentences_are_shortened_but_not_dropped() -> None:
    page = read_page("The old one fell. It is old. **Never** look down. It is old.")
    prose = Manuscript(page.source, page.passages).prose(held=False, fixed=[False])
    bound = prose.bind(split_kinds(prose.text))
    assert [sentence.needed for sentence, _ in bound] == [True, False, True, False]


READMES = sorted(Path(__file__).with_name("readmes").glob("*.md"))


@needs_models
@pytest.mark.parametrize("path", READMES, ids=lambda path: path.stem)
def test_readmes_keep_their_form(news: Compressor, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result = shorten_document(text, news, name=path.name)
    check(Document(text, []), result.text)
    assert 0.6 * len(text) < len(result.text) < len(text)
    assert spans_of_markup(result.text) == spans_of_markup(text)


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))[:6]])
def test_pages_of_this_project_keep_their_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    dropping: Any = Dropping(1, 0.3)
    check(Document(text, []), shorten_document(text, dropping, format="markdown").text)


@needs_models
def test_links_and_code_stay_while_the_limit_leaves_room(news: Compressor) -> None:
    text = (
        "The mayor said on Monday that the [old bridge](b.md), which has been closed since last "
        "winter, will not reopen. Sadly, see `notes.txt` for the reasons, which are long."
    )
    roomy = shorten_document(text, news, Request(limit=Limit(max_words=14)), format="markdown")
    assert "[old bridge](b.md)" in roomy.text and "`notes.txt`" in roomy.text and roomy.met
    tight = shorten_document(text, news, Request(limit=Limit(max_words=9)), format="markdown")
    assert tight.met and "`notes.txt`" not in tight.text


@needs_models
def test_tokens_of_the_whole_document_are_counted(news: Compressor) -> None:
    text = "# A title\n\nSadly, the old shop on Mill Road will not reopen, its owner said.\n"
    limit = Limit(max_tokens=11, tokenizer=str.split)
    result = shorten_document(text, news, Request(limit=limit), format="markdown")
    assert result.met and len(result.text.split()) <= 11
    assert result.text.startswith("# A title\n\n")


@needs_models
def test_positions_are_those_of_the_document(news: Compressor) -> None:
    text = "# A title\n\nSadly, the *old shop* will not reopen, its owner said on Monday.\n"
    result = shorten_document(text, news, format="markdown")
    [part] = result.sentences
    assert part.sentence.detokenize() == text.strip().split("\n\n")[1]
    assert result.as_dict(explain=True)["tokens"][3] == "old"
    assert "".join([text[a:b] for a, b in result.spans])[:11] == "# A title\n\n"
