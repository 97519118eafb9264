"""What a deletion model looks at: feature templates, following McDonald (2006).

A template conjoins attributes of tokens (`TOKEN` of `features/attributes.py`, without `token_`) or
of constituents (`NODE`). For adjacent kept tokens, attributes of the left one stand before the bar,
those of the right one behind it, and what is known of the two together before the colon: `next`
(were they neighbours in the source), `gap` (how many tokens go, in classes) or `link` (which of
them governs the other).
"""

from __future__ import annotations

import hashlib

KEPT = (
    "next: tag | tag",
    "next: word | word",
    "next: word | tag",
    "next: tag | word",
    "next: tag tag_behind | tag",
    "next: tag | tag_before tag",
    "next: tag_before tag | tag",
    "next: tag | tag tag_behind",
    "next: tag tag_behind | tag_before tag",
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
    "tag_before tag",
    "tag tag_behind",
    "tag_before tag tag_behind",
    "word_before word",
    "word word_behind",
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
    "label parent tag_before",
    "label parent tag_behind",
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
