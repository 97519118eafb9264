"""Which marks survive the words around them, and where the final full stop goes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

from treewright.text.characters import is_word
from treewright.text.roles import Role
from treewright.text.tokens import Sentence, Token
from treewright.trees import word_set

_SEPARATORS = (Role.SEPARATOR, Role.DASH)
_ASIDES = word_set(
    "although but he however i including indeed instead it like meanwhile moreover nevertheless"
    " not perhaps she such then therefore they though too we where which while who whom whose"
    " with"
)
_LONG_FOR_A_LIST = 3
_WINDOW = 10
_CURRENCIES = frozenset("$£€¥₹#")
_BRACKETS = frozenset(")]}）】")


def tidy_places(
    sentence: Sentence,
    places: Sequence[int],
    roles: Sequence[Role],
    pairs: Sequence[tuple[int, int]],
    held: Collection[int] = (),
) -> tuple[list[int], Token | None]:
    """Return the positions to write, in order, and a full stop to write one past the last token.

    That full stop is the last character of a deleted abbreviation that ended the sentence. Tokens
    at `held` positions stay, whatever they have lost; they count as content.
    """
    words = sentence.words
    live = [False] * len(roles)
    for place in places:
        live[place] = True
    _drop_lone_signs(sentence, live, roles)
    _drop_broken_pairs(live, roles, pairs)
    for place in held:
        live[place] = True
    out = _Output(words, roles)
    for place, alive in enumerate(live):
        if alive:
            out.add(place)
    out.close()
    if Role.CONTENT in roles and not any(roles[place] is Role.CONTENT for place in out.places):
        return [], None
    stop, token = _final_stop(sentence, roles)
    if stop >= 0 and not _of_another(words[stop], stop, live, roles, pairs):
        out.end_with(stop, len(roles) if token is not None else stop)
    return out.places, token


def _drop_broken_pairs(
    live: list[bool], roles: Sequence[Role], pairs: Sequence[tuple[int, int]]
) -> None:
    """Drop brackets and quotes that lost their partner or everything between them."""
    if not pairs:
        return
    content = [role is Role.CONTENT for role in roles]
    had = [0, *accumulate(content)]
    has = [0, *accumulate(there and alive for there, alive in zip(content, live, strict=True))]
    done = -1
    for opener, closer in sorted(pairs):
        if not (live[opener] and live[closer]):
            live[opener] = live[closer] = False
        elif had[opener] < had[closer] and has[opener] == has[closer] and opener > done:
            live[opener : closer + 1] = [False] * (closer + 1 - opener)
            done = closer


def _drop_lone_signs(sentence: Sentence, live: list[bool], roles: Sequence[Role]) -> None:
    """Drop what belonged to a deleted neighbour: a possessive's apostrophe, `$` and `%`."""
    words = sentence.words
    for place in sentence.mark_places:
        role = roles[place]
        if role is Role.APOSTROPHE or words[place] == "%":
            live[place] = live[place] and (place == 0 or live[place - 1])
        elif words[place] in _CURRENCIES and place + 1 < len(words) and not live[place + 1]:
            live[place] = live[place] and not words[place + 1][0].isdigit()


def _final_stop(sentence: Sentence, roles: Sequence[Role]) -> tuple[int, Token | None]:
    """Return the position of the full stop that ends the sentence, or -1.

    If it is part of an abbreviation, the position is that of the abbreviation, and the full stop is
    returned as a separate token.
    """
    place = len(roles) - 1
    while place >= 0 and roles[place] is Role.CLOSER:
        place -= 1
    if place < 0:
        return -1, None
    if roles[place] is Role.STOP:
        while place and roles[place - 1] is Role.STOP:
            place -= 1
        return place, None
    text, _, end = sentence.tokens[place]
    if text[-1] == "." and is_word(text):
        return place, Token(".", end - 1, end)
    return -1, None


def _of_another(
    text: str,
    stop: int,
    live: Sequence[bool],
    roles: Sequence[Role],
    pairs: Sequence[tuple[int, int]],
) -> bool:
    """Whether the final `?` or `!` belongs to a quote or aside of which no word is left."""
    if text[-1] not in "?!":
        return False
    content = (role is Role.CONTENT for role in roles)
    has = [0, *accumulate(there and alive for there, alive in zip(content, live, strict=True))]
    return any(has[opener] == has[closer] for opener, closer in pairs if opener < stop < closer)


class _Output:
    """The positions written so far; each mark is judged by what comes before it."""

    def __init__(self, words: Sequence[str], roles: Sequence[Role]) -> None:
        self.places: list[int] = []
        self._words = words
        self._roles = roles
        content = (place for place in range(len(roles) - 1, -1, -1) if roles[place] is Role.CONTENT)
        self._last_content = next(content, -1)

    def add(self, place: int) -> None:
        """Write one more token, unless it is a mark that lost what it belonged to."""
        role = self._roles[place]
        if role in _SEPARATORS:
            self._add_separator(place)
        elif role is Role.STOP:
            self._add_stop(place)
        else:
            if role is Role.CLOSER:
                self._drop_separators(place, quoted=self._closes_quote(place))
            self.places.append(place)

    def close(self) -> None:
        """Drop the marks that nothing follows."""
        self._drop_separators(self._last_content + 1)

    def end_with(self, stop: int, name: int) -> None:
        """Restore the final full stop of the source, unless something else already serves as one.

        It was at `stop`, before the marks that close after it, and is written as position `name`.
        """
        at = len(self.places)
        while at and self._roles[self.places[at - 1]] is Role.CLOSER and self.places[at - 1] > stop:
            at -= 1
        end = self._before_quotes(at)
        before = self._roles[self.places[end - 1]] if end else None
        if before in _SEPARATORS:
            self.places[end - 1] = name
        elif before not in (None, Role.STOP) and not self._abbreviated(end - 1, stop):
            self.places.insert(at, name)

    def _role(self, offset: int = -1) -> Role | None:
        return self._roles[self.places[offset]] if len(self.places) >= -offset else None

    def _touched(self, place: int) -> bool:
        """Whether something was dropped between the last token written and this one."""
        return place != (self.places[-1] + 1 if self.places else 0)

    def _before_quotes(self, end: int) -> int:
        """Return the position before the closing quotes at the end; a full stop inside them
        suffices.
        """
        while end and self._closes_quote(self.places[end - 1]):
            end -= 1
        return end

    def _closes_quote(self, place: int) -> bool:
        return self._roles[place] is Role.CLOSER and self._words[place] not in _BRACKETS

    def _drop_separators(self, place: int, *, quoted: bool = False) -> None:
        """Drop the separators written last, if what followed them up to `place` is gone.

        A comma may stay before a closing quote.
        """
        while self._role() in _SEPARATORS and self.places[-1] < place - 1:
            if quoted and self._words[self.places[-1]] == ",":
                return
            self.places.pop()

    def _add_separator(self, place: int) -> None:
        before = self._role()
        if not self._touched(place):
            self.places.append(place)
        elif before is None or before in (Role.OPENER, Role.STOP):
            return
        elif before in _SEPARATORS:
            self._merge_separators(place)
        else:
            self.places.append(place)

    def _merge_separators(self, place: int) -> None:
        """Keep one of two separators, or neither if they enclosed an aside."""
        last = self.places[-1]
        if self._set_off(last, place):
            self.places.pop()
        elif self._rank(place) > self._rank(last):
            self.places[-1] = place

    def _set_off(self, first: int, second: int) -> bool:
        """Whether two marks enclosed an aside: dashes do; commas do if it is too long for a list
        item.
        """
        if self._roles[first] is Role.DASH and self._roles[second] is Role.DASH:
            return True
        if not self._words[first] == self._words[second] == ",":
            return False
        window = self._words[first + 1 : min(second, first + _WINDOW)]
        aside = [word for word in window if is_word(word)]
        return len(aside) >= _LONG_FOR_A_LIST or (bool(aside) and aside[0].lower() in _ASIDES)

    def _rank(self, place: int) -> int:
        if self._roles[place] is Role.DASH:
            return 1
        return 2 if self._words[place] in (";", ":") else 0

    def _add_stop(self, place: int) -> None:
        touched = self._touched(place)
        if not touched:
            self.places.append(place)
            return
        self._drop_separators(place)
        end = self._before_quotes(len(self.places))
        before = self._roles[self.places[end - 1]] if end else None
        if before is None or before is Role.OPENER:
            return
        if before is Role.STOP:
            if end == len(self.places) and self._words[self.places[-1]] == ".":
                self.places[-1] = place
        elif before in _SEPARATORS:
            self.places[end - 1] = place
        elif not self._abbreviated(end - 1, place):
            self.places.append(place)

    def _abbreviated(self, at: int, stop: int) -> bool:
        """Whether the word written there ends in a full stop that can replace the one at `stop`."""
        last = self._words[self.places[at]]
        return self._words[stop][-1] == last[-1] == "." and is_word(last)
