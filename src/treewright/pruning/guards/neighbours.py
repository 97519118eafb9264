"""Tokens that cannot stand side by side unless they did in the source.

`the of`, `and .`, `in in`, `so .`: whatever the tree says, no sentence has them, and none begins
with `which` or, unless it asks, with a finite verb. This looks at tags and words alone, so it holds
where trees are wrong.
"""

from __future__ import annotations

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


def impossible_neighbours(source: TreeTable) -> Flags:
    """Return which two tokens may not become neighbours: a row and a column for each token, between
    those of both ends.
    """
    words = ["", *source.lower, ""]
    tags = ["", *(source.labels[leaf] for leaf in source.leaves), ""]
    size = len(words)
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
        if word.isalpha() and words.count(word) > 1:
            impossible[place] |= np.array([other == word for other in words])
        if words[following] in _RELATIVE and word == ",":
            # The comma says that the clause is an aside: `the rent, which rose`.
            impossible[:place, following] = ~marks[:place]
    return np.triu(impossible, 2)
