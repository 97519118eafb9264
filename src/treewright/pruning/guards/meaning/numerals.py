"""What looks like a number or an amount, by words and parts of speech."""

from __future__ import annotations

from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

CURRENCIES = frozenset("$£€¥₹₩₽") | word_set("us$ hk$ a$ c$ usd eur gbp jpy chf")
FRACTIONS = word_set(
    "half third thirds quarter quarters fifth fifths sixth seventh eighth ninth tenth tenths"
    " hundredth thousandth"
)
AMOUNTS = FRACTIONS | word_set(
    "twice thrice double triple once dozen dozens hundred hundreds thousand thousands million"
    " millions billion billions trillion one two three four five six seven eight nine ten eleven"
    " twelve twenty thirty forty fifty sixty seventy eighty ninety zero"
)
_ARTICLES = word_set("a an the one")


def is_number(outline: Outline, place: int) -> bool:
    """Whether the word at a place is a number, in digits or letters."""
    word = outline.word(place)
    return word[:1].isdigit() or outline.tag(place) == "CD" or word in CURRENCIES


def is_quantity(outline: Outline, place: int) -> bool:
    """Whether an amount begins at a place: a number, `half`, `a third`, `twice`."""
    if is_number(outline, place) or outline.word(place) in AMOUNTS:
        return True
    return outline.word(place) in _ARTICLES and outline.word(place + 1) in AMOUNTS
