"""What a shortened text looks like: plain, as JSON, as a diff, or explained."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO, TYPE_CHECKING, Any

from treewright.errors import DataError
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.compression import Compression, Deletion, Drop, Input, Keep, Shortened
    from treewright.text import Kind, Sentence
    from treewright.trees import Tree

_LINE = re.compile(r"[^\n\t]+")
_GAP = "  │  "
_NARROWEST = 40
WIDTH = 80
"""The width if nobody is watching."""
_BREAKS = re.compile(r"\r\n|[\r\n]")


def is_styled(handle: IO[Any]) -> bool:
    """Whether colour can be shown, and is wanted (see no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return False
    return handle.isatty()


def draw_diff(source: str, spans: Sequence[tuple[int, int]], *, styled: bool = False) -> str:
    """Return the source with deleted stretches struck out in red or written `[-like this-]`.

    Styled, control characters are made visible: a text must not move a terminal's cursor.
    """
    from treewright.compression import mark_deletions, stretches
    from treewright.trees.drawing import shown

    if not styled:
        return mark_deletions(source, spans)
    pieces = []
    for is_kept, start, end in stretches(source, spans):
        piece = _LINE.sub(lambda found: shown(found[0]), source[start:end])
        pieces.append(piece if is_kept else paint(piece, "red strike"))
    return "".join(pieces).strip()


def paint(text: str, style: str) -> str:
    """Return text in a style that rich knows, each line by itself."""
    from rich.color import ColorSystem
    from rich.style import Style

    made = Style.parse(style)
    rendered = [made.render(line, color_system=ColorSystem.STANDARD) for line in text.split("\n")]
    return "\n".join(rendered)


def explain(result: Compression, *, width: int = 80, styled: bool = False) -> str:
    """Describe every sentence of a result, each followed by an empty line."""
    page = _Page(max(width, _NARROWEST), styled)
    lines = [line for part in result.sentences for line in (*page.sentence(part), "")]
    return "\n".join(lines)


@dataclass(frozen=True)
class _Page:
    """The width to write in, and whether there are colours."""

    width: int
    styled: bool

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


@dataclass(frozen=True)
class Output:
    """What is written for an input, and what is to be reported about it.

    `errors` say why it (if `unchanged`) or some of its sentences were left unchanged. `unmatched`
    is what was to be kept or dropped but does not occur; `None` if it was not looked for.
    `warnings` name what is gone, a line each. `left` are the kinds of what is not English prose.
    """

    written: str
    errors: tuple[DataError, ...] = ()
    unchanged: bool = False
    met: bool = True
    unmatched: frozenset[Keep | Drop] | None = None
    warnings: tuple[str, ...] = ()
    left: tuple[Kind, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Form:
    """How results are written: text, json, diff or explanation. It is sent to other processes.

    `one_line`: every input is one line, whatever it contains. `details`: JSON has the sentences.
    """

    name: str = "text"
    one_line: bool = False
    details: bool = False
    styled: bool = False
    width: int = WIDTH
    format: str = "plain"

    def __call__(self, given: Input, result: Compression | DataError) -> Output:
        """Write a result, or pass the input through unchanged."""
        if isinstance(result, DataError):
            error = result if result.where else DataError(result.message, where=given.where)
            # If a text cannot be shortened, the reason may be what was to be kept, and that was
            # found.
            missing: frozenset[Keep | Drop] | None = frozenset()
            if isinstance(given.text, DataError):
                missing = None
            written = self._unchanged(given, error)
            return Output(written, (error,), unchanged=True, unmatched=missing)
        errors = tuple([self._placed(part, given) for part in result.sentences if part.error])
        written = self._written(given, result, errors)
        return Output(
            written,
            errors,
            met=result.met,
            unmatched=frozenset([*result.unmatched, *result.unmatched_drops]),
            warnings=tuple(self._warnings(given, result)),
            left=result.left,
        )

    def _warnings(self, given: Input, result: Compression) -> Iterator[str]:
        for part in result.sentences:
            for item in part.warnings or ():
                where = self._where(given, part.sentence)
                yield f"{where + ': ' if where else ''}dropped {item.kind}: {item.text}"

    def _written(self, given: Input, result: Compression, errors: tuple[DataError, ...]) -> str:
        if self.name == "json":
            from treewright.compression import describe

            return f"{as_json(describe(given, result, details=self.details, errors=errors))}\n"
        if self.name == "explanation":
            return explain(result, width=self.width, styled=self.styled) + "\n"
        text = result.text
        if self.name == "diff":
            text = draw_diff(result.source, result.spans, styled=self.styled)
        return text if self._is_exact(given) else self._ended(text)

    def _is_exact(self, given: Input) -> bool:
        """Whether a document is written byte for byte, without a line break of ours."""
        from treewright.documents import find_format

        if self.name != "text" or self.one_line or self.format == "plain":
            return False
        return find_format(given.raw, given.where, self.format) != "plain"

    def _unchanged(self, given: Input, error: DataError) -> str:
        if self.name != "json":
            return given.raw if self._is_exact(given) else self._ended(given.raw)
        from treewright.compression import describe_failure

        return f"{as_json(describe_failure(given, error))}\n"

    def _ended(self, text: str) -> str:
        return (_BREAKS.sub(" ", text) if self.one_line else text) + "\n"

    def _placed(self, part: Shortened, given: Input) -> DataError:
        """Return the error of a sentence, with its line."""
        assert part.error is not None
        # A parser knows only the position in its batch.
        return DataError(part.error.message, where=self._where(given, part.sentence))

    def _where(self, given: Input, sentence: Sentence) -> str:
        """Return the file and the line of a sentence."""
        if not given.where or self.one_line:
            return given.where
        return f"{given.where}:{1 + sentence.text.count(chr(10), 0, sentence.start)}"
