"""The words that negate, and those that limit the scope of a negation; all in plain form."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.trees import word_set

_FORWARD = word_set("not n't no never hardly scarcely barely seldom rarely few")
_FUSED = word_set(
    "cannot cant dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt couldnt wouldnt"
    " shouldnt mustnt aint"
)

WHOLE = word_set("none nobody nothing nowhere no-one noone nothin' nothin naught")
"""Words that negate by themselves; the others deny what follows them."""

PAIRED = word_set("neither nor")

GOVERNING = word_set("without except excluding instead")
"""Words that negate only what they govern; both may be deleted together."""

CONDITIONS = word_set("unless lest if whether")
"""Words without which their clause would be asserted."""

NEGATIVE_MARKERS = word_set("without unless lest")

EXCEPTIONS = word_set(
    "until till before unless except without besides between within beyond outside"
)
"""What takes back part of a denial: `not … until May`."""

LIMITS = word_set(
    "only just merely simply solely alone all every everyone everybody everything everywhere always"
    " necessarily entirely completely fully wholly totally altogether exactly both each enough too"
    " nearly much many most mainly primarily quite more less"
)
"""Words that a preceding negation denies instead of the rest: `not only`, `not always`."""

COMPARED = word_set("other such one more less fewer longer further later sooner better worse")
"""Words that form one expression with `no`."""

DEGREES = word_set("as enough too only same first last such")
"""Words without which the denial of a noun or adjective would deny more: `not as good`."""

AUXILIARIES = word_set(
    "be is are am was were been being 's 're 'm has have had 've 'd do does did will wo would 'll"
    " shall sha should can ca could may might must need dare ought ai"
)
TIMES = word_set(
    "today yesterday tomorrow tonight morning afternoon evening night day days week month year time"
    " monday tuesday wednesday thursday friday saturday sunday"
)
_NEGATIVE = _FORWARD | _FUSED | WHOLE | PAIRED
_COUNTED_FEW = word_set(
    "a the these those last past next first some every my your his her its our their good"
)


def plain(word: str) -> str:
    """Return a word in lower case, with straight apostrophes."""
    lower = word.lower()
    return lower if lower.isascii() else lower.replace("’", "'").replace("ʼ", "'")


def straight_words(lower: list[str]) -> list[str]:
    """Return words in plain form, given them in lower case; the same list if they are plain."""
    return lower if "".join(lower).isascii() else list(map(plain, lower))


def may_negate(word: str) -> bool:
    """Whether a word, in plain form, negates somewhere; `is_negative` says whether it does here."""
    return word in _NEGATIVE or word.endswith("n't")


def is_negative(words: Sequence[str], place: int) -> bool:
    """Whether a word negates the clause or phrase around it: not in `No 10`, nor in `a few`."""
    word = plain(words[place])
    if not may_negate(word):
        return False
    if words[place] == "No":
        behind = [other for other in words[place + 1 : place + 3] if other != "."]
        return not (behind and behind[0][:1].isdigit())
    return word != "few" or place == 0 or plain(words[place - 1]) not in _COUNTED_FEW
