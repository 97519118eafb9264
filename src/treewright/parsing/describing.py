"""A parsed sentence as plain values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.trees import Tree

Span = tuple[int, int]


def describe_parse(
    text: str,
    words: Sequence[str],
    tree: Tree | None,
    *,
    span: Span | None = None,
    spans: Sequence[Span] = (),
    error: str | None = None,
) -> dict[str, Any]:
    """Return a sentence and its tokens, with their places in running text, tags and the tree."""
    described: dict[str, Any] = {"text": text}
    if span is not None:
        described |= dict(zip(("start", "end"), span, strict=True))
    described["tokens"] = [{"text": word} for word in words]
    for token, place in zip(described["tokens"], spans, strict=False):
        token |= dict(zip(("start", "end"), place, strict=True))
    if tree is not None:
        tags = [node.label for node in tree.preterminals()]
        for token, tag in zip(described["tokens"], tags, strict=True):
            token["tag"] = tag
    described["tree"] = None if tree is None else str(tree)
    if error is not None:
        described["error"] = error
    return described
