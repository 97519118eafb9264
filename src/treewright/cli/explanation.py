"""The explanation of a result, for people to read in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from treewright.cli.diff import draw_diff, paint

if TYPE_CHECKING:
    from treewright.compression import Compression, Deletion, Shortened
    from treewright.trees import Tree

_GAP = "  │  "
_NARROWEST = 40


def explain(result: Compression, *, width: int = 80, styled: bool = False) -> str:
    """Describe every sentence of a result, each followed by an empty line."""
    page = _Page(max(width, _NARROWEST), styled)
    lines = [line for part in result.sentences for line in (*page.sentence(part), "")]
    return "\n".join(lines)


class _Page:
    """The width to write in, and whether there are colours."""

    def __init__(self, width: int, styled: bool) -> None:
        self.width = width
        self.styled = styled

    def sentence(self, part: Shortened) -> Iterator[str]:
        """Yield the diff, then every deletion, the trees and the alternatives."""
        yield from self._diff(part)
        if part.error is not None:
            yield from self._wrapped("unchanged", part.error.message)
            return
        if part.left is not None:
            yield from self._wrapped("unchanged", f"not English prose: {part.left.described}")
            return
        if part.dropped:
            yield from self._wrapped("dropped", "the whole sentence, for the limit")
            return
        if part.acceptable is not None and part.deletions:
            yield f"acceptable to a reader: {_percent(part.acceptable)}"
        yield from ("", self._heading("deleted" if part.deletions else "nothing deleted"))
        for deletion in part.deletions:
            yield from self._deletion(deletion)
        yield from self._trees(part.source, part.tree)
        if part.alternatives:
            yield from ("", self._heading("versions, the output first"))
            for version in (part, *part.alternatives):
                yield from self._wrapped(f"{version.score:8.2f}", version.text)

    def _heading(self, text: str) -> str:
        return paint(text, "bold") if self.styled else text

    def _diff(self, part: Shortened) -> Iterator[str]:
        sentence = part.sentence
        spans = [(start - sentence.start, end - sentence.start) for start, end in part.spans]
        # Colour codes have a width that wrapping does not know; the terminal wraps these lines.
        yield " ".join(draw_diff(sentence.detokenize(), spans, styled=self.styled).splitlines())

    def _deletion(self, deletion: Deletion) -> Iterator[str]:
        figures = [f"score {deletion.score:.2f}"]
        if deletion.probability is not None:
            figures.insert(0, f"probability {_percent(deletion.probability)}")
        yield from self._text(f"- {deletion.text} ({deletion.label}): {', '.join(figures)}", 2, 4)
        if deletion.rule is not None:
            yield from self._wrapped("rule   ", deletion.rule, 4)
        if deletion.runner_up is not None:
            runner = deletion.runner_up
            yield from self._wrapped("if kept", f"{runner.text} ({runner.score:.2f})", 4)

    def _trees(self, before: Tree | None, after: Tree | None) -> Iterator[str]:
        """Yield both trees, side by side if there is enough width."""
        from treewright.trees.drawing import columns, draw_outline

        if before is None or after is None:
            return
        if before == after:
            yield from ("", self._heading("tree"), draw_outline(before, width=self.width))
            return
        left, right = (draw_outline(tree).split("\n") for tree in (before, after))
        if max(map(columns, left + right)) > self.width // 2:
            left, right = (draw_outline(tree, width=1).split("\n") for tree in (before, after))
        titles = ("tree before", "tree after")
        wide = max(map(columns, (titles[0], *left)))
        if wide + len(_GAP) + max(map(columns, (titles[1], *right))) > self.width:
            for title, tree in zip(titles, (before, after), strict=True):
                yield from ("", self._heading(title), draw_outline(tree, width=self.width))
            return
        yield from ("", self._heading(f"{titles[0]:{wide}}{_GAP}{titles[1]}"))
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{one}{' ' * (wide - columns(one))}{_GAP}{other}".rstrip()

    def _wrapped(self, name: str, text: str, indent: int = 2) -> Iterator[str]:
        """Yield a name and a text whose further lines are indented below its first."""
        return self._text(f"{name}  {text}", indent, indent + len(name) + 2)

    def _text(self, text: str, first: int, later: int) -> Iterator[str]:
        from treewright.trees.drawing import shown

        yield from textwrap.wrap(
            shown(" ".join(text.splitlines())),
            self.width,
            initial_indent=" " * first,
            subsequent_indent=" " * later,
            break_on_hyphens=False,
            break_long_words=False,
        )


def _percent(probability: float) -> str:
    """Return a share in per cent; nearly all is never written as 100 %."""
    rounded = f"{probability:.0%}"
    return ">99%" if rounded == "100%" and probability < 1.0 else rounded
