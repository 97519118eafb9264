"""Templates: which attributes make up a feature, one per line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from treewright.errors import choose
from treewright.grammar.features import RULE_TEMPLATES

DROP: dict[str, tuple[str, ...]] = {
    "drop": (),
    "drop label": ("label", "is_head"),
    "drop child": ("parent", "label", "is_head"),
    "drop side": ("parent", "label", "side"),
    "drop distance": ("parent", "label", "side", "distance"),
    "drop under": ("grandparent", "parent", "label", "is_head"),
    "drop between": ("parent", "previous", "label", "following"),
    "drop behind": ("parent", "previous", "label"),
    "drop before": ("parent", "label", "following"),
    "drop head": ("parent", "head_sibling", "label", "side"),
    "drop place": ("parent_production", "place"),
    "drop size": ("label", "words"),
    "drop child size": ("parent", "label", "words", "is_head"),
    "drop tag": ("label", "head_tag"),
    "drop child tag": ("parent", "label", "head_tag", "is_head"),
    "drop word": ("label", "head_word"),
    "drop word in": ("parent", "head_tag", "head_word"),
    "drop expansion": ("label", "production"),
    "drop expansion in": ("parent", "is_head", "production"),
    "drop first word": ("label", "first_word"),
    "drop last word": ("label", "last_word"),
    "drop ends": ("label", "first_tag", "last_tag"),
    "drop context": ("label", "tag_before", "tag_behind"),
    "drop word before": ("label", "word_before"),
    "drop word behind": ("label", "word_behind"),
    "drop governed": ("governor_tag", "head_tag", "side"),
    "drop governed label": ("governor_tag", "label", "side"),
    "drop governed by": ("governor_word", "label", "side"),
    "drop depth": ("label", "depth"),
    "drop position": ("label", "position"),
    "drop shapes": ("label", "shapes"),
    "drop length": ("label", "length"),
}

GAP: dict[str, tuple[str, ...]] = {
    "gap ends": ("gap_parent", "left", "right", "is_empty"),
    "gap labels": ("gap_parent", "labels"),
    "gap between": ("left", "labels", "right"),
    "gap": ("gap_parent", "left", "labels", "right"),
    "gap under": ("gap_grandparent", "gap_parent", "left", "labels", "right"),
    "gap place": ("gap_production", "left_place", "right_place"),
    "gap children": ("gap_parent", "children", "head_inside"),
    "gap size": ("gap_parent", "gap_words", "head_inside"),
    "gap head": ("gap_parent", "left", "right", "head_inside"),
    "gap of": ("parent_tag", "labels", "left", "right"),
    "gap of word": ("parent_word", "labels"),
    "gap tags": ("left_tag", "right_tag", "is_empty"),
    "gap tags in": ("gap_parent", "left_tag", "right_tag", "is_empty"),
    "gap words": ("left_word", "right_word", "is_empty"),
    "gap word tag": ("left_word", "right_tag", "is_empty"),
    "gap tag word": ("left_tag", "right_word", "is_empty"),
    "gap heads": ("gap_parent", "left_head", "right_head", "is_empty"),
    "gap opens": ("left_tag", "gap_first_tag", "is_empty"),
    "gap closes": ("gap_last_tag", "right_tag", "is_empty"),
    "gap tags around": ("left_tag", "gap_first_tag", "gap_last_tag", "right_tag"),
    "gap first word": ("gap_first_word", "left_tag"),
    "gap last word": ("gap_last_word", "right_tag"),
}

LOST: dict[str, tuple[str, ...]] = {
    "lost word": ("token_word",),
    "lost tag": ("token_tag",),
    "lost tag around": ("token_tag_before", "token_tag", "token_tag_behind"),
    "lost tag behind": ("token_tag_before", "token_tag"),
    "lost tag before": ("token_tag", "token_tag_behind"),
    "lost governed": ("token_tag", "token_governor_tag"),
    "lost governed word": ("token_word", "token_governor_tag"),
    "lost word of": ("token_tag", "token_governor_word"),
    "lost shape": ("token_shape", "token_tag"),
    "lost leaf": ("token_tag", "token_governs"),
}
"""For every token in a dropped node, however deep."""

KNOWN: Mapping[str, tuple[str, ...]] = {**DROP, **GAP, **LOST}
"""All templates except those of rules."""


def _that_look_at(*attributes: str) -> tuple[str, ...]:
    wanted = frozenset(attributes)
    return tuple(name for name, parts in KNOWN.items() if not wanted.isdisjoint(parts))


GROUPS: Mapping[str, tuple[str, ...]] = {
    "drops": tuple(DROP),
    "gaps": tuple(GAP),
    "lost tokens": tuple(LOST),
    "words": _that_look_at(
        "head_word",
        "first_word",
        "last_word",
        "word_before",
        "word_behind",
        "governor_word",
        "parent_word",
        "left_word",
        "right_word",
        "gap_first_word",
        "gap_last_word",
        "token_word",
        "token_governor_word",
    ),
    "adjacency": _that_look_at("left_tag", "right_tag", "left_word", "right_word"),
    "dependencies": _that_look_at("governor_tag", "governor_word", "left_head", "right_head"),
    "context": _that_look_at("tag_before", "tag_behind", "word_before", "word_behind"),
    "position": _that_look_at("position", "depth", "length"),
    "sizes": _that_look_at("words", "gap_words", "children"),
    "expansions": _that_look_at("production", "parent_production", "gap_production"),
    "rule identity": ("source", "target", "both"),
    "rule frequency": ("frequency",),
    "rule yields": ("source_yield", "target_yield", "both_yields", "word"),
    "rule edits": ("subset", "tree_edit", "yield_edit"),
    "rule counts": ("target_words", "rules", "dropped"),
}
"""Groups of templates, to leave out one at a time."""


def templates_without(groups: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the templates of rules, and those of nodes and gaps, without those in some groups."""
    left_out: set[str] = set()
    for group in groups:
        left_out.update(GROUPS[choose(group, GROUPS, "feature group")])
    return (
        tuple(name for name in RULE_TEMPLATES if name not in left_out),
        tuple(name for name in KNOWN if name not in left_out),
    )
