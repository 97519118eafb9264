"""Where people already work: a spaCy component, LangChain documents, prompts as LLMLingua has them.

Each needs the library it is for, which is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.integrations.prompts import PromptCompressor, compress_prompt

if TYPE_CHECKING:
    from treewright.integrations.langchain_documents import TreewrightCompressor
    from treewright.integrations.spacy_component import CompressComponent

_LATE = {
    "CompressComponent": "spacy_component",
    "TreewrightCompressor": "langchain_documents",
}


def __getattr__(name: str) -> object:
    """Import what needs another library when someone asks for it."""
    if name in _LATE:
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["CompressComponent", "PromptCompressor", "TreewrightCompressor", "compress_prompt"]
