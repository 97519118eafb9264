"""One line of JSON → one `Record`, every field checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from treewright.corpora.limits import check_size
from treewright.corpora.pair import Record, Tokens
from treewright.corpora.pharaoh import Alignment, check_alignment, parse_pharaoh
from treewright.errors import DataError, ParseError
from treewright.trees import Tree, parse_tree, unescape

_SCHEMA = 'expected {"id": "…", "source": "(ROOT …)", "targets": ["(ROOT …)", …]}'
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")
_PENN = {"``": '"', "''": '"', "\\/": "/", "\\*": "*"}


def read_fields(text: str, where: str, max_words: int) -> Record:
    """Read a record from a line of JSON."""
    fields = read_object(text, where, _SCHEMA)
    name = _text(fields, "id", where)
    if not name:
        raise DataError("the id is empty; give each record its own", where=where)
    source = _tree(_text(fields, "source", where), "source", where, max_words)
    targets = tuple(_targets(fields, where, max_words))
    if not targets:
        raise DataError("'targets' is empty; a record needs at least one target", where=where)
    _check_sentence(fields, source, where)
    return Record(name, source, targets, _alignments(fields, source, targets, where))


def read_object(text: str, where: str, schema: str) -> dict[str, Any]:
    """Read a JSON object, or raise an error that shows the expected `schema`."""
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg}; {schema}", where=f"{where}:{error.colno}"
        ) from None
    except (ValueError, RecursionError):
        raise ParseError(f"JSON beyond all limits; {schema}", where=where) from None
    if not isinstance(fields, dict):
        raise ParseError(f"found a JSON {_kind(fields)}; {schema}", where=where)
    return fields


def _targets(fields: dict[str, Any], where: str, max_words: int) -> Iterator[Tree | Tokens]:
    """Yield the targets: a string holds a tree, a list the tokens of one that has none."""
    for i, value in enumerate(_list(fields, "targets", where)):
        key = f"targets[{i}]"
        if isinstance(value, list):
            tokens = tuple(_texts({key: value}, key, where))
            check_size(tokens, max_words, what=repr(key), where=where)
            yield tokens
        else:
            yield _tree(_text({key: value}, key, where), key, where, max_words)


def _text(fields: dict[str, Any], key: str, where: str) -> str:
    if key not in fields:
        raise DataError(f"no field {key!r}; {_SCHEMA}", where=where)
    value = fields[key]
    if not isinstance(value, str):
        raise DataError(f"{key!r} must be a string, found {_kind(value)}", where=where)
    found = _NOT_TEXT.search(value)
    if found is not None:
        raise ParseError(
            f"{key!r} holds U+{ord(found[0]):04X}, which is not text; remove it", where=where
        )
    return value


def _texts(fields: dict[str, Any], key: str, where: str) -> list[str]:
    named = {f"{key}[{i}]": item for i, item in enumerate(_list(fields, key, where))}
    return [_text(named, item, where) for item in named]


def _list(fields: dict[str, Any], key: str, where: str) -> list[Any]:
    if key not in fields:
        raise DataError(f"no field {key!r}; {_SCHEMA}", where=where)
    value = fields[key]
    if not isinstance(value, list):
        raise DataError(f"{key!r} must be a list of strings, found {_kind(value)}", where=where)
    return value


def _kind(value: object) -> str:
    names = {dict: "object", list: "list", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _tree(text: str, key: str, where: str, max_words: int) -> Tree:
    try:
        tree = parse_tree(text, where="")
    except ParseError as error:
        place = error.where.rpartition(":")[2]
        at = f"at character {place} of " if place else "in "
        raise ParseError(f"{at}{key!r}: {error.message}", where=where) from None
    check_size(tree.words(), max_words, what=repr(key), where=where)
    return tree


def _alignments(
    fields: dict[str, Any], source: Tree, targets: Sequence[Tree | Tokens], where: str
) -> tuple[Alignment, ...] | None:
    if fields.get("alignments") is None:
        return None
    texts = _texts(fields, "alignments", where)
    if len(texts) != len(targets):
        raise DataError(
            f"{len(texts)} 'alignments' for {len(targets)} 'targets'; give one per target",
            where=where,
        )
    alignments = tuple([parse_pharaoh(text, where=where) for text in texts])
    for alignment, target in zip(alignments, targets, strict=True):
        length = len(target.words() if isinstance(target, Tree) else target)
        check_alignment(alignment, len(source.words()), length, where=where)
    return alignments


def _check_sentence(fields: dict[str, Any], source: Tree, where: str) -> None:
    """Compare the tree's words with the sentence it was parsed from, if the line has it."""
    words = source.words()
    if fields.get("tokens") is not None:
        tokens = _texts(fields, "tokens", where)
        pairs = zip(words, tokens, strict=False)
        at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(words), len(tokens)))
        if at < max(len(words), len(tokens)):
            raise _differs(words, at, _show(tokens, at), where)
    if fields.get("source_text") is not None:
        rest = re.sub(r"\s", "", _plain(_text(fields, "source_text", where)))
        for at, word in enumerate(words):
            plain = _plain(word)
            if not rest.startswith(plain):
                raise _differs(words, at, repr(rest[:20]) if rest else "its end", where)
            rest = rest[len(plain) :]
        if rest:
            raise _differs(words, len(words), repr(rest[:20]), where)


def _plain(text: str) -> str:
    """Undo Penn's conventions for brackets, quotes and slashes, to compare with raw text."""
    text = unescape(text)
    for penn, plain in _PENN.items():
        text = text.replace(penn, plain)
    return text


def _differs(words: Sequence[str], at: int, found: str, where: str) -> DataError:
    return DataError(
        f"the tree's words differ from the sentence: word {at + 1} of the tree is "
        f"{_show(words, at)}, the sentence has {found}; parse the sentence again",
        where=where,
    )


def _show(words: Sequence[str], at: int) -> str:
    return repr(words[at]) if at < len(words) else "past its end"
