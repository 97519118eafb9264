"""Cases are written with what is deleted between ⟦ and ⟧."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.text import Cut, Sentence, cut, split_sentences, tokenize
from treewright.text.characters import is_word
from treewright.text.cutting import _runs

from ..profiles import examples
from .strategies import cuttings, plain_cuttings, sentences

CASES = """
The ⟦big⟧ dog barked. | The dog barked.
The dog ⟦loudly⟧ barked. | The dog barked.
The dog barked ⟦loudly⟧. | The dog barked.
The dog barked ⟦loudly.⟧ | The dog barked.
⟦However,⟧ he left. | He left.
⟦However⟧, he left. | He left.
He left, ⟦however⟧. | He left.
He left⟦, however⟧. | He left.
Did he ⟦really⟧ leave? | Did he leave?
Did he leave ⟦early?⟧ | Did he leave?
Stop ⟦that now⟧!! | Stop!!
The dog, ⟦which was old⟧, barked. | The dog barked.
The dog, ⟦an old friend of ours⟧, barked. | The dog barked.
Apples, ⟦pears⟧, plums ⟦and figs⟧ fell. | Apples, plums fell.
Apples, ⟦pears,⟧ plums fell. | Apples, plums fell.
He came; ⟦he saw⟧; he won. | He came; he won.
He came, ⟦he saw⟧; he won. | He came; he won.
He -- ⟦the boss⟧ -- left. | He left.
He — ⟦the boss⟧ — left. | He left.
He—⟦the boss⟧—left. | He left.
He left — ⟦why⟧? | He left?
⟦He left⟧ — why? | Why?
She said: ⟦nothing⟧. | She said.
The list ⟦below⟧: | The list:
- item ⟦one⟧ two | - item two
The man (who was ⟦very⟧ old) left. | The man (who was old) left.
The man (⟦who was old⟧) left. | The man left.
The man (⟦old⟧, ⟦grey⟧) left. | The man left.
The man ⟦(⟧who was old) left. | The man who was old left.
The man (old, ⟦grey⟧) left. | The man (old) left.
The man (⟦old⟧, grey) left. | The man (grey) left.
Call f() ⟦now⟧ please. | Call f() please.
He said "⟦maybe⟧" twice. | He said twice.
He said “⟦maybe⟧” twice. | He said twice.
He said '⟦maybe⟧' twice. | He said twice.
He said ⟦“⟧maybe” twice. | He said maybe twice.
"I will go," ⟦he said⟧. | "I will go."
"I will go," ⟦he said.⟧ | "I will go."
“I will go,” ⟦he said⟧. | “I will go.”
He said, "I will go ⟦today⟧." | He said, "I will go."
He said, "I will go ⟦today.⟧" | He said, "I will go."
⟦He said,⟧ "I will go." | "I will go."
⟦He said,⟧ "we will go." | "We will go."
“Why?” ⟦he asked⟧. | “Why?”
"⟦No⟧!" he said. | He said.
He said "yes⟦, sir⟧," and left. | He said "yes," and left.
He lives in the U.S. ⟦today⟧. | He lives in the U.S.
He moved ⟦to the U.S.⟧ | He moved.
He works for Acme Inc. ⟦now⟧! | He works for Acme Inc.!
⟦Yesterday⟧ iPhone sales rose. | iPhone sales rose.
⟦Yesterday⟧ example.com fell. | example.com fell.
⟦Yesterday⟧ @ann left. | @ann left.
⟦Yesterday⟧ 3pm came. | 3pm came.
⟦Sadly⟧ élan won. | Élan won.
⟦well⟧ he left. | he left.
They do⟦n't⟧ know. | They do know.
They ⟦do⟧n't know. | They n't know.
I think ⟦it⟧'s good. | I think's good.
It's ⟦a⟧ dog's life, isn't it? | It's dog's life, isn't it?
You can⟦not⟧ go. | You can go.
I'm ⟦really⟧ gonna go. | I'm gonna go.
The dogs' ⟦big⟧ bones | The dogs' bones
The ⟦dogs⟧' bones | The bones
It’s the dogs’ ⟦own⟧ bone — ‘mine’. | It’s the dogs’ bone — ‘mine’.
It cost $5 ⟦or more⟧, he said. | It cost $5, he said.
See https://x.org/a_(b)?c=1 ⟦now⟧, OK? | See https://x.org/a_(b)?c=1, OK?
Mail a.b@c.org ⟦or call⟧. | Mail a.b@c.org.
It cost $⟦5⟧ more. | It cost more.
It fell ⟦20⟧% today. | It fell today.
He left the bar (⟦in the⟧ U.S.) ⟦early⟧. | He left the bar (U.S.).
Hi 👋🏽 ⟦dear⟧ friend 🙂! | Hi 👋🏽 friend 🙂!
About 5kg ⟦or 20%⟧ at 3:30 p.m. ⟦today⟧ | About 5kg at 3:30 p.m.
Wait... ⟦what⟧... no? | Wait... no?
No stop ⟦here⟧ either | No stop either
Two  spaces ⟦and  more⟧  stay | Two  spaces stay
A tab\t⟦or two⟧ stays | A tab\tstays
他说⟦，⟧你好。 | 他说 你好。
⟦All of it.⟧ |
⟦All of⟧ , ⟦it⟧ . |
Hello , ⟦dear⟧ world . | Hello , world .
He ran (fast) ⟦and⟧ [far]. | He ran (fast) [far].
We agree on energy⟦, as they will⟧." | We agree on energy."
We agree ⟦on energy.⟧" | We agree."
He asked ⟦"Why?"⟧ | He asked
He left ⟦(why?)⟧ | He left
Did he ask ⟦"Why"⟧? | Did he ask?
1. ⟦Wash⟧ the rice. | 1. The rice.
"""


def parse(case: str) -> tuple[Sentence, list[int]]:
    text, deleted = "", [False]
    for character in case:
        if character in "⟦⟧":
            deleted[-1] = character == "⟦"
        else:
            text += character
            deleted.append(deleted[-1])
    tokens = tokenize(text)
    return Sentence(text, tokens), [
        place for place, token in enumerate(tokens) if not any(deleted[token.start : token.end])
    ]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@pytest.mark.parametrize("row", CASES.strip().splitlines())
def test_deletion_leaves_clean_text(row: str) -> None:
    case, expected = row.split(" |")
    sentence, kept = parse(case)
    assert cut(sentence, kept).text == expected[1:]


def test_a_windows_line_end_is_one_space() -> None:
    sentence, kept = parse("He\r\n⟦really⟧ left\r\nearly.")
    assert cut(sentence, kept).text == "He\r\nleft\r\nearly."


def test_untidied_text_has_what_was_kept_and_no_more() -> None:
    sentence, kept = parse("⟦However⟧, he (⟦the boss⟧) left, ⟦too⟧.")
    assert cut(sentence, kept, tidy=False).text == ", he ( ) left, ."


def test_spans_say_what_of_the_source_was_kept() -> None:
    sentence, kept = parse("⟦Today⟧ the ⟦big⟧ dog barked ⟦loudly⟧.")
    result = cut(sentence, kept)
    assert result == Cut("The dog barked.", ((6, 10), (14, 24), (31, 32)))
    assert "".join(sentence.text[a:b] for a, b in result.spans) == "the dog barked."


def test_spans_of_a_later_sentence_are_places_in_the_whole_text() -> None:
    text = "He came. She left early."
    second = split_sentences(text)[1]
    assert cut(second, [0, 1]) == Cut("She left.", ((9, 17), (23, 24)))


@pytest.mark.parametrize("kept", [[2], [-1], [0, 5]])
def test_places_that_are_not_there_are_refused(kept: list[int]) -> None:
    with pytest.raises(ValueError, match="of a sentence of 2 tokens"):
        cut(Sentence("Go on", tokenize("Go on")), kept)


HELD = """
⟦However⟧, he left. | , | , He left.
He said “⟦maybe⟧” twice. | “ ” | He said “” twice.
The man (⟦who was old⟧) left. | ( ) | The man ( ) left.
The man ⟦(⟧who was old) left. | ) | The man who was old) left.
He — ⟦the boss⟧ — left. | — | He — — left.
Apples, ⟦pears⟧, plums ⟦and figs⟧ fell. | , | Apples, , plums fell.
It cost $⟦5⟧ more. | $ | It cost $ more.
It fell ⟦20⟧% today, ⟦too⟧. | % | It fell % today.
The ⟦dogs⟧' bones | ' | The ' bones
The man (⟦old⟧) left, ⟦too⟧. | , | The man left,.
⟦All of it⟧! | ! | !
"""


@pytest.mark.parametrize("row", HELD.strip().splitlines())
def test_held_marks_stay_and_the_rest_is_as_clean_as_ever(row: str) -> None:
    case, marks, expected = row.split(" | ")
    sentence, kept = parse(case)
    held = frozenset(place for place in kept if sentence.words[place] in marks.split())
    assert held
    result = cut(sentence, kept, held=held)
    assert result.text == expected
    assert held <= written(sentence, result)


def written(sentence: Sentence, result: Cut) -> set[int]:
    """The places of the tokens that lie in one of the spans."""
    return {
        place
        for place, token in enumerate(sentence.tokens)
        if any(start <= token.start and token.end <= end for start, end in result.spans)
    }


@given(cuttings(), st.data())
def test_whatever_is_held_is_written(case: tuple[Sentence, list[int]], data: st.DataObject) -> None:
    sentence, kept = case
    held = frozenset(data.draw(st.lists(st.sampled_from(kept)))) if kept else frozenset()
    result, plain = cut(sentence, kept, held=held), cut(sentence, kept)
    assert held <= written(sentence, result)
    assert letters(result.text).lower() == letters(plain.text).lower()
    sliced = "".join(sentence.text[start:end] for start, end in result.spans)
    assert sliced.lower().replace(" ", "") == result.text.lower().replace(" ", "")


@given(cuttings(), st.data())
def test_to_hold_words_changes_nothing(
    case: tuple[Sentence, list[int]], data: st.DataObject
) -> None:
    sentence, kept = case
    words = [place for place in kept if is_word(sentence.words[place])]
    held = frozenset(data.draw(st.lists(st.sampled_from(words)))) if words else frozenset()
    assert cut(sentence, kept, held=held) == cut(sentence, kept)


@given(sentences)
def test_nothing_changes_where_nothing_was_deleted(sentence: Sentence) -> None:
    everything = range(len(sentence.tokens))
    assert cut(sentence, everything).text == sentence.detokenize()
    assert cut(sentence, everything, tidy=False).text == sentence.detokenize()
    assert cut(sentence, []) == Cut("", ())


@given(cuttings())
def test_words_are_the_kept_ones_but_for_the_first_letter(case: tuple[Sentence, list[int]]) -> None:
    sentence, kept = case
    words = [w for w in (sentence.words[place] for place in kept) if is_word(w)]
    for tidy in (True, False):
        text = cut(sentence, kept, tidy=tidy).text
        changed = [
            (a, b) for a, b in zip(letters(text), letters("".join(words)), strict=True) if a != b
        ]
        assert len(changed) <= tidy
        assert all(a == b.upper() for a, b in changed)
        place = 0
        for word in words:
            place = text.lower().index(word.lower(), place) + len(word.lower())


@given(cuttings())
def test_spans_slice_to_the_text_but_for_spaces_and_case(case: tuple[Sentence, list[int]]) -> None:
    sentence, kept = case
    for tidy in (True, False):
        text, spans = cut(sentence, kept, tidy=tidy)
        sliced = "".join(sentence.text[start:end] for start, end in spans)
        assert sliced.lower().replace(" ", "") == text.lower().replace(" ", "")
        assert len(sliced) <= len(text)
        assert all(start < end for start, end in spans)


@given(cuttings())
def test_no_space_is_doubled_at_the_ends_or_where_words_went(
    case: tuple[Sentence, list[int]],
) -> None:
    sentence, kept = case
    text = cut(sentence, kept).text
    assert text == text.strip()
    assert "  " not in text or "  " in sentence.text


@given(plain_cuttings())
def test_no_mark_is_left_without_what_it_stood_by(case: tuple[Sentence, list[int]]) -> None:
    sentence, kept = case
    text = cut(sentence, kept).text
    left_behind = re.search(r"^[,;.?)]| [,;.?)]|[,;] ?[,;.?)]|\( |\( ?[,;.?)]|[,;(]$|\.\.", text)
    assert left_behind is None, text
    assert not text or text[-1] in ".?"
    assert text.count("(") == text.count(")")


@examples(50)
@given(places=st.lists(st.integers(0, 8), unique=True), count=st.integers(1, 8))
def test_runs_are_neighbours_in_order(places: list[int], count: int) -> None:
    """The place after the last token, of a full stop that is no token, is nobody's neighbour."""
    places = [place for place in places if place <= count]
    runs = _runs(places, count)
    assert [place for first, after in runs for place in range(first, after)] == places
    ends = pairwise(runs)
    assert all(after != first or count in (after - 1, first) for (_, after), (first, _) in ends)
    assert all(after - first == 1 or count not in range(first, after) for first, after in runs)
