"""Models of rules: what comes out, why, and their files."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.translation.syntax.toy import STRANGE, STRINGS, TREE, TREES, grammar, model
from treewright.errors import DataError, ModelFileError, Problems, UsageError
from treewright.modelfile import read_mapped_model, write_model
from treewright.parsing import Parser
from treewright.translation import (
    Casing,
    Fixed,
    Input,
    RuleModel,
    RuleTranslator,
    SyntaxFeatures,
    open_translator,
)
from treewright.translation.syntax.model import KIND
from treewright.trees import Tree, parse_tree


class Fake:
    """A parser that knows one tree."""

    def parse(self, sentences):
        for words in sentences:
            if tuple(words) != TREE.words():
                raise DataError("not that one", where="sentence 1")
        return [TREE for _ in sentences]


def rule_model(text: str = STRINGS, **changes) -> RuleModel:
    rules = grammar(text)
    features = SyntaxFeatures(rules.feature_names)
    casings = [Casing.learn("cased", []) for _ in range(2)]
    return RuleModel(rules, model(), features.start(), *casings, **changes)


def translator(text: str = STRINGS, parser: Parser | None = None, **changes) -> RuleTranslator:
    return RuleTranslator(rule_model(text, **changes), parser=parser or Fake())


def test_a_sentence_is_parsed_and_translated() -> None:
    best, *others = translator()(TREE.words(), nbest=5)
    assert best.words == ("der", "Mann", "hat", "das", "Haus", "gesehen")
    assert len({each.words for each in others}) == len(others) == 4
    assert [each.score for each in others] == sorted((e.score for e in others), reverse=True)


def test_the_features_of_the_steps_add_up_to_the_score() -> None:
    made = translator()
    weights = made.model.features.named(made.model.weights)
    for tree in (TREE, STRANGE):
        for best in made.translate_trees([tree], nbest=3):
            total = {name: sum(step.features[name] for step in best.steps) for name in weights}
            assert total == pytest.approx(best.features, abs=1e-5)
            assert best.score == pytest.approx(
                sum(weights[name] * value for name, value in total.items()), abs=1e-5
            )


def test_steps_draw_the_rules_on_the_tree() -> None:
    [best] = translator().translate_trees([TREE])
    shown = [(step.kind, step.label, step.start, step.end, step.depth) for step in best.steps]
    assert shown == [
        ("rule", "S", 0, 5, 0),
        ("rule", "NP", 0, 2, 1),
        ("rule", "NN", 1, 2, 2),
        ("rule", "NP", 3, 5, 1),
    ]
    assert best.steps[0].rule.startswith('S/"" -> (S NP[1] (VP (VBD saw) NP[2]))')
    assert best.steps[0].words == ("hat", "gesehen")


def test_what_has_no_rule_says_so() -> None:
    [best] = translator().translate_trees([STRANGE])
    kinds = {(step.kind, step.label) for step in best.steps}
    assert ("copy", "JJ") in kinds
    assert ("glue", "PP") in kinds
    assert "Big" in best.words


def test_rules_with_trees_give_a_tree() -> None:
    [best] = translator(TREES).translate_trees([TREE])
    assert best.tree is not None
    assert best.tree.words() == best.words
    assert best.tree == parse_tree(
        "(S (NP (ART der) (NN Mann)) (VP (VV sah) (NP (ART das) (NN Haus))))"
    )
    [strange] = translator(TREES).translate_trees([STRANGE])
    assert strange.tree is not None
    assert strange.tree.words() == strange.words


@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
def test_a_wide_node_is_one_step(text: str) -> None:
    tree = Tree("S", [*TREE.children, *TREE.children, *TREE.children[:1] * 3])
    made = translator(text)
    [best] = made.translate_trees([tree])
    assert [step.kind for step in best.steps if step.depth == 0] == ["glue"]
    assert sum(step.depth == 1 for step in best.steps) == 7
    assert sum(best.steps[0].features.values()) != 1.0
    total = sum(np.array(list(step.features.values())) for step in best.steps)
    assert total == pytest.approx(list(best.features.values()), abs=1e-5)
    if best.tree is not None:
        assert best.tree.words() == best.words


def test_words_are_cased_as_the_model_knows_them() -> None:
    made = rule_model()
    lower = replace(made, source_casing=Casing.learn("lower", []))
    shouted = parse_tree("(S (NP (DT THE) (NN Man)) (VP (VBD saw) (NP (DT the) (NN House))))")
    [best] = RuleTranslator(lower, parser=Fake()).translate_trees([shouted])
    assert best.words == ("der", "Mann", "hat", "das", "Haus", "gesehen")


def test_trees_are_binarised_as_the_rules_were() -> None:
    made = rule_model(binarize="left")
    flat = Tree("NP", [Tree("DT", word="the"), Tree("JJ", word="x"), Tree("NN", word="house")])
    assert str(made.prepare(flat)) == "(NP (NP~ (DT the) (JJ x)) (NN house))"


def test_trees_of_another_parser_are_refused() -> None:
    other = parse_tree("(Satz (A the) (N man) (V saw) (A the) (N house))")
    with pytest.raises(DataError, match=r"knows a label of the tree \(A, N, Satz, V\).* embedded"):
        translator().translate(Input(other.words(), trees=(other,)), 1)
    both = Input(other.words(), trees=(other, TREE))
    assert translator().translate(both, 1) == translator().translate_trees([TREE])


def test_a_sentence_of_unknown_words_is_translated_all_the_same() -> None:
    """The parser's labels are right, even if no rule has them."""
    tree = parse_tree("(ROOT (INTJ (UH wow)))")

    class Surprised:
        def parse(self, sentences):
            return [tree for _ in sentences]

    [best] = translator(parser=Surprised())(["wow"])
    assert best.words == ("wow",)


@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
def test_deep_derivations_are_no_problem(text: str) -> None:
    flat = Tree("S", [Tree("NN", word="zzz")] * 400)
    made = translator(text, binarize="left")
    [best] = made.translate_trees([flat])
    assert best.words == ("zzz",) * 400
    if best.tree is not None:
        assert best.tree == Tree("X", [Tree("X", word="zzz")] * 400)


def test_a_tree_has_the_words_of_its_translation() -> None:
    made = rule_model(TREES)
    cased = replace(made, target_casing=Casing.learn("lower", [["Der", "Mann"]] * 3))
    [best] = RuleTranslator(cased, parser=Fake()).translate_trees([TREE])
    assert best.tree is not None
    assert best.tree.words() == best.words
    assert best.words[0] == "Der"


def test_trees_need_no_parser() -> None:
    made = RuleTranslator(rule_model(parser="none"))
    assert made.translate_trees([TREE])
    with pytest.raises(UsageError, match="unknown parser 'none'"):
        made(TREE.words())


def test_a_bad_sentence_costs_its_line_only() -> None:
    inputs = [Input(("odd",), where="f:1"), Input(TREE.words()), Input(())]
    problems = Problems()
    found = list(translator().stream(inputs, problems=problems))
    assert [len(best) for _, best in found] == [0, 1, 0]
    assert len(problems.errors) == 1


def test_spans_cannot_be_fixed() -> None:
    given = Input(TREE.words(), (Fixed(0, 1, ("das",)),))
    with pytest.raises(UsageError, match="cannot fix"):
        translator().translate(given, 1)


def test_a_saved_model_translates_alike(tmp_path: Path) -> None:
    made = rule_model(TREES, parser="benepar", binarize="right", metadata={"learner": "ghkm"})
    made.save(tmp_path / "m")
    again = RuleModel.load(tmp_path / "m")
    assert (again.parser, again.binarize) == ("benepar", "right")
    assert again.metadata == {"learner": "ghkm"}
    assert np.array_equal(again.weights, made.weights)
    found = [RuleTranslator(each, parser=Fake()).translate_trees([TREE]) for each in (made, again)]
    assert found[0] == found[1]
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_models_are_opened_by_their_kind(tmp_path: Path) -> None:
    rule_model().save(tmp_path / "m")
    opened = open_translator(tmp_path / "m", {"beam": 7}, parser="benepar")
    assert isinstance(opened, RuleTranslator)
    assert opened.decoder.search.beam == 7
    with pytest.raises(UsageError, match="no setting stack; it has beam, pops, unknown"):
        open_translator(tmp_path / "m", {"stack": 7})
    model().save(tmp_path / "lm")
    with pytest.raises(ModelFileError, match="kind lm; expected one that translates"):
        open_translator(tmp_path / "lm")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": {}}, "missing"),
        ({"binarize": "up"}, "way to binarise"),
        ({"search": {"beam": -1}}, "at least 0"),
        ({"parser": None, "search": {"speed": 1}}, "speed"),
    ],
)
def test_a_damaged_model_is_refused(tmp_path: Path, change: dict, message: str) -> None:
    rule_model().save(tmp_path / "m")
    parts, metadata = read_mapped_model(tmp_path / "m", kind=KIND, known=("*",))
    about = json.loads(bytes(parts["model.json"])) | change
    changed = {name: bytes(part) for name, part in parts.items()}
    changed["model.json"] = json.dumps(about).encode()
    write_model(tmp_path / "bad", kind=KIND, parts=changed, metadata=metadata)
    with pytest.raises(ModelFileError, match=message):
        RuleModel.load(tmp_path / "bad")


def test_a_model_without_a_part_is_refused(tmp_path: Path) -> None:
    rule_model().save(tmp_path / "m")
    with zipfile.ZipFile(tmp_path / "m") as archive:
        assert "model.json" in archive.namelist()
    parts, metadata = read_mapped_model(tmp_path / "m", kind=KIND, known=("*",))
    kept = {name: bytes(part) for name, part in parts.items() if not name.startswith("lm/")}
    write_model(tmp_path / "bad", kind=KIND, parts=kept, metadata=metadata)
    with pytest.raises(ModelFileError, match="cannot be read"):
        RuleModel.load(tmp_path / "bad")
