"""Features of a single rule, as the large-margin paper lists them (section 3.3).

A template is a small function from a `RuleView` to details and their values, entered into
`RULE_TEMPLATES` under its own name. A feature is named `template:detail`, or by the template alone
where there is no detail. To add one:

    @rule_template
    def crossing(view: RuleView) -> Details:
        return {"": view.rule.links != tuple(sorted(view.rule.links))}

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
from treewright.grammar.rule import EPSILON

Details = Mapping[str, float]
"""What a template finds: details, without tabs or line breaks (`escape`), and their values."""

Template = Callable[[RuleView], Details]

RULE_TEMPLATES: dict[str, Template] = {}


def rule_template(function: Template) -> Template:
    """Register a template under the function's name."""
    name = function.__name__
    if name in RULE_TEMPLATES:
        raise ValueError(f"there is a template {name} already")
    RULE_TEMPLATES[name] = function
    return function


@rule_template
def source(view: RuleView) -> Details:
    """The source fragment."""
    return {format_fragment(view.rule.source): 1.0}


@rule_template
def target(view: RuleView) -> Details:
    """The target fragment."""
    return {format_fragment(view.rule.target): 1.0}


@rule_template
def both(view: RuleView) -> Details:
    """The rule itself, including links."""
    return {format_rule(view.rule): 1.0}


@rule_template
def frequency(view: RuleView) -> Details:
    """The three rule frequencies, as logs."""
    return view.frequency._asdict()


@rule_template
def production(view: RuleView) -> Details:
    """The target's productions, a stand-in for a language model, without those of tags."""
    return Counter(view.target_productions)


@rule_template
def root(view: RuleView) -> Details:
    """The root pair."""
    sides = (view.rule.source, view.rule.target)
    return {"/".join(EPSILON if side is None else escape(side.label) for side in sides): 1.0}


@rule_template
def source_yield(view: RuleView) -> Details:
    """The tokens of the source, in order, if it has several productions."""
    return {_listed(view.source_yield): len(view.source_nodes) > 1}


@rule_template
def target_yield(view: RuleView) -> Details:
    """The tokens of the target, in order, if it has several productions."""
    return {_listed(view.target_yield): len(view.target_nodes) > 1}


@rule_template
def both_yields(view: RuleView) -> Details:
    """The tokens of both sides, if either has several productions."""
    several = len(view.source_nodes) > 1 or len(view.target_nodes) > 1
    return {f"{_listed(view.source_yield)} / {_listed(view.target_yield)}": several}


@rule_template
def word(view: RuleView) -> Details:
    """Each word of the target; words that the source loses are among the edits of the yield."""
    return Counter(map(escape, view.target_words))


@rule_template
def subset(view: RuleView) -> Details:
    """Whether the target's yield is taken from the source's, in any order."""
    before, after = view.source_yield, view.target_yield
    return {"": before == after or Counter(after) <= Counter(before)}


@rule_template
def tree_edit(view: RuleView) -> Details:
    """Nodes removed and inserted, by label."""
    return _signed(view.tree_edits)


@rule_template
def yield_edit(view: RuleView) -> Details:
    """Words and frontier categories removed and inserted."""
    return _signed(view.yield_edits)


@rule_template
def target_words(view: RuleView) -> Details:
    """Number of target words, without punctuation, as in limits and rates."""
    return {"": count_words(view.target_words)}


@rule_template
def rules(view: RuleView) -> Details:
    """Number of rules."""
    return {"": 1.0}


@rule_template
def dropped(view: RuleView) -> Details:
    """Number of dropped variables."""
    return {"": view.dropped}


@rule_template
def unseen(view: RuleView) -> Details:
    """Flag of a copied production that the grammar lacks."""
    return {"": view.unseen}


def _listed(items: tuple[str, ...]) -> str:
    return " ".join(items) or EPSILON


def _signed(edits: Edits) -> Details:
    if edits == NO_EDITS:
        return {}
    return Counter([f"-{item}" for item in edits.removed] + [f"+{item}" for item in edits.inserted])
