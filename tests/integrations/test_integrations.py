"""The integrations, against the real libraries; what is not installed is skipped."""

from __future__ import annotations

import asyncio

import pytest

from treewright.compression import Compressor
from treewright.errors import DataError, UsageError
from treewright.integrations import PromptCompressor, compress_prompt

from ..pages import HAVE_MODELS

pytestmark = pytest.mark.skipif(not HAVE_MODELS, reason="the models are not in the package")

TEXT = "Sadly, the old shop on Mill Road will not reopen, its owner said on 5 May."
MARKDOWN = f"# The shop\n\n{TEXT}\n\n```\nSadly, code.\n```\n"


@pytest.fixture(scope="module")
def short() -> str:
    return Compressor.load("news").compress(TEXT, max_words=9).text


def test_spacy_pipes_have_a_component(short: str) -> None:
    spacy = pytest.importorskip("spacy")
    from treewright.integrations import CompressComponent

    nlp = spacy.blank("en")
    component = nlp.add_pipe("treewright_compress", config={"max_words": 9})
    assert isinstance(component, CompressComponent)
    docs = list(nlp.pipe([TEXT, "", TEXT]))
    assert [doc._.compressed for doc in docs] == [short, "", short]
    assert nlp(TEXT)._.compressed == short
    start, end = docs[0]._.compressed_spans[-1]
    assert TEXT[start:end] == short[-(end - start) :]
    from spacy.tokens import Doc

    assert Doc(nlp.vocab).from_bytes(docs[0].to_bytes())._.compressed == short


def test_spacy_decides_about_bad_documents() -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("treewright_compress", config={"max_words": 1, "keep": ["Mill Road"]})
    with pytest.raises(DataError, match="Mill Road"):
        nlp(TEXT)
    skipped = []
    nlp.set_error_handler(lambda name, component, docs, error: skipped.append(str(error)))
    assert [doc.text for doc in nlp.pipe([TEXT, "It rains."])] == ["It rains."]
    assert len(skipped) == 1
    with pytest.raises(UsageError, match="contradict"):
        nlp.add_pipe("treewright_compress", name="two", config={"max_words": 1, "rate": 0.5})


def test_langchain_documents_are_shortened(short: str) -> None:
    core = pytest.importorskip("langchain_core.documents")
    from treewright.integrations import TreewrightCompressor

    given = [core.Document(page_content=TEXT, metadata={"page": 3}, id="a")]
    compressor = TreewrightCompressor(max_words=9)
    [after] = compressor.compress_documents(given, "when?")
    assert (after.page_content, after.metadata, after.id) == (short, {"page": 3}, "a")
    assert given[0].page_content == TEXT
    assert compressor.transform_documents(given)[0].page_content == short
    assert asyncio.run(compressor.acompress_documents(given, ""))[0].page_content == short
    markdown = TreewrightCompressor(format="markdown", max_words=9)
    [after] = markdown.compress_documents([core.Document(page_content=MARKDOWN)], "")
    assert after.page_content == MARKDOWN.replace(TEXT, short)


def test_prompts_have_the_keys_of_llmlingua() -> None:
    result = compress_prompt([TEXT, TEXT], instruction="Read.", question="When?", rate=0.6)
    assert [*result] == [
        "compressed_prompt",
        "compressed_prompt_list",
        "origin_tokens",
        "compressed_tokens",
        "ratio",
        "rate",
        "saving",
    ]
    context = "\n\n".join(result["compressed_prompt_list"])
    assert result["compressed_prompt"] == f"Read.\n\n{context}\n\nWhen?"
    count = PromptCompressor().count
    assert result["origin_tokens"] == 2 * count(TEXT) + 4
    assert result["compressed_tokens"] == count(context) + 4 <= 2 * 0.6 * count(TEXT) + 4
    assert result["rate"] == f"{100 * result['compressed_tokens'] / result['origin_tokens']:.1f}%"
    assert result["ratio"].endswith("x") and result["saving"] == ", Saving $0.0 in GPT-4."


def test_prompts_keep_what_is_forced() -> None:
    prompts = PromptCompressor(tokenizer=str.split, format="markdown")
    forced = {"force_tokens": ["Sadly", "\n"], "force_reserve_digit": True}
    result = prompts.compress_prompt(MARKDOWN, target_token=16, **forced)
    assert "Sadly" in result["compressed_prompt"] and "5 May" in result["compressed_prompt"]
    assert result["compressed_tokens"] <= 16
    with pytest.raises(UsageError, match="rate must be above 0"):
        prompts.compress_prompt(TEXT, rate=0.0)
