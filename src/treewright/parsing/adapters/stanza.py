"""Stanza's constituency processor (extra `stanza`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.errors import UsageError
from treewright.parsing.adapters.lazy import import_extra
from treewright.parsing.adapters.pretokenised import LibraryParser
from treewright.trees import unescape

PROCESSORS = "tokenize,pos,constituency"


class StanzaParser(LibraryParser):
    """Stanza on given tokens. It never downloads anything by itself."""

    name = "Stanza"
    extra = "stanza"

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def _load(self) -> Any:
        stanza = import_extra("stanza", self.extra)
        try:
            return stanza.Pipeline(
                self.language,
                processors=PROCESSORS,
                tokenize_pretokenized=True,
                download_method=None,
                verbose=False,
            )
        except (FileNotFoundError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise UsageError(
                f"Stanza lacks models for language {self.language!r} ({reason}); download them: "
                f"python -c \"import stanza; stanza.download('{self.language}', "
                f"processors='{PROCESSORS}')\""
            ) from None

    def _run(self, model: Any, sentences: list[list[str]]) -> Sequence[Any]:
        # Its taggers and parsers are trained on unescaped brackets.
        document = model([[unescape(word) for word in words] for words in sentences])
        return [sentence.constituency for sentence in document.sentences]

    @staticmethod
    def _open(node: Any) -> tuple[str, Sequence[Any]]:
        return node.label or "", node.children
