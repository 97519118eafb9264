"""Tokens that cannot stand side by side unless they did in the source.

`the of`, `and .`, `in in`, `so .`: whatever the tree says, no sentence has them, and none begins
with `which` or, unless it asks, with a finite verb. Some tokens need the one before them: `the`
before `same`, a name before `Street`, a quotation its marks. This looks at tags and words alone, so
it holds where trees are wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

Flags = NDArray[np.bool_]

_ARTICLES = word_set("the a an my your our their its every")
_AFTER_ARTICLES = frozenset(PUNCTUATION_TAGS) | word_set(
    "CC IN TO MD VBZ VBP VBD WDT WP WP$ WRB DT PRP PRP$ EX"
)
_OPENING = word_set("IN TO CC MD WDT WP$")
_JOINING = word_set("and or but nor so because although though unless if while whereas than as")
_CLOSING = word_set(", . ; ? !")
_AFTER_TO = word_set("VB VBP RB")
_RELATIVE = word_set("which who whom whose where")
_NEVER_FIRST = word_set("which whose than and or nor")
_PREDICATES = word_set("VBZ VBD MD")
_DETERMINERS = word_set("DT PRP$ POS")
_DETERMINED = word_set("same only latter sole rest")
_ORDERED = word_set("first last next previous following other former past")
_PLACES = word_set(
    "street road avenue lane square river valley county university boulevard island bay"
)
_NAMES = word_set("NNP NNPS NN")
_LEADING = _DETERMINERS | _NAMES | {"``"}
"""The tags of what the next token may need before it."""
_CHOSEN = word_set("one some most none each many few any all both half several either neither two")
_INVERTED = word_set("had were should")
_SEEMING = word_set("is was seems seemed appears appeared remains 's")
_SUBORDINATING = word_set("if unless because although though when once until while since as")
_VERBS = word_set("VB VBN VBG TO")


def impossible_neighbours(source: TreeTable) -> Flags:
    """Return which two tokens may not become neighbours: a row and a column for each token, between
    those of both ends.
    """
    words = ["", *source.lower, ""]
    tags = ["", *[source.labels[leaf] for leaf in source.leaves], ""]
    size = len(words)
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        places[word].append(place)
    closing = np.array([not word or word in _CLOSING for word in words])
    after_articles = closing | np.array([tag in _AFTER_ARTICLES for tag in tags])
    after_to = np.array([tag in _AFTER_TO for tag in tags])
    marks = np.array([tag in PUNCTUATION_TAGS for tag in tags])
    impossible = np.zeros((size, size), dtype=np.bool_)
    impossible[0] = [
        word in _NEVER_FIRST or (tag in _PREDICATES and "?" not in words)
        for word, tag in zip(words, tags, strict=True)
    ]
    for place in range(1, size - 2):
        word, tag, following = words[place], tags[place], place + 1
        if word in _ARTICLES and tag in ("DT", "PRP$"):
            impossible[place] = after_articles
        elif tag == "TO" and tags[following] == "VB":
            impossible[place] = ~after_to
        elif (tag in _OPENING or word in _JOINING) and not closing[following]:
            impossible[place] = closing
        if len(places[word]) > 1 and word.isalpha():
            impossible[place, places[word]] = True
        if words[following] in _RELATIVE and word == ",":
            # The comma says that the clause is an aside: `the rent, which rose`.
            impossible[:place, following] = ~marks[:place]
        if tag in _LEADING and _needs_left(words, tags, following):
            impossible[:place, following] = True
        if tags[following] == "''":
            impossible[place] = True
        if word == "of" and words[place - 1] in _CHOSEN and tags[following] in _DETERMINERS:
            impossible[place] |= np.array([each in ("NN", "NNS", "JJ") for each in tags])
    for begin, end in _unfinished(words, tags):
        # What begins the sentence cannot be followed by what ends it.
        impossible[1:begin, end:] = True
    impossible &= _parted(size)
    return impossible


@lru_cache(maxsize=64)
def _parted(size: int) -> Flags:
    """Return which of so many tokens and ends have others between them, in order."""
    parted = np.triu(np.ones((size, size), dtype=np.bool_), 2)
    parted.flags.writeable = False
    return parted


def _needs_left(words: list[str], tags: list[str], place: int) -> bool:
    """Whether a token cannot stay without the one before it: `the same`, `the first two`, `Elm
    Street`, `Schedule B`, what follows a quotation mark.
    """
    word, tag, before = words[place], tags[place], tags[place - 1]
    if before in _DETERMINERS:
        ordered = word in _ORDERED and tags[place + 1] == "CD"
        return tag == "JJS" or (word in _DETERMINED and tag in ("JJ", "NN")) or ordered
    if before in _NAMES and tag in _NAMES:
        return (word in _PLACES and tag == "NNP") or (len(word) == 1 and word.isalpha())
    return before == "``"


def _unfinished(words: list[str], tags: list[str]) -> Iterator[tuple[int, int]]:
    """Yield stretches, from a token up to another, of which something must stay: without them, what
    stands before is unfinished.

    That is the verb of `had the valve been closed, …`, what follows `but` after `not only`, what
    `it seems likely` says, and the rest of a quotation that begins with `if`.
    """
    last = len(words) - 1
    while last > 1 and (not words[last] or tags[last] in PUNCTUATION_TAGS):
        last -= 1
    first = 2 if tags[1] == "``" else 1
    if words[first] in _INVERTED and tags[first] in _PREDICATES and "?" not in words:
        verbs = [place for place in range(first + 2, last) if tags[place] in _VERBS]
        if verbs and "," in words[verbs[0] :]:
            yield verbs[0], words.index(",", verbs[0])
    if words[first : first + 2] == ["not", "only"] and "but" in words:
        yield words.index("but"), last + 1
    if words[first] == "it" and words[first + 1] in _SEEMING:
        that = [place for place in range(first + 3, last) if words[place] == "that"]
        if that and tags[that[0]] == "IN":
            yield that[0], last + 1
    quoted = [place for place in range(2, last) if tags[place] == "``"]
    if first == 2 and words[first] in _SUBORDINATING and quoted:
        yield quoted[0], last + 1
