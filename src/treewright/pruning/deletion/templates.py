"""What a deletion model looks at: feature templates, following McDonald (2006).

A template conjoins columns of one table: of tokens (`columns.TOKEN_COLUMNS`) or of constituents
(`columns.PHRASE_COLUMNS`). For adjacent kept tokens, columns of the left one come before the bar,
those of the right one after it, and what is known about both together before the colon: `next`
(were they neighbours in the source), `gap` (how many tokens are dropped, in classes) or `link`
(which of them governs the other).
"""

from __future__ import annotations

import hashlib

KEPT = (
    "next: tag | tag",
    "next: word | word",
    "next: word | tag",
    "next: tag | word",
    "next: tag tag+1 | tag",
    "next: tag | tag-1 tag",
    "next: tag-1 tag | tag",
    "next: tag | tag tag+1",
    "next: tag tag+1 | tag-1 tag",
    "next: parent | parent",
    "next: phrase above | phrase above",
    "next: tag |",
    "next: | tag",
    "gap: |",
    "gap: tag | tag",
    "link: |",
    "link: tag | tag",
)
"""Two tokens kept, all between them dropped."""

DROPPED = (
    "tag",
    "word",
    "tag word",
    "tag-1 tag",
    "tag tag+1",
    "tag-1 tag tag+1",
    "word-1 word",
    "word word+1",
    "tag parent",
    "tag parent grandparent",
    "tag governor_tag side",
    "word governor_tag",
    "tag governor_word",
    "phrase above",
    "phrase above governor_tag",
    "tag leaf",
    "tag depth",
    "tag place",
)
"""A token dropped."""

ORPHANED = ("tag", "tag governor_tag side", "phrase above")
"""A token dropped with its governor."""

WHOLE = (
    "label parent",
    "label parent head_tag",
    "label head_word",
    "label first_word",
    "label parent before",
    "label parent after",
    "label parent size",
    "label parent parent_head_tag",
)
"""A constituent dropped whole, but not its parent."""

BEHEADED = ("label", "label head_tag", "label parent")
"""A constituent whose head is dropped while some of it stays."""

TORN = ("label", "label parent", "label parent size")
"""A constituent whose first or last token is dropped while some of it stays."""


def fingerprint() -> str:
    """Return a short hash of all templates: weights mean nothing with others."""
    text = repr((KEPT, DROPPED, ORPHANED, WHOLE, BEHEADED, TORN))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
