"""Features of a single rule, as the large-margin paper lists them (section 3.3).

A template is a small function from a `RuleView` to details and their values. A feature is named
`template:detail`, or by the template alone where there is no detail. A new one is a line:

    "crossing": lambda view: {"": view.rule.links != tuple(sorted(view.rule.links))},

Where the paper's list would say one thing twice it is said once. Words appear as words, not as
productions of their tags. A fragment's yield is used if it is more than one production, and so
not the fragment over again. A node is in the edits of the tree if it is spelled out, in those of
the yield if not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from treewright.corpora import count_words
from treewright.grammar.features.view import NO_EDITS, Edits, RuleView
from treewright.grammar.notation import escape, format_fragment, format_rule
from treewright.grammar.rule import EPSILON, UNLINKED

Details = Mapping[str, float]
"""What a template finds: details, without tabs or line breaks (`escape`), and their values."""

Template = Callable[[RuleView], Details]


def _root(view: RuleView) -> Details:
    sides = (view.rule.source, view.rule.target)
    return {"/".join(EPSILON if side is None else escape(side.label) for side in sides): 1.0}


def _both_yields(view: RuleView) -> Details:
    several = len(view.source_nodes) > 1 or len(view.target_nodes) > 1
    return {f"{_listed(view.source_yield)} / {_listed(view.target_yield)}": several}


def _subset(view: RuleView) -> Details:
    """Whether the target's yield is taken from the source's, in any order."""
    before, after = view.source_yield, view.target_yield
    return {"": before == after or Counter(after) <= Counter(before)}


def _listed(items: tuple[str, ...]) -> str:
    return " ".join(items) or EPSILON


def _signed(edits: Edits) -> Details:
    if edits == NO_EDITS:
        return {}
    return Counter([f"-{item}" for item in edits.removed] + [f"+{item}" for item in edits.inserted])


RULE_TEMPLATES: dict[str, Template] = {
    "source": lambda view: {format_fragment(view.rule.source): 1.0},
    "target": lambda view: {format_fragment(view.rule.target): 1.0},
    # The rule itself, including links.
    "both": lambda view: {format_rule(view.rule): 1.0},
    "frequency": lambda view: view.frequency._asdict(),
    # The target's productions, a stand-in for a language model; those of tags are left out.
    "production": lambda view: Counter(view.target_productions),
    "root": _root,
    "source_yield": lambda view: {_listed(view.source_yield): len(view.source_nodes) > 1},
    "target_yield": lambda view: {_listed(view.target_yield): len(view.target_nodes) > 1},
    "both_yields": _both_yields,
    # Each word of the target; words the source loses are among the edits of the yield.
    "word": lambda view: Counter(map(escape, view.target_words)),
    "subset": _subset,
    "tree_edit": lambda view: _signed(view.tree_edits),
    "yield_edit": lambda view: _signed(view.yield_edits),
    # Punctuation left out, as in limits and rates.
    "target_words": lambda view: {"": count_words(view.target_words)},
    "rules": lambda view: {"": 1.0},
    # Source frontier nodes that are linked to nothing.
    "dropped": lambda view: {"": view.rule.links.count(UNLINKED)},
    # A copied production that the grammar lacks.
    "unseen": lambda view: {"": view.unseen},
}
