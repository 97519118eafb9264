"""Translations as JSON and as explanations that people read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.translation import Input, RuleStep, Step, Translation

    Join = Callable[[Sequence[str]], str]


def as_dict(given: Input, best: Sequence[Translation], join: Join) -> dict[str, Any]:
    """Return the best translations of a sentence as plain values."""
    return {
        "source": list(given.words),
        "translation": join(best[0].words) if best else "",
        "nbest": [_translation(translation, join) for translation in best],
    }


def _translation(translation: Translation, join: Join) -> dict[str, Any]:
    from treewright.translation import RuleStep

    steps: dict[str, Any] = {}
    if any(isinstance(step, RuleStep) for step in translation.steps):
        steps["rules"] = [_rule(step) for step in translation.steps]
    else:
        steps["phrases"] = [_phrase(step) for step in translation.steps]
    if translation.tree is not None:
        steps["tree"] = str(translation.tree)
    if translation.skeleton is not None:
        steps["skeleton"] = list(translation.skeleton)
    return {
        "translation": join(translation.words),
        "words": list(translation.words),
        "score": translation.score,
        "features": dict(translation.features),
        **steps,
    }


def _phrase(step: Step) -> dict[str, Any]:
    return {
        "source": [step.start, step.end],
        "target": list(step.words),
        "origin": step.origin,
        "order": step.way,
        "links": [list(link) for link in step.links],
        "features": _nonzero(step.features),
    }


def _rule(step: RuleStep) -> dict[str, Any]:
    return {
        "source": [step.start, step.end],
        "label": step.label,
        "kind": step.kind,
        "depth": step.depth,
        "rule": step.rule,
        "target": list(step.words),
        "features": _nonzero(step.features),
    }


def _nonzero(features: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in features.items() if value}


def explanation(given: Input, best: Sequence[Translation], weights: Mapping[str, float]) -> str:
    """Show the steps of each translation, then what each feature adds to its score.

    Phrases come in the order of the target; rules from the root down, indented by depth, which
    draws the part of the source tree that they cover.
    """
    from treewright.translation import RuleStep

    lines = [f"source       {' '.join(given.words)}"]
    for translation in best:
        lines.append(f"translation  {' '.join(translation.words)}")
        if translation.tree is not None:
            lines.append(f"tree         {translation.tree}")
        if translation.skeleton is not None:
            bones = " ".join(given.words[place] for place in translation.skeleton)
            lines.append(f"skeleton     {bones}")
        by_rules = any(isinstance(step, RuleStep) for step in translation.steps)
        lines += (_rule_lines if by_rules else _phrase_lines)(given, translation)
        parts = [
            f"{name} {value:.2f} × {weights[name]:.3f}"
            for name, value in translation.features.items()
            if value
        ]
        lines.append(f"  score {translation.score:.3f} = {' + '.join(parts)}")
    return "\n".join([*lines, ""])


def _phrase_lines(given: Input, translation: Translation) -> list[str]:
    rows = [
        (
            f"{step.start}-{step.end - 1}",
            " ".join(given.words[step.start : step.end]),
            " ".join(step.words) or "(nothing)",
            step.way if step.origin == "table" else f"{step.way}, {step.origin}",
            _shown(step.features),
        )
        for step in translation.steps
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append(f"  {cells[0]}  {cells[1]} → {cells[2]}  {cells[3]}  {cells[4]}".rstrip())
    return lines


_WITHOUT_RULE = {
    "glue": "child by child",
    "copy": "copied",
    "drop": "dropped",
}


def _rule_lines(given: Input, translation: Translation) -> list[str]:
    rows = [
        (
            f"{step.start}-{step.end - 1}",
            "  " * step.depth + (step.rule or f"{step.label}: {_without_rule(step, given)}"),
            _shown(step.features),
        )
        for step in translation.steps
    ]
    width = max(len(span) for span, _, _ in rows)
    return [f"  {span.ljust(width)}  {rule}  {shown}".rstrip() for span, rule, shown in rows]


def _without_rule(step: RuleStep, given: Input) -> str:
    if step.kind == "glue":
        return _WITHOUT_RULE[step.kind]
    return f"{given.words[step.start]!r} {_WITHOUT_RULE[step.kind]}"


def _shown(features: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.2f}" for name, value in features.items() if value)
