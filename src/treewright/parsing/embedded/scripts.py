"""Scripts: the ways to see a word that a parser can be trained with."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from treewright.parsing.embedded import chinese, wordforms


class Script(NamedTuple):
    """A word's form to look up, and the buckets of that form's spelling features."""

    normal_form: Callable[[str], str]
    spelling: Callable[[str], list[int]]


ALPHABETIC, CHINESE = "alphabetic", "chinese"
SCRIPTS = {
    ALPHABETIC: Script(wordforms.normal_form, wordforms.spelling),
    CHINESE: Script(chinese.normal_form, chinese.spelling),
}
