"""Deleting words from a user's own string: what stays is cut from it, and nothing is rewritten."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from treewright.text.characters import is_word
from treewright.text.contractions import is_clitic, takes_clitic
from treewright.text.roles import Role, find_pairs, find_roles
from treewright.text.tidying import tidy_places
from treewright.text.tokens import Sentence, Token

_SPACE = re.compile(r"\r\n|\s")
_LOWER_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_HUGS_LEFT = frozenset({Role.SEPARATOR, Role.DASH, Role.STOP, Role.CLOSER, Role.APOSTROPHE})
_HUGS_RIGHT = frozenset({Role.DASH, Role.OPENER})


class Cut(NamedTuple):
    """What is left of a sentence, and the spans of the source string that make it up.

    Joined, the spans are the text, apart from the case of one letter and a space between words that
    would otherwise touch. They come in the order of the text, which is nearly always that of the
    source: only a full stop may move into a closing quote.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


def cut(
    sentence: Sentence,
    kept: Collection[int],
    *,
    tidy: bool = True,
    held: frozenset[int] = frozenset(),
) -> Cut:
    """Return the sentence with only the tokens at the positions in `kept`, spaced as in the source.

    `tidy` repairs what the deletion broke and touches nothing else: marks that lost what they
    belonged to are removed, and the final full stop and the first capital are restored. Words are
    never dropped, added or otherwise changed, nor are marks at `held` positions; if no word is kept
    or held, the text is empty.
    """
    places = sorted(frozenset(kept))
    count = len(sentence.tokens)
    if places and not 0 <= places[0] <= places[-1] < count:
        raise ValueError(f"places {places[0]} to {places[-1]} of a sentence of {count} tokens")
    if len(places) == count:
        whole = (sentence.start, sentence.end)
        return Cut(sentence.detokenize(), (whole,) if places else ())
    roles = [Role.CONTENT] * count
    tokens: Sequence[Token] = sentence.tokens
    if tidy:
        pairs = find_pairs(sentence)
        roles = find_roles(sentence, pairs)
        for place in held:
            roles[place] = Role.CONTENT
        pairs = [pair for pair in pairs if held.isdisjoint(pair)]
        places, stop = tidy_places(sentence, places, roles, pairs, held)
        if stop is not None:
            tokens, roles = (*tokens, stop), [*roles, Role.STOP]
    return _write(sentence, tokens, places, roles, tidy)


def _write(
    sentence: Sentence,
    tokens: Sequence[Token],
    places: Sequence[int],
    roles: Sequence[Role],
    tidy: bool,
) -> Cut:
    """Write the tokens at `places`; neighbours keep what stands between them in the source."""
    capital = _capital_place(sentence, places) if tidy else -1
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    last = -1
    for first, after in _runs(places, len(sentence.tokens)):
        start, end = tokens[first].start, tokens[after - 1].end
        if last >= 0:
            _add_gap(sentence, tokens, last, first, roles, parts, spans)
        text = sentence.text[start:end]
        if first <= capital < after:
            place = tokens[capital].start - start
            text = text[:place] + text[place].upper() + text[place + 1 :]
        parts.append(text)
        _add_span(spans, start, end)
        last = after - 1
    return Cut("".join(parts), tuple(spans))


def _runs(places: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Return the runs of neighbours among places; a full stop that was no token is alone."""
    runs: list[tuple[int, int]] = []
    first = after = -1
    for place in places:
        if place != after or place == count:
            if after > first:
                runs.append((first, after))
            first = place
        after = place + 1
    if after > first:
        runs.append((first, after))
    return runs


def _add_span(spans: list[tuple[int, int]], start: int, end: int) -> None:
    if spans and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))


def _add_gap(
    sentence: Sentence,
    tokens: Sequence[Token],
    left: int,
    right: int,
    roles: Sequence[Role],
    parts: list[str],
    spans: list[tuple[int, int]],
) -> None:
    """Write what goes between two runs of the result, from the token before to the one after."""
    span = _gap(sentence, tokens, left, right, roles)
    if span is not None:
        parts.append(sentence.text[span[0] : span[1]])
        _add_span(spans, *span)
    elif is_word(tokens[left].text) and right > left and roles[right] is Role.CONTENT:
        text = tokens[right].text
        if is_word(text) and not _attaches(tokens[left].text, text):
            parts.append(" ")


def _gap(
    sentence: Sentence, tokens: Sequence[Token], left: int, right: int, roles: Sequence[Role]
) -> tuple[int, int] | None:
    """Return the span of the source to write between two runs of the result, if any.

    One white space of the deleted stretch is enough: the one beside a mark that belongs to its
    neighbour, or else the first.
    """
    if right == len(sentence.tokens) or right < left:
        return None
    gaps = range(left, right)
    if roles[right] in _HUGS_LEFT or _attaches(tokens[left].text, tokens[right].text):
        gaps = range(right - 1, right)
    elif roles[left] in _HUGS_RIGHT:
        gaps = range(left, left + 1)
    for place in gaps:
        found = _SPACE.search(sentence.text, tokens[place].end, tokens[place + 1].start)
        if found:
            return found.span()
    return None


def _attaches(left: str, right: str) -> bool:
    """Whether `right` is the end of a contraction that can be attached to the word `left`."""
    return is_clitic(right) and is_word(left) and takes_clitic(left, right)


def _capital_place(sentence: Sentence, places: Sequence[int]) -> int:
    """Return the position of the word that takes over the first word's capital, or -1."""
    count = len(sentence.tokens)
    words = sentence.words
    # The number of a list item is not the first word.
    start = 2 if words[0].isdecimal() and words[1:2] in ((".",), (")",)) else 0
    first = next((place for place in range(start, count) if is_word(words[place])), -1)
    heir = next((place for place in places if start <= place < count and is_word(words[place])), -1)
    if heir < 0 or heir == first or not words[first][0].isupper():
        return -1
    word = words[heir]
    plain = _LOWER_WORD.fullmatch(word) is not None and word.islower() and not is_clitic(word)
    return heir if plain and len(word[0].upper()) == 1 else -1
