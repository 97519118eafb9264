"""Texts of every kind: any characters at all, and pieces that make tokenisers stumble."""

from __future__ import annotations

from hypothesis import strategies as st

from treewright.text import Sentence, join_words, tokenize

_WRITTEN = (
    "dog The cannot don't John's dogs' it’s U.S. Mr. Corp. etc. 3.5 1,000 20% $5 \" ' “ ” ‘ ’ `` ''"
    " ( ) [ ] { } , ; : . ! ? ?! ... … -- — – - / & @ann #tag a@b.org http://x.org/a_(b) 🙂 👍🏽 🇬🇧"
    " :-) 'em 'tis C++ .NET 你好 。 ！ مرحبا ، é \\ < > | ~ ^ _ * ©"
)
PIECES = [*_WRITTEN.split(), "\x00", "\x1c", "\ud800", "\u200b", "\u2028", "\u200d"]

any_text = st.text(st.characters(exclude_categories=()), max_size=60)
likely_text = st.lists(
    st.sampled_from([*PIECES, " ", " ", " ", " ", "  ", "\n", "\n\n", "\t"]), max_size=30
).map("".join)
texts = st.one_of(any_text, likely_text)
words = st.lists(st.sampled_from([*PIECES, "-LRB-", "-RRB-", "n't", "'s"]), max_size=20)
sentences = texts.map(lambda text: Sentence(text, tokenize(text)))


_clause = st.lists(
    st.sampled_from(["Dogs", "cats", "of", "U.S.", "5", "well-known"]), min_size=1, max_size=4
)
_aside = _clause.map(lambda words: ["(", *words, ")"])
_parts = st.lists(
    st.one_of(_clause, st.tuples(_clause, _aside).map(lambda two: two[0] + two[1])),
    min_size=1,
    max_size=4,
)


@st.composite
def _plain_sentences(draw: st.DrawFn) -> Sentence:
    words: list[str] = []
    for part in draw(_parts):
        words += [*part, draw(st.sampled_from([",", ";"]))]
    text = join_words([*words[:-1], draw(st.sampled_from([".", "?"]))])
    return Sentence(text, tokenize(text))


@st.composite
def cuttings(
    draw: st.DrawFn, given: st.SearchStrategy[Sentence] = sentences
) -> tuple[Sentence, list[int]]:
    """A sentence and the places of the tokens to keep."""
    sentence = draw(given)
    size = len(sentence.tokens)
    flags = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    return sentence, [place for place, flag in enumerate(flags) if flag]


def plain_cuttings() -> st.SearchStrategy[tuple[Sentence, list[int]]]:
    """Cuttings of sentences that are well punctuated."""
    return cuttings(_plain_sentences())
