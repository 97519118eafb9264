"""benepar, the Berkeley Neural Parser (extra `benepar`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.errors import UsageError
from treewright.parsing.adapters.lazy import import_extra
from treewright.parsing.adapters.pretokenised import LibraryParser


class BeneparParser(LibraryParser):
    """benepar on given tokens; it tags them itself, so no spaCy model is needed."""

    name = "benepar"
    extra = "benepar"

    def __init__(self, model: str = "benepar_en3") -> None:
        super().__init__()
        self.model = model

    def _load(self) -> Any:
        benepar = import_extra("benepar", self.extra)
        try:
            return benepar.Parser(self.model)
        except LookupError:
            if "/" in self.model or "." in self.model:
                raise UsageError(f"benepar finds no model file {self.model!r}") from None
            raise UsageError(
                f"benepar has no model {self.model!r} on this machine; download it: "
                f"python -c \"import benepar; benepar.download('{self.model}')\""
            ) from None

    def _run(self, model: Any, sentences: list[list[str]]) -> Sequence[Any]:
        benepar = import_extra("benepar", self.extra)
        # Tokens in Penn's form: benepar undoes the escapes and leaves other tokens alone.
        inputs = [benepar.InputSentence(escaped_words=words) for words in sentences]
        return list(model.parse_sents(inputs))

    @staticmethod
    def _open(node: Any) -> tuple[str, Sequence[Any]]:
        return (node, ()) if isinstance(node, str) else (node.label(), list(node))
