"""A spaCy component: `nlp.add_pipe("treewright_compress")` gives every document a shorter text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch, raise_error

from treewright.errors import DataError
from treewright.integrations.settings import Settings

ErrorHandler = Callable[[str, Any, list[Doc], Exception], None]


class CompressComponent:
    """Sets `doc._.compressed`, the shorter text, and `doc._.compressed_spans`, the characters of
    the document that make it up.
    """

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.settings = settings
        self._handle: ErrorHandler = raise_error
        for attribute in ("compressed", "compressed_spans"):
            if not Doc.has_extension(attribute):
                Doc.set_extension(attribute, default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Shorten one document."""
        return next(iter(self.pipe([doc])))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 64) -> Iterator[Doc]:
        """Shorten a stream; a bad document goes to the handler of errors, which raises or skips."""
        compressor, request = self.settings.compressor(), self.settings.request()
        for docs in minibatch(stream, batch_size):
            results = compressor.compress_each([doc.text for doc in docs], request)
            for doc, result in zip(docs, results, strict=True):
                if isinstance(result, DataError):
                    self._handle(self.name, self, [doc], result)
                    continue
                doc._.compressed = result.text
                doc._.compressed_spans = [list(span) for span in result.spans]
                yield doc

    def set_error_handler(self, handler: ErrorHandler) -> None:
        """Let `nlp.pipe` decide about bad documents."""
        self._handle = handler


@Language.factory(
    "treewright_compress",
    assigns=["doc._.compressed", "doc._.compressed_spans"],
    # A tokenizer that is a function has no place in a config file.
    default_config={
        **{each.name: each.default for each in fields(Settings) if each.name != "tokenizer"},
        "keep": [],
    },
)
def make_component(
    nlp: Language,
    name: str,
    model: str,
    format: str,
    rate: float | None,
    max_words: int | None,
    max_chars: int | None,
    max_tokens: int | None,
    keep: list[str],
    faithful: str,
    grammar: str,
) -> CompressComponent:
    """Make the component from spaCy's config."""
    settings = Settings(
        model=model,
        format=format,
        rate=rate,
        max_words=max_words,
        max_chars=max_chars,
        max_tokens=max_tokens,
        keep=tuple(keep),
        faithful=faithful,
        grammar=grammar,
    )
    settings.request()
    return CompressComponent(name, settings)
