"""What a shortened text looks like: plain, as JSON, as a diff, or explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.cli.diff import draw_diff
from treewright.errors import DataError
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.compression import Compression, Drop, Input, Keep, Shortened
    from treewright.text import Kind, Sentence

WIDTH = 80
"""The width if nobody is watching."""
_BREAKS = re.compile(r"\r\n|[\r\n]")


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
            from treewright.cli.explanation import explain

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
