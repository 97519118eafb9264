"""The table of the page on faithfulness, made from the rows.

`python -m tests.pruning.guards.meaning.page` writes it into the page.
"""

from __future__ import annotations

from pathlib import Path

from treewright.pruning.guards.meaning import ROWS, Row

PAGE = Path(__file__).resolve().parents[4] / "docs" / "faithfulness.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->\n"
LOSSES = {"flips": "both", "weakens": "strict", "breaks": "whole"}
MOST = 10
"""How many words of a row are shown."""


def table() -> str:
    """Return all rows as a table in Markdown."""
    lines = ["| class | material | words | held | comes from |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *map(_line, ROWS)]) + "\n"


def _line(row: Row) -> str:
    words = [*row.words, *(f"tag {tag}" for tag in row.tags)]
    more = f" … ({len(words)})" if len(words) > MOST else ""
    shown = ", ".join(word.replace("|", "\\|") for word in words[:MOST]) + more
    shown = shown.replace("`", "backtick")
    held = "weighed" if row.weighed else LOSSES[row.loss]
    return f"| {row.kind} | {row.name} | {shown} | {held} | {row.source} |"


def renewed() -> str:
    """Return the page with the table as it should be."""
    text = PAGE.read_text("utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:start] + "\n" + table() + "\n" + text[end:]


if __name__ == "__main__":
    PAGE.write_text(renewed(), "utf-8")
