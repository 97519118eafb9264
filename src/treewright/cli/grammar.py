"""`treewright grammar`: read, describe and compare the rules of models."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError, choose

if TYPE_CHECKING:
    from treewright.grammar import Grammar
    from treewright.pruning import Model

app = typer.Typer(help="Show, describe and compare models and their rules.", no_args_is_help=True)

AnyModel = Annotated[
    str, typer.Argument(metavar="MODEL", help="news, headline or a model file; - is stdin.")
]


@app.command()
def show(
    model: AnyModel,
    root: Annotated[list[str] | None, optional("X/Y", "Only this root pair. Repeat.")] = None,
    top: Annotated[int, typer.Option(min=1, help="Rules per root pair.")] = 10,
    compressing: Annotated[
        bool, typer.Option("--compressing", help="Only rules that keep one part and drop another.")
    ] = False,
    deleting: Annotated[
        bool,
        typer.Option("--deleting", help="Of these, only rules that delete a whole constituent."),
    ] = False,
    by: Annotated[str, typer.Option(help="Rank rules by weight or count.")] = "weight",
    json: options.Json = False,
) -> None:
    """Print the most probable rules by root pair: log-weight, expected count, rule."""
    from treewright.grammar import UNLINKED
    from treewright.pruning import Model

    choose(by, ("weight", "count"), "order")
    loaded = Model.load(_file(model))
    grammar = loaded.grammar
    if not len(grammar):
        console.say(f"{model}: {_instead_of_rules(loaded)}; see 'treewright grammar stats {model}'")
        return
    wanted = {_parse_root(text, grammar) for text in root or []}
    values = grammar.weights if by == "weight" else grammar.counts
    chosen: dict[tuple[str, str], list[int]] = {pair: [] for pair in grammar.roots}
    for i in sorted(range(len(grammar)), key=lambda i: (-values[i], i)):
        rule = grammar.rules[i]
        if wanted and rule.root not in wanted:
            continue
        if (compressing or deleting) and not rule.is_compression:
            continue
        if deleting and UNLINKED not in rule.links:
            continue
        if len(chosen[rule.root]) < top:
            chosen[rule.root].append(i)
    for numbers in chosen.values():
        for i in numbers:
            weight, count = float(grammar.weights[i]), float(grammar.counts[i])
            if json:
                console.put_json({"rule": str(grammar.rules[i]), "weight": weight, "count": count})
            else:
                console.put(f"{_shown(weight)} {count:10.2f}  {grammar.rules[i]}")


def _shown(weight: float) -> str:
    """Format a log-weight; a rule with probability zero has none."""
    return f"{'never':>9}" if weight == -math.inf else f"{weight:9.4f}"


def _file(model: str) -> str:
    """Return the file of a model, which may be given by the name of a shipped one."""
    from treewright.compression import NAMES, model_path

    return str(model_path(model)) if model in NAMES else model


def _instead_of_rules(loaded: Model) -> str:
    if loaded.num_weights:
        return f"no rules, but {loaded.num_weights} weights of features"
    return (
        "no rules: a network prices each constituent and gap; "
        "'treewright compress --explain' shows these prices and writes each edit as a rule"
    )


def _parse_root(text: str, grammar: Grammar) -> tuple[str, str]:
    roots = {"/".join(pair): pair for pair in grammar.roots}
    if text not in roots:
        known = ", ".join(sorted(roots)[:12])
        raise UsageError(f"no rules with root pair {text!r}; the model has {known}, …")
    return roots[text]


@app.command()
def stats(model: AnyModel, json: options.Json = False) -> None:
    """Describe a model: how it was trained, how many rules of which kind, or weights of features.

    Templates say what features look at.
    """
    from treewright.compression import load_model
    from treewright.pruning import Model

    loaded = load_model(_file(model))
    of_kind = _figures(loaded) if isinstance(loaded, Model) else {"weights": len(loaded)}
    figures = {**of_kind, "training": dict(loaded.metadata)}
    if json:
        console.put_json(figures)
        return
    for name, value in _flat(figures):
        console.put(f"{name}: {value}")


def _figures(loaded: Model) -> dict[str, Any]:
    """Count the rules and weights of a model."""
    from treewright.grammar import EPSILON

    rules = loaded.grammar.rules
    figures: dict[str, Any] = {"rules": len(rules)}
    if rules:
        figures |= {
            "root pairs": len(loaded.grammar.roots),
            "copy rules": sum(rule.is_copy for rule in rules),
            "deletion rules": sum(rule.root[1] == EPSILON for rule in rules),
            "insertion rules": sum(rule.root[0] == EPSILON for rule in rules),
            "with words": sum(
                rule.source is not None and bool(rule.source.words()) for rule in rules
            ),
            "with count": int((loaded.grammar.counts > 1e-6).sum()),
        }
    if not rules and not loaded.num_weights:
        figures["prices"] = "of each constituent and gap, by a network"
    if loaded.templates:
        figures |= {"weights": loaded.num_weights, "templates": list(loaded.templates)}
    return figures


def _flat(figures: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the figures of nested tables under names like `training settings alpha`."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name} ")
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            yield f"{prefix}{name}", shown


@app.command()
def diff(
    first: AnyModel,
    second: AnyModel,
    top: Annotated[int, typer.Option(min=1, help="Rules of each kind.")] = 20,
    json: options.Json = False,
) -> None:
    """Compare two models: rules of one alone (< and >), and those whose weight moved most (~).

    A rule of probability zero is shown as `never`.
    """
    from treewright.pruning import Model

    console.check_stdin(first, second)

    one, two = (
        dict(zip(g.rules, g.weights.tolist(), strict=True))
        for g in (Model.load(_file(first)).grammar, Model.load(_file(second)).grammar)
    )
    if not one and not two:
        console.say("neither model has rules to compare; weights of features have no names")
        return
    removed = sorted(one.keys() - two.keys(), key=lambda r: (-one[r], str(r)))
    added = sorted(two.keys() - one.keys(), key=lambda r: (-two[r], str(r)))
    moved = sorted(one.keys() & two.keys(), key=lambda r: (-abs(two[r] - one[r]), str(r)))
    moved = [rule for rule in moved if one[rule] != two[rule]]
    if json:
        console.put_json(
            {
                "removed": [[str(rule), one[rule]] for rule in removed[:top]],
                "added": [[str(rule), two[rule]] for rule in added[:top]],
                "moved": [[str(rule), one[rule], two[rule]] for rule in moved[:top]],
                "counts": {"removed": len(removed), "added": len(added), "moved": len(moved)},
            }
        )
        return
    for rule in removed[:top]:
        console.put(f"< {_shown(one[rule])}            {rule}")
    for rule in added[:top]:
        console.put(f"> {_shown(two[rule])}            {rule}")
    for rule in moved[:top]:
        console.put(f"~ {_shown(one[rule])} {_shown(two[rule])}  {rule}")
    console.say(f"{len(removed)} removed, {len(added)} added, {len(moved)} moved")
