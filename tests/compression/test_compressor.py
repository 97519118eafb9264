"""Compressors as people call them: any text, any limit, alone and in a crowd."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from treewright.compression import Compression, Compressor, Drop, Keep, Limit, Request
from treewright.corpora import MAX_WORDS, is_word
from treewright.errors import DataError, UsageError
from treewright.grammar import Grammar, parse_rule
from treewright.parsing import Parser, open_parser
from treewright.pruning import Model
from treewright.trees import Tree, parse_tree

from .test_explaining_models import learned
from .toys import LONG, closed

MODELS = ("crf", "crf with rules", "em", "svm", "deletion")
NEWS = (
    "The company, which has struggled for years, said on Monday that it would not close the plant "
    "in New York. Analysts had expected a loss of 5 percent (or more).\n\n"
    "“We are pleased,” said its chief, Ann Lee.  Shares rose!"
)


class Flat:
    """A parser of no opinion: all tokens hang from the root."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        return [Tree("ROOT", [_tagged(word) for word in words]) for words in sentences]


class Branching:
    """A parser that lets every token govern all that follow it."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        found = []
        for words in sentences:
            tree = _tagged(words[-1])
            for place, word in enumerate(reversed(words[:-1])):
                tree = Tree(("NP", "VP", "S")[place % 3], [_tagged(word), tree])
            found.append(Tree("ROOT", [tree]))
        return found


def _tagged(word: str) -> Tree:
    if not is_word(word):
        return Tree("," if word == "," else ".", word=word)
    tags = ("NN", "VBD", "DT", "IN", "JJ", "NNP")
    return Tree(tags[len(word) % len(tags)], word=word)


@cache
def parser_of(name: str) -> Parser:
    return {"flat": Flat, "branching": Branching}.get(name, open_parser)()


@cache
def compressor_of(model: str, parser: str = "branching") -> Compressor:
    return Compressor(learned(model), parser=parser_of(parser))


def plain(result: Compression) -> dict[str, Any]:
    return result.as_dict(explain=True)


def words_of(result: Compression) -> int:
    return sum(is_word(result.tokens[place]) for place in result.kept)


@pytest.mark.parametrize(
    ("model", "parser"),
    [*[(model, "branching") for model in MODELS], ("crf", "flat"), ("crf", "embedded")],
)
def test_a_text_within_the_limit_stays_as_it_is(model: str, parser: str) -> None:
    compressor = compressor_of(model, parser)
    size = sum(map(is_word, compressor.compress(NEWS).tokens))
    limits: list[dict[str, Any]] = [
        {"rate": 1.0},
        {"rate": 1.0, "per": "sentence"},
        {"max_words": size},
        {"max_chars": len(NEWS)},
        {"max_tokens": 1000},
        {"max_tokens": len(NEWS.split()), "tokenizer": str.split},
        {"max_chars": len(NEWS), "per": "sentence"},
    ]
    for limit in limits:
        result = compressor.compress(NEWS, **limit, keep=["numbers"], explain=True)
        assert result.text == NEWS
        assert result.met
        assert result.kept == tuple(range(len(result.tokens)))
        assert result.spans == ((0, len(NEWS)),)
        assert all(part.deletions == () for part in result.sentences)
        assert [part.tree for part in result.sentences] == [p.source for p in result.sentences]
        assert all(part.target is not None for part in result.sentences)


class Unwilling:
    """A parser that must not be asked."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        raise AssertionError(sentences)


def test_what_is_within_the_limit_is_not_parsed_unless_its_tree_is_wanted() -> None:
    text = "The old dog barked. The cat slept."
    unwilling = Compressor(learned("crf"), parser=Unwilling())
    limits: list[dict[str, Any]] = [
        {"rate": 1.0},
        {"max_words": 7},
        {"max_chars": 19, "per": "sentence"},
    ]
    for limit in limits:
        result = unwilling.compress(text, **limit, keep=["dog"])
        assert (result.text, result.spans, result.met) == (text, ((0, len(text)),), True)
        assert result.kept == tuple(range(9))
        assert (result.tree, result.score, result.derivation) == (None, 0.0, None)
        wanted = compressor_of("crf").compress(text, **limit, trees=True)
        assert wanted.text == text
        assert all(part.tree == part.source is not None for part in wanted.sentences)
    with pytest.raises(AssertionError, match="old"):
        unwilling.compress(text, max_words=6)


def test_of_sentences_with_a_limit_each_only_those_over_it_are_parsed() -> None:
    text = "He ate. The old dog barked."
    short, long = compressor_of("crf").compress(text, max_words=3, per="sentence").sentences
    assert (short.text, short.tree) == ("He ate.", None)
    assert long.tree is not None
    assert long.text != long.sentence.detokenize()


def test_what_is_within_the_limit_stays_even_where_the_grammar_has_no_such_version() -> None:
    class Known:
        def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
            return [LONG]

    compressor = Compressor(closed(), parser=Known())
    words = LONG.words()
    assert compressor.compress(words).text != " ".join(words)
    details: list[dict[str, bool]] = [{}, {"trees": True}, {"explain": True}]
    for asked in details:
        assert compressor.compress(words, rate=1.0, **asked).text == " ".join(words)


@pytest.mark.parametrize("model", MODELS)
def test_what_stands_between_sentences_stays(model: str) -> None:
    text = "The old dog barked.\n\n  The big cat slept!\t\tThe man left early?  \n\n***\n\n He ate."
    result = compressor_of(model).compress(text, rate=0.5, drop_sentences=False)
    parts = [part.text for part in result.sentences]
    assert result.text == (
        f"{parts[0]}\n\n  {parts[1]}\t\t{parts[2]}  \n\n{parts[3]}\n\n {parts[4]}"
    )
    assert parts[3] == "***"
    assert words_of(result) <= 7


def test_white_space_around_a_text_is_no_part_of_it() -> None:
    compressor = compressor_of("crf")
    for text in ("\n  Go on! \n", "\x00Go on!\u200b\x07"):
        assert compressor.compress(text, rate=1.0).text == "Go on!"


@pytest.mark.parametrize("text", ["", " ", " \n\t \u3000\x1c", "\x00\u200b"])
@pytest.mark.parametrize("limit", [{}, {"max_words": 1}, {"max_chars": 1, "per": "sentence"}])
def test_nothing_gives_nothing(text: str, limit: dict[str, Any]) -> None:
    result = compressor_of("crf").compress(text, **limit, alternatives=2, explain=True)
    assert (result.text, result.spans, result.sentences) == ("", (), ())
    assert (result.kept, result.tokens, result.met, result.score) == ((), (), True, 0.0)
    assert (result.tree, result.derivation, result.alternatives) == (None, None, ())


@pytest.mark.parametrize("text", ["!!!", "… — …", "👍🏽", "( ) , ;"])
def test_marks_alone_stay(text: str) -> None:
    compressor = compressor_of("crf")
    assert compressor.compress(text).text == text
    assert compressor.compress(text, max_words=1).met
    result = compressor.compress(text, max_chars=1)
    assert result.text == text
    assert result.met == (len(text) <= 1)
    assert result.errors == ()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("text", ["dog", "5", "مرحبا", "你好", "naïve", "Stop!"])
def test_one_word_stays(model: str, text: str) -> None:
    compressor = compressor_of(model)
    for limit in ({}, {"rate": 0.1}, {"max_words": 1}):
        result = compressor.compress(text, **limit)
        assert (result.text, result.met) == (text, True)
    assert not compressor.compress("dogs", max_chars=3).met


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("parser", ["branching", "embedded"])
def test_text_of_every_script_can_be_shortened(model: str, parser: str) -> None:
    text = "Hi 👋🏽 👨‍👩‍👧, שלום עולם יפה \ud800 \x00\x07 dog مرحبا بالعالم 你好世界 Ünïcödé 🇬🇧"
    compressor = compressor_of(model, parser)
    for most in range(1, 6):
        result = compressor.compress(text, max_words=most, language="any")
        assert words_of(result) <= most
        sliced = "".join(text[start:end] for start, end in result.spans)
        assert sliced.lower() == result.text.lower()


@pytest.mark.parametrize("model", ["crf", "deletion"])
def test_a_sentence_that_is_too_long_stays_and_says_so(model: str) -> None:
    long = " ".join(["dog"] * (MAX_WORDS + 1))
    compressor = compressor_of(model)
    result = compressor.compress(f"The cat sat.\n\n{long}.\n\nThe man left.", rate=0.5)
    [error] = result.errors
    assert str(error) == "a sentence of 1002 tokens, the limit is 1000; it stays as it is"
    assert result.sentences[1].text == f"{long}."
    assert (result.sentences[1].tree, result.sentences[1].source) == (None, None)
    assert not result.met
    assert [words_of(result), len(result.sentences)] == [MAX_WORDS + 3, 3]
    assert compressor.compress(long).text == long
    assert compressor.compress(" ".join(["dog"] * MAX_WORDS), max_words=2).errors == ()


def test_a_sentence_that_a_parser_refuses_stays_and_says_so() -> None:
    class Picky(Flat):
        def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
            if any("cat" in words for words in sentences):
                raise DataError("no cats")
            return super().parse(sentences)

    compressor = Compressor(learned("crf"), parser=Picky())
    result = compressor.compress("The dog barked. The cat slept. The man left.", max_words=5)
    assert [str(error) for error in result.errors] == ["no cats"]
    assert result.sentences[1].text == "The cat slept."
    assert (words_of(result), result.met) == (5, True)


def test_a_sentence_that_the_grammar_does_not_know_stays_and_says_so() -> None:
    compressor = Compressor(closed(), parser=Flat())
    result = compressor.compress("The dog barked.", max_words=1)
    assert result.text == "The dog barked."
    assert (len(result.errors), result.met) == (1, False)


def test_a_sentence_whose_every_version_drops_what_must_stay_stays_whole() -> None:
    rules = ["ROOT/ROOT -> (ROOT A[1] B[ε]) / (ROOT A[1])", "A/A -> (A a) / (A a)"]
    grammar = Grammar(tuple(map(parse_rule, [*rules, "B/ε -> (B b) / ε"])), np.zeros(3), np.ones(3))
    tree = parse_tree("(ROOT (A a) (B b))")

    class One:
        def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
            return [tree for _ in sentences]

    compressor = Compressor(Model(grammar, None, {}), parser=One())
    assert compressor.compress("a b").text == "a"
    result = compressor.compress("a b", keep=["b"])
    assert result.text == "a b"
    [error] = result.errors
    assert str(error) == "the model has no version of it that keeps what must be kept"


@pytest.mark.parametrize("model", MODELS)
def test_tokens_are_one_sentence_as_they_are(model: str) -> None:
    compressor = compressor_of(model)
    tokens = ["Dr.", "No", ".", "He", "could", "n't", "pay", "-LRB-", "much", "-RRB-", "!"]
    result = compressor.compress(tokens, rate=1.0)
    assert result.text == result.source == " ".join(tokens)
    assert result.tokens == tuple(tokens)
    assert len(result.sentences) == 1
    shorter = compressor.compress(tokens, max_words=4)
    assert words_of(shorter) <= 4
    assert [tokens[place] for place in shorter.kept]
    assert compressor.compress([], max_words=3).text == ""
    assert compressor.compress(["!"], max_chars=1).text == "!"


def test_grammar_gives_way_where_a_model_knows_no_better() -> None:
    rules = [
        "ROOT/ROOT -> (ROOT S[1]) / (ROOT S[1])",
        "S/S -> (S NP[1] VP[ε]) / (S NP[1])",
        "NP/NP -> (NP DT[1] NN[ε]) / (NP DT[1])",
        "DT/DT -> (DT the) / (DT the)",
        "NN/ε -> (NN dog) / ε",
        "VP/ε -> (VP VBZ[ε]) / ε",
        "VBZ/ε -> (VBZ barks) / ε",
    ]
    grammar = Grammar(tuple(map(parse_rule, rules)), np.zeros(7), np.ones(7))
    tree = parse_tree("(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))")

    class One:
        def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
            return [tree for _ in sentences]

    compressor = Compressor(Model(grammar, None, {}), parser=One())
    for limit in ({}, {"max_words": 1}, {"max_words": 2}):
        result = compressor.compress("the dog barks", **limit)
        assert (result.text, result.errors, result.met) == ("the", (), True)


@pytest.mark.parametrize("token", ["", " ", "New York", "\n"])
def test_a_token_with_white_space_is_an_error_of_its_text_alone(token: str) -> None:
    compressor = compressor_of("crf")
    texts = [["a", "dog"], ["a", token], "A dog."]
    first, second, third = compressor.compress_each(texts)
    assert isinstance(first, Compression)
    assert isinstance(third, Compression)
    assert str(second) == f"the token {token!r} is empty or holds white space"
    with pytest.raises(DataError, match="is empty or holds white space"):
        compressor.compress(["a", token])


@pytest.mark.parametrize("model", MODELS)
def test_demands_over_the_limit_are_an_error(model: str) -> None:
    compressor = compressor_of(model)
    text = "The dog barked in New York City. The cat slept in Paris."
    keep = ["New York City", "Paris"]
    cases = [
        ({"max_words": 3}, "(New York City Paris) has 4 words, the limit is 3"),
        ({"rate": 0.2}, "has 4 words, the limit is 2"),
        ({"max_chars": 18}, "has 19 characters, the limit is 18"),
        ({"max_tokens": 3}, "has 4 tokens, the limit is 3"),
        ({"max_tokens": 3, "tokenizer": str.split}, "has 4 tokens, the limit is 3"),
        ({"max_words": 2, "per": "sentence"}, "(New York City) has 3 words, the limit is 2"),
    ]
    for limit, message in cases:
        with pytest.raises(DataError, match="raise the limit or keep less") as caught:
            compressor.compress(text, **limit, keep=keep)  # type: ignore[arg-type]
        assert message in str(caught.value)
    for enough in ({"max_words": 4}, {"max_tokens": 6}, {"max_chars": 21}):
        result = compressor.compress(text, **enough, keep=keep)
        assert (result.text, result.met) == ("New York City. Paris.", True)
    for least in ({"max_tokens": 4}, {"max_chars": 19}):
        result = compressor.compress(text, **least, keep=keep)
        assert (result.text, result.met) == ("New York City. Paris.", False)


def test_a_contradiction_in_one_text_is_no_trouble_for_the_others() -> None:
    compressor = compressor_of("crf")
    request = Request(limit=Limit(max_words=2), keep=(Keep.parse("New York City"),))
    texts = ["The dog barked.", "I saw New York City.", "A cat slept."]
    first, second, third = compressor.compress_each(texts, request)
    assert isinstance(second, DataError)
    assert isinstance(first, Compression) and isinstance(third, Compression)
    assert first.met and third.met


def test_what_is_asked_for_must_make_sense() -> None:
    compressor = compressor_of("crf")
    with pytest.raises(UsageError, match="alternatives must not be negative, found -1"):
        compressor.compress("A dog.", alternatives=-1)
    with pytest.raises(UsageError, match="contradict each other"):
        compressor.compress("A dog.", rate=0.5, max_words=3)
    with pytest.raises(UsageError, match="keep /\\(/"):
        compressor.compress("A dog.", keep=["/(/"])
    with pytest.raises(UsageError, match="there is no model 'old'"):
        Compressor.load("old")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "limit",
    [{}, {"rate": 0.5}, {"max_words": 9, "per": "sentence"}, {"max_chars": 60}, {"max_tokens": 9}],
    ids=str,
)
def test_alternatives_differ_and_fit(model: str, limit: dict[str, Any]) -> None:
    compressor = compressor_of(model)
    asked = Limit(**limit)
    result = compressor.compress(
        NEWS, **limit, drop_sentences=False, alternatives=4, keep=["names"]
    )
    assert any(part.alternatives for part in result.sentences)
    for number, part in enumerate(result.sentences):
        others = part.alternatives
        assert len(others) <= 4
        texts = [part.text, *[other.text for other in others]]
        assert len(set(texts)) == len(texts)
        for other in others:
            assert any(map(is_word, other.text))
            assert other.tree is not None
            assert other.tree.words() == tuple(part.sentence.words[i] for i in other.kept)
            if asked.is_given and result.met:
                rest = [p.kept for p in result.sentences]
                rest[number] = other.kept
                assert fits(asked, result, number, other.text, rest)


def fits(
    limit: Limit, result: Compression, number: int, text: str, kept: Sequence[tuple[int, ...]]
) -> bool:
    """Whether a text is within its limit with one of its sentences replaced."""
    sentences = [part.sentence for part in result.sentences]
    scope = range(len(sentences)) if limit.per == "text" else [number]
    room = limit.room([sentences[place] for place in scope])
    if limit.unit == "words":
        words = [sentences[place].words[i] for place in scope for i in kept[place]]
        return sum(map(is_word, words)) <= room
    whole = result.text.replace(result.sentences[number].text, text, 1)
    return limit.measure(whole if limit.per == "text" else text) <= room


@pytest.mark.parametrize("model", ["crf", "em", "deletion"])
def test_the_same_comes_out_again_alone_and_in_any_batch(model: str) -> None:
    compressor = compressor_of(model, "embedded")
    texts = [*NEWS.split("\n\n"), "", "!!!", "It rains.", NEWS]
    request = Request(limit=Limit(rate=0.6), alternatives=2, explain=True)
    together = [plain(r) for r in compressor.compress_each(texts, request) if not error(r)]
    again = [plain(r) for r in compressor.compress_each(iter(texts), request) if not error(r)]
    backwards = [plain(r) for r in compressor.compress_each(texts[::-1], request) if not error(r)]
    alone = [
        plain(compressor.compress(text, rate=0.6, alternatives=2, explain=True)) for text in texts
    ]
    assert together == again == backwards[::-1] == alone


def error(result: Compression | DataError) -> bool:
    return isinstance(result, DataError)


def test_a_stream_is_read_no_further_than_need_be() -> None:
    taken = 0

    def texts() -> Any:
        nonlocal taken
        for taken in range(1, 1000):  # noqa: B007
            yield "A dog barked."

    results = compressor_of("crf").compress_each(texts())
    next(results)
    assert taken <= 64


def test_a_string_to_keep_is_one_demand() -> None:
    compressor = compressor_of("crf")
    for demand in ("numbers", Keep.parse("numbers")):
        found = compressor.compress(NEWS, rate=0.5, keep=demand)
        assert found.as_dict() == compressor.compress(NEWS, rate=0.5, keep=[demand]).as_dict()


@pytest.mark.parametrize("model", ["crf", "deletion"])
def test_threads_get_what_one_would(model: str) -> None:
    compressor = compressor_of(model, "embedded")
    texts = [f"{text} It was {number}." for number, text in enumerate(NEWS.split("\n\n") * 4)]
    expected = [compressor.compress(text, rate=0.5).as_dict() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: compressor.compress(text, rate=0.5).as_dict(), texts))
    assert found == expected


def test_a_model_of_a_file_is_the_same_model(tmp_path: Any) -> None:
    for name in ("crf", "deletion"):
        path = tmp_path / f"{name}.model"
        learned(name).save(path)
        loaded = Compressor.load(path)
        expected = compressor_of(name, "embedded").compress(NEWS, rate=0.6)
        assert plain(loaded.compress(NEWS, rate=0.6)) == plain(expected)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("limit", [{}, {"rate": 0.5}, {"max_chars": 60}, {"max_words": 99}])
def test_what_is_to_go_goes(model: str, limit: dict[str, Any]) -> None:
    compressor = compressor_of(model)
    gone = "Monday"
    result = compressor.compress(NEWS, **limit, drop=[gone, "zebra"])
    left = [result.tokens[place] for place in result.kept]
    assert gone not in left
    assert left
    assert [str(each) for each in result.unmatched_drops] == ["zebra"]


def test_a_text_within_its_limit_loses_only_what_is_to_go() -> None:
    compressor = compressor_of("crf", "embedded")
    text = "A big dog barks. It sleeps."
    assert compressor.compress(text, max_words=9, drop="big").text == "A dog barks. It sleeps."


def test_a_sentence_of_which_every_word_is_to_go_goes() -> None:
    compressor = compressor_of("crf", "embedded")
    result = compressor.compress("A big dog barks. It sleeps.", max_words=9, drop=["it sleeps"])
    assert result.text == "A big dog barks."
    assert [part.dropped for part in result.sentences] == [False, True]
    assert compressor.compress("It sleeps.", drop=["/./"]).text == ""


def test_what_must_stay_cannot_go() -> None:
    compressor = compressor_of("crf", "embedded")
    with pytest.raises(UsageError, match="'dog' is both to be kept and to be dropped"):
        compressor.compress("A dog.", keep="dog", drop="dog")
    request = Request(keep=(Keep.parse("dog"),), drop=(Drop.parse("/d.g/"),))
    first, second = compressor.compress_each(["A dog barks.", "A cat sleeps."], request)
    assert str(first) == "'dog' is both to be kept and to be dropped; keep less or drop less"
    assert isinstance(second, Compression)


@pytest.mark.parametrize("model", MODELS)
def test_what_is_remembered_changes_nothing(model: str) -> None:
    plain_one = compressor_of(model)
    remembering = Compressor(learned(model), parser=parser_of("branching"), remember=3)
    for limit in ({"rate": 0.8}, {"rate": 0.5}, {"max_words": 9}, {"max_chars": 90}, {}):
        for demands in ({}, {"keep": "numbers"}, {"drop": "Monday"}, {"faithful": "strict"}):
            asked: dict[str, Any] = {**limit, **demands, "explain": True, "alternatives": 2}
            expected = plain(plain_one.compress(NEWS, **asked))
            assert plain(remembering.compress(NEWS, **asked)) == expected
