"""What the integrations take as plain values, and the compressor and request they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from treewright.compression import Compressor, Keep, Limit, Request, Tokenizer, open_tokenizer
from treewright.documents import DocumentCompressor


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A model, a limit, what must stay, and a format: the options of `compress` by their names.

    `tokenizer` is a function of a string, or a name.
    """

    model: str = "news"
    format: str = "plain"
    rate: float | None = None
    max_words: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    tokenizer: Tokenizer | str | None = None
    keep: Sequence[str] = ()
    faithful: str = "normal"
    grammar: str = "strict"

    def compressor(self) -> DocumentCompressor:
        """Return the compressor, which is loaded once for each model."""
        return DocumentCompressor(_loaded(self.model), format=self.format)

    def request(self) -> Request:
        """Return the request."""
        limit = Limit(
            rate=self.rate,
            max_words=self.max_words,
            max_chars=self.max_chars,
            max_tokens=self.max_tokens,
            tokenizer=named(self.tokenizer),
        )
        keep = tuple([Keep.parse(demand) for demand in self.keep])
        return Request(limit=limit, keep=keep, faithful=self.faithful, grammar=self.grammar)


def named(tokenizer: Tokenizer | str | None) -> Tokenizer | None:
    """Return a tokenizer that may be given by its name."""
    return open_tokenizer(tokenizer) if isinstance(tokenizer, str) else tokenizer


@lru_cache(maxsize=4)
def _loaded(model: str) -> Compressor:
    return Compressor.load(model)
