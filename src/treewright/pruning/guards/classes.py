"""The classes of words that can be kept: numbers, names, quotations, urls, code."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from treewright.pruning.guards.shapes import Span, find_addresses, find_code
from treewright.text import STRAIGHT, Sentence, find_pairs, is_dash, is_word
from treewright.trees import Tree, base_label, word_set

_NAMES = frozenset({"NNP", "NNPS"})
_QUOTES = frozenset({"``", "`", "“", "‘", "«", "„", "‹", "「", "『", "《", "''"}) | STRAIGHT
_COMMON = word_set(
    "the a an this that these those i you he she it we they who what which when where why how there"
    " here my your his her its our their some any all each every no none nobody nothing never not"
    " neither nor one someone everyone and but or so if as at by for from in of on to with without"
    " is are was were do does did has have had can could will would may might must should please"
    " yes hi hello thanks sorry dear"
)
_COUNTS = r"hundred|thousand|million|billion|trillion|dozen"
_UNITS = (
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh"
    r"|nine)teen"
)
_TENS = r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
_NUMBER_WORD = re.compile(rf"(?:{_UNITS}|{_TENS}(?:-(?:one|{_UNITS}))?|(?:{_COUNTS})s?)")
_MONEY = re.compile(r"(?:US|HK|NZ|NT|Can|Aus|[ACRS])?\$|USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK")
_BEFORE_NUMBER = word_set("minus no. nos. # № § p. pp.")
_SIGNS = frozenset("-−+±~≈<>≤≥=#")
_AFTER_NUMBER = word_set(
    "% ‰ ° °c °f percent pct percentage a.m. p.m. a.m p.m am pm km m cm mm kg g mg lb lbs oz ft mi"
    " mph kph km/h l ml ha gb mb kb tb gib mib hz khz mhz ghz w kw mw gw kwh v ms s sec min h hr"
    " hrs bn mn tn"
)


class View:
    """A sentence as the finders see it; positions in `text` are relative to the sentence."""

    def __init__(self, sentence: Sentence, tree: Tree) -> None:
        self.sentence = sentence
        self.tree = tree
        self.words = sentence.words
        self.tags = [base_label(node.label) for node in tree.preterminals()]
        if len(self.tags) != len(self.words):
            raise ValueError(f"a tree of {len(self.tags)} words for {len(self.words)} tokens")
        self.text = sentence.detokenize()
        self.starts = [token.start - sentence.start for token in sentence.tokens]
        self.ends = [token.end - sentence.start for token in sentence.tokens]

    def touched(self, spans: Iterable[Span]) -> Iterator[int]:
        """Yield the positions of the tokens that share a character with one of the spans."""
        for start, end in spans:
            place = bisect_right(self.ends, start) if start < end else len(self.starts)
            while place < len(self.starts) and self.starts[place] < end:
                yield place
                place += 1

    def attached(self, place: int) -> bool:
        """Whether nothing lies between this token and the next."""
        return place + 1 < len(self.starts) and self.ends[place] == self.starts[place + 1]


def _find_numbers(view: View) -> set[int]:
    words, count = view.words, len(view.words)
    numbers = [_is_number(word, tag) for word, tag in zip(words, view.tags, strict=True)]
    places = {place for place, number in enumerate(numbers) if number}
    for place in sorted(places):
        places.update(_before_number(view, place))
        after = place + 1
        if after < count and (words[after].lower() in _AFTER_NUMBER or _is_money(words[after])):
            places.add(after)
            if words[after] == "°" and words[after + 1 : after + 2] in (("C",), ("F",), ("K",)):
                places.add(after + 1)
        if [word.lower() for word in words[after : after + 2]] == ["per", "cent"]:
            places.update((after, after + 1))
        if after + 1 < count and numbers[after + 1] and _joins(words[after]):
            places.add(after)
    return places | _between_numbers(view.tree, places)


def _is_number(word: str, tag: str) -> bool:
    if any(unicodedata.category(character)[0] == "N" for character in word):
        return True
    return (tag == "CD" and is_word(word)) or _NUMBER_WORD.fullmatch(word.lower()) is not None


def _is_money(word: str) -> bool:
    return _MONEY.fullmatch(word) is not None or unicodedata.category(word[0]) == "Sc"


def _joins(word: str) -> bool:
    return is_dash(word) or word in ("x", "×", "/", ":", "=", "+")


def _before_number(view: View, place: int) -> Iterator[int]:
    """Yield the signs before a number: of a currency, then perhaps minus."""
    for before in range(place - 1, max(place - 4, -1), -1):
        word = view.words[before]
        sign = word in _SIGNS and view.attached(before)
        if not (sign or _is_money(word) or word.lower() in _BEFORE_NUMBER):
            return
        yield before


def _between_numbers(tree: Tree, places: set[int]) -> set[int]:
    """Return what lies between the first and the last number of a quantity: `20 to 30`."""
    found: set[int] = set()
    position = 0
    for node in tree.nodes():
        if node.word is not None:
            position += 1
        elif base_label(node.label) == "QP":
            size = len(node.words())
            inside = [place for place in range(position, position + size) if place in places]
            if inside:
                found.update(range(inside[0], inside[-1] + 1))
    return found


def _find_names(view: View) -> set[int]:
    places: set[int] = set()
    runs = list(_name_runs(view))
    for first, last in runs:
        places.update(range(first, last))
    for (_, left), (right, _) in pairwise(runs):
        between = tuple([word.lower() for word in view.words[left:right]])
        if between in (("of",), ("&",), ("of", "the")):
            places.update(range(left, right))
    cased = [word for word in view.words if len(word) > 1 and (word.isupper() or word.islower())]
    shouted = 2 * sum(word.isupper() for word in cased) > len(cased)
    if not shouted:
        places.update(i for i, word in enumerate(view.words) if _is_acronym(word))
    return places


def _name_runs(view: View) -> Iterator[Span]:
    """Yield the bounds of names: runs of capitalised proper nouns, but not a common word alone."""
    first_word = next((i for i, word in enumerate(view.words) if is_word(word)), 0)
    place, count = 0, len(view.tags)
    while place < count:
        if view.tags[place] not in _NAMES:
            place += 1
            continue
        first = place
        while place < count and view.tags[place] in _NAMES:
            place += 1
        if first == first_word and view.words[first].lower() in _COMMON:
            first += 1
        if any(_has_capital(word) for word in view.words[first:place]):
            yield first, place


def _has_capital(word: str) -> bool:
    return any(letter.isalpha() and not letter.islower() for letter in word)


def _is_acronym(word: str) -> bool:
    letters = sum(letter.isalpha() for letter in word)
    return letters > 1 and word.isupper() and len(word) <= 2 * letters


def _find_quotations(view: View) -> set[int]:
    pairs = [pair for pair in find_pairs(view.sentence) if view.words[pair[0]] in _QUOTES]
    taken = {place for pair in pairs for place in pair}
    # In tokenised text, spaces do not show which straight quotes open.
    spaced = [
        place
        for place, word in enumerate(view.words)
        if word == '"' and place not in taken and _stands_alone(view, place)
    ]
    if len(spaced) % 2 == 0:
        pairs += zip(spaced[::2], spaced[1::2], strict=True)
    return {place for first, last in pairs for place in range(first, last + 1)}


def _stands_alone(view: View, place: int) -> bool:
    return not view.attached(place) and not (place and view.attached(place - 1))


def _find_urls(view: View) -> set[int]:
    return set(view.touched(find_addresses(view.text)))


def _find_code(view: View) -> set[int]:
    return set(view.touched(find_code(view.text)))


FINDERS: dict[str, Callable[[View], set[int]]] = {
    "numbers": _find_numbers,
    "names": _find_names,
    "quotations": _find_quotations,
    "urls": _find_urls,
    "code": _find_code,
}
"""Each class with the function that finds the positions of its tokens."""
