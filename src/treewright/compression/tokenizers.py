"""Tokenizers by name: those of language models, for limits by tokens."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import DataError, UsageError, how_to_install
from treewright.files import open_text

if TYPE_CHECKING:
    from tiktoken import Encoding

_SUFFIX = ".tiktoken"
_PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""How text is cut before pairs are joined, if only a table is given: as for `cl100k_base`."""


@dataclass(frozen=True)
class NamedTokenizer:
    """A function that counts the tokens of a text; it can be sent to other processes."""

    name: str

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        return len(_encoding(self.name).encode_ordinary(text))


def open_tokenizer(name: str) -> NamedTokenizer:
    """Return the tokenizer of a name: an encoding (`cl100k_base`), a model, or a table in a file.

    Encodings are tiktoken's, which fetches their tables at first use. A file of one's own has a
    line for each token, in Base64, and its rank, as theirs do; its name ends in `.tiktoken`.
    """
    _encoding(name)
    return NamedTokenizer(name)


@lru_cache(maxsize=8)
def _encoding(name: str) -> Encoding:
    try:
        import tiktoken
    except ImportError:
        raise UsageError(f"tokenizers need tiktoken: {how_to_install('tokens')}") from None
    if name.endswith(_SUFFIX):
        table = _read_table(name)
        stem = Path(name).name.removesuffix(_SUFFIX)
        return tiktoken.Encoding(stem, pat_str=_PIECES, mergeable_ranks=table, special_tokens={})
    known = tiktoken.list_encoding_names()
    try:
        encoding = name if name in known else tiktoken.encoding_name_for_model(name)
    except KeyError:
        raise UsageError(
            f"unknown tokenizer {name!r}; give a file *{_SUFFIX}, the name of a model, or one of: "
            f"{', '.join(sorted(known))}"
        ) from None
    try:
        return tiktoken.get_encoding(encoding)
    except OSError as error:
        raise DataError(
            f"the table of {encoding} could not be fetched ({type(error).__name__}); set "
            f"TIKTOKEN_CACHE_DIR to a folder that has it, or give a file *{_SUFFIX}"
        ) from error


def _read_table(path: str) -> dict[bytes, int]:
    table: dict[bytes, int] = {}
    with open_text(path) as handle:
        for number, line in enumerate(handle, start=1):
            try:
                token, rank = line.split()
                table[base64.b64decode(token, validate=True)] = int(rank)
            except (ValueError, binascii.Error):
                message = f"found {line.strip()!r:.40}; expected a token in Base64 and its rank"
                raise DataError(message, where=f"{path}:{number}") from None
    missing = [byte for byte in range(256) if bytes([byte]) not in table]
    if missing:
        raise DataError(
            f"no token for the byte {missing[0]} and {len(missing) - 1} others; a table has all 256"
            " bytes",
            where=path,
        )
    return table
