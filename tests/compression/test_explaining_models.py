"""Compressors that explain themselves, whatever their model, and runners-up that fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import pytest

from treewright.compression import Compressor, Limit
from treewright.compression.models import AnyModel
from treewright.grammar import Grammar
from treewright.learning import CRF, SVM, VB, Deletion
from treewright.pruning import Model, StepPruning
from treewright.trees import Tree, parse_tree

from .test_explaining import FREE
from .toys import sample_model, sample_pairs, sample_sources


class Known:
    """A parser that looks trees up."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        known = {tree.words(): tree for tree in sample_sources()}
        return [known[tuple(words)] for words in sentences]


@cache
def learned(name: str) -> AnyModel:
    pairs = sample_pairs("train")
    if name == "crf":
        return CRF(iterations=5).fit(pairs).model_
    if name == "crf with rules":
        return CRF(iterations=5, rules=True).fit(pairs).model_
    if name == "svm":
        return SVM(rounds=2).fit(pairs).model_
    if name == "vb":
        return VB(iterations=3).fit(pairs).model_
    if name == "deletion":
        return Deletion(bits=16, epochs=3).fit(pairs).model_
    return sample_model()


@pytest.mark.parametrize("name", ["crf", "crf with rules", "svm", "em", "vb", "deletion"])
def test_every_kind_of_model_explains_itself(name: str) -> None:
    compressor = Compressor(learned(name), parser=Known())
    for tree in sample_sources()[:4]:
        result = compressor.compress(tree.words(), rate=0.5, explain=True, alternatives=2)
        [part] = result.sentences
        assert part.deletions
        gone = [place for deletion in part.deletions for place in deletion.tokens]
        assert set(gone).isdisjoint(part.kept)
        for deletion in part.deletions:
            assert (deletion.rule is None) == (name == "deletion")
            assert (deletion.probability is None) == (name in ("deletion", "svm"))
        # Grammar may leave no version that keeps something and is as short.
        assert any(deletion.runner_up is not None for deletion in part.deletions)
        values = result.as_dict(explain=True)
        assert json.loads(json.dumps(values, allow_nan=False)) == values
        [sentence] = values["sentences"]
        assert sentence["source"] == result.source
        assert sentence["source_tree"] == str(tree)
        assert sentence["deletions"] == [deletion.as_dict() for deletion in part.deletions]
        assert len(sentence["alternatives"]) <= 2


def test_nothing_is_explained_unasked() -> None:
    compressor = Compressor(learned("em"), parser=Known())
    result = compressor.compress(sample_sources()[0].words(), rate=0.5)
    assert result.sentences[0].deletions == ()
    assert "sentences" not in result.as_dict()


@pytest.mark.parametrize("per", ["text", "sentence"])
@pytest.mark.parametrize("unit", ["max_words", "max_chars"])
def test_a_runner_up_fits_in_place_of_what_was_chosen(unit: str, per: str) -> None:
    compressor = Compressor(learned("crf"), parser=Known())
    text = " ".join(" ".join(tree.words()) for tree in sample_sources()[:2])
    for most in (8, 12, 40, 70):
        result = compressor.compress(text, per=per, explain=True, **{unit: most})  # type: ignore[arg-type]
        limit = Limit(per=per, **{unit: most})  # type: ignore[arg-type]
        for part in result.sentences:
            rest = result.text.replace(part.text, "", 1) if per == "text" else ""
            for deletion in part.deletions:
                rival = deletion.runner_up
                if rival is not None and result.met:
                    assert limit.measure(rest) + limit.measure(rival.text) <= most


def test_a_runner_up_may_use_the_room_that_is_left() -> None:
    tree = parse_tree(
        "(S (ADVP (RB again)) (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB now))))"
    )
    likely = {("frame0",): -4.0}
    likely |= {("frame5", "ADVP", before): 8.0 for before in ("kept", "first")}
    model = Model(Grammar.from_counts({}), FREE, {}, StepPruning(likely))

    class One:
        def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
            return [tree for _ in sentences]

    compressor = Compressor(model, parser=One())
    result = compressor.compress(tree.words(), max_chars=20, explain=True)
    assert result.text == "the dog barks"
    rivals = [deletion.runner_up for deletion in result.sentences[0].deletions]
    assert [rival and rival.text for rival in rivals] == [
        "again the dog barks",
        "the dog barks now",
    ]
