"""LangChain documents: a compressor for retrievers that transforms documents just as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document

from treewright.errors import DataError
from treewright.integrations.settings import Settings


class TreewrightCompressor(BaseDocumentCompressor, BaseDocumentTransformer):
    """Shortens the text of documents and leaves their metadata as they are.

    Its fields are those of `Settings`. Every document has the limit to itself. The query of a
    retriever changes nothing: what is shortened stays true to the document, not to the question.
    """

    model: str = "news"
    format: str = "plain"
    rate: float | None = None
    max_words: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    tokenizer: Callable[[str], Any] | str | None = None
    keep: Sequence[str] = ()
    faithful: str = "normal"
    grammar: str = "strict"

    def compress_documents(
        self, documents: Sequence[Document], query: str = "", callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Shorten documents; one that cannot be processed raises a `DataError`."""
        settings = Settings(**{each.name: getattr(self, each.name) for each in fields(Settings)})
        texts = [document.page_content for document in documents]
        short = []
        results = settings.compressor().compress_each(texts, settings.request())
        for document, result in zip(documents, results, strict=True):
            if isinstance(result, DataError):
                raise result
            short.append(document.model_copy(update={"page_content": result.text}))
        return short

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Shorten documents."""
        return self.compress_documents(documents)
