"""Whether a Markdown document still is what it was, apart from the words it lost."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treewright.documents.markdown.reading import Page, read_page

_STARTS_BLOCK = re.compile(r"[-+*#>=|~`<:$]|\d{1,9}[.)](?:\s|\Z)|\[[^\]]*\]:")


def may_start_line(rest: str) -> bool:
    """Whether a line of a paragraph may begin like this without being anything else."""
    return _STARTS_BLOCK.match(rest) is None or (rest.startswith(("**", "`")) and rest[:3] != "```")


def broken(page: Page, text: str, plain: Sequence[str]) -> bool:
    """Whether a page that was rewritten as `text` has other blocks than before, or passages that
    read otherwise than they should.
    """
    after = read_page(text)
    if after.blocks != page.blocks:
        return True
    seen = "\n".join([passage.plain for passage in after.passages])
    return seen.split() != "\n".join(plain).split()
