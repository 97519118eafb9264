"""Translations as a picture: phrases, which of them are the skeleton's, and both scores.

The picture is that of Xiao, Zhu and Zhang (2014), figure 1: source phrases above, their
translations below; those of the skeleton in solid boxes, the others in dashed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from treewright.translation.decoding.features import is_skeletal
from treewright.translation.skeletons.generalising import SYMBOL
from treewright.translation.streaming import Input, Translation
from treewright.trees.drawing import columns, shown

_LETTER, _PAD, _GAP, _HEIGHT, _LINE, _MARGIN = 7.2, 7, 8, 24, 18, 12
_BETWEEN = 44
"""How far the two rows of boxes are apart."""
_STYLE = (
    "text{font:12px ui-monospace,monospace;fill:#222;white-space:pre}"
    ".bone{fill:#fde8e4;stroke:#c0392b}.other{fill:#eef3fb;stroke:#5b7db1;stroke-dasharray:4 3}"
    ".link{stroke:#999;fill:none}.score{fill:#555}"
)


class _Box(NamedTuple):
    text: str
    is_bone: bool


def draw_translations(
    translated: Iterable[tuple[Input, Translation]], weights: Mapping[str, float]
) -> str:
    """Return an SVG picture with translations by phrases below one another."""
    parts, top, right = [], float(_MARGIN), 0.0
    for given, translation in translated:
        drawn, width, height = _picture(given.words, translation, weights, top)
        parts.append(drawn)
        top, right = top + height + _MARGIN, max(right, width)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + _MARGIN:.0f}" '
        f'height="{top:.0f}"><style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _picture(
    words: Sequence[str], translation: Translation, weights: Mapping[str, float], top: float
) -> tuple[str, float, float]:
    """Return the picture of a translation below `top`, its width and its height."""
    steps = translation.steps
    kept = set(translation.skeleton or ())
    bones = [any(place in kept for place in range(step.start, step.end)) for step in steps]
    order = sorted(range(len(steps)), key=lambda number: steps[number].start)
    sources = [_Box(" ".join(words[steps[n].start : steps[n].end]), bones[n]) for n in order]
    targets = [
        _Box(" ".join(step.words) or "∅", bone) for step, bone in zip(steps, bones, strict=True)
    ]
    above, starts, right = _row(sources, top)
    below, ends, far = _row(targets, top + _HEIGHT + _BETWEEN)
    links = [
        f'<path class="link" d="M{starts[place]:.0f} {top + _HEIGHT:.0f}'
        f'L{ends[number]:.0f} {top + _HEIGHT + _BETWEEN:.0f}"/>'
        for place, number in enumerate(order)
    ]
    lines = _scores(translation, bones, weights)
    start = top + 2 * _HEIGHT + _BETWEEN + _LINE
    texts = [
        f'<text class="score" x="{_MARGIN}" y="{start + n * _LINE:.0f}">'
        f"{escape(shown(line))}</text>"
        for n, line in enumerate(lines)
    ]
    width = max(right, far, *(_MARGIN + _LETTER * columns(line) for line in lines))
    height = start + len(lines) * _LINE - top
    return "\n".join(["<g>", *above, *below, *links, *texts, "</g>"]), width, height


def _row(boxes: Sequence[_Box], top: float) -> tuple[list[str], list[float], float]:
    """Return boxes side by side, the middle of each, and where they end."""
    parts, middles, left = [], [], float(_MARGIN)
    for text, is_bone in boxes:
        width = _LETTER * columns(text) + 2 * _PAD
        style = "bone" if is_bone else "other"
        parts.append(
            f'<rect class="{style}" x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" '
            f'height="{_HEIGHT}" rx="4"/><text x="{left + _PAD:.0f}" y="{top + 16:.0f}">'
            f"{escape(shown(text))}</text>"
        )
        middles.append(left + width / 2)
        left += width + _GAP
    return parts, middles, left


def _scores(
    translation: Translation, bones: Sequence[bool], weights: Mapping[str, float]
) -> list[str]:
    """Say what the derivation of the whole scores, and that of the skeleton."""
    skeleton = sum(
        weights[name] * value for name, value in translation.features.items() if is_skeletal(name)
    )
    if translation.skeleton is None:
        return [f"score {translation.score:.2f}"]
    return [
        f"full      g(d)  = {translation.score - skeleton:.2f}",
        f"skeleton  g(d′) = {skeleton:.2f}   lm′ sees: {' '.join(slotted(translation, bones))}",
        f"sum       {translation.score:.2f}",
    ]


def slotted(translation: Translation, bones: Sequence[bool]) -> list[str]:
    """Return the words of the skeleton's phrases, with one `X` for each stretch of others."""
    written = [
        (is_bone, word)
        for step, is_bone in zip(translation.steps, bones, strict=True)
        for word in step.words
    ]
    found: list[str] = []
    for is_bone, words in groupby(written, key=lambda each: each[0]):
        found += [word for _, word in words] if is_bone else [SYMBOL]
    return found
