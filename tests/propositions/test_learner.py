from __future__ import annotations

import math

import pytest

from tests.propositions.toys import THREW, gathered, trees
from treewright.errors import DataError, ModelFileError
from treewright.propositions import (
    Enricher,
    Gathered,
    PropositionLearner,
    PropositionModel,
    RoleFinder,
    extract,
    load_model,
    paper,
    questions,
    read_tree,
    save_model,
)
from treewright.propositions.classes import ClassSettings
from treewright.trees import parse_tree


@pytest.fixture(scope="module", params=["slots", "chain", "paper"])
def model(request: pytest.FixtureRequest) -> PropositionModel:
    if request.param == "paper":
        return paper().fit(gathered()).model_
    learner = PropositionLearner(structure=request.param, classes=ClassSettings(entities=1))
    return learner.fit(gathered()).model_


def test_the_papers_example_becomes_its_propositions(model: PropositionModel) -> None:
    instances = extract(parse_tree(THREW), ("NVN", "NVNPN"))
    assert [model.propositions(instance)[0].classes for instance in instances] == [
        ("quarterback", "throw", "pass"),
        ("quarterback", "throw", "pass", "to", "receiver"),
    ]


def test_unknown_names_get_their_classes_from_context(model: PropositionModel) -> None:
    tree = parse_tree(THREW.replace("Steve", "Jane").replace("Michael", "Ann"))
    (instance,) = extract(tree, ("NVNPN",))
    (found, *others) = model.propositions(instance, 3)
    assert found.classes == ("quarterback", "throw", "pass", "to", "receiver")
    assert found.known == (False, True, True, True, False)
    scores = [found.log_prob, *(one.log_prob for one in others)]
    assert scores == sorted(scores, reverse=True)
    assert len({one.classes for one in (found, *others)}) == 1 + len(others)


def test_likelihood_rises() -> None:
    learner = PropositionLearner(classes=ClassSettings(entities=1)).fit(gathered())
    assert learner.chain.log_likelihoods_[-1] >= learner.chain.log_likelihoods_[1]


def test_a_saved_model_is_the_same(model: PropositionModel, tmp_path) -> None:
    path = tmp_path / "m.model"
    save_model(model, path)
    again = load_model(path)
    for tree in trees():
        for instance in extract(tree, model.shapes):
            assert again.propositions(instance, 2) == model.propositions(instance, 2)
    words, names = ("Steve_Young", "throw", "pass"), (True, False, False)
    assert again.log_sense(words, names) == model.log_sense(words, names)
    assert again.evidence == model.evidence
    second = tmp_path / "n.model"
    save_model(again, second)
    assert second.read_bytes() == path.read_bytes()


def test_evidence_says_where_in_its_sentences_it_is(model: PropositionModel) -> None:
    wanted = ("Steve_Young", "throw", "pass", "to", "Michael_Holt")
    (one,) = (one for one in model.evidence.instances if one.words == wanted)
    ((place, spans),) = one.seen_in
    text = model.evidence.texts[place][1]
    assert [text[start:end] for start, end in spans] == [
        "Steve Young",
        "threw",
        "pass",
        "to",
        "Michael Holt",
    ]


def test_another_file_is_no_model(tmp_path) -> None:
    path = tmp_path / "x.model"
    path.write_text("no model")
    with pytest.raises(ModelFileError):
        load_model(path)


def test_text_without_instances_says_so() -> None:
    empty = Gathered()
    empty.add("1", "No verb .", read_tree(parse_tree("(ROOT (FRAG (NP (DT No) (NN verb)) (. .)))")))
    with pytest.raises(DataError, match="no instances"):
        PropositionLearner().fit(empty)


def test_one_sentence_with_unknown_names_only() -> None:
    model = PropositionLearner().fit(gathered((THREW,))).model_
    (best, *_) = model.propositions(extract(parse_tree(THREW))[0])
    assert math.isfinite(best.log_prob)
    assert best.known[0] is False


def test_roles(model: PropositionModel) -> None:
    finder = RoleFinder(model)
    assert finder.rank(parse_tree(THREW), 0, 1)[0] == "quarterback"
    unknown = parse_tree(THREW.replace("Steve", "Jane"))
    assert set(finder.rank(unknown, 0, 1)) >= {"quarterback", "receiver"}


def test_enrichment_finds_the_verb(model: PropositionModel) -> None:
    tree = parse_tree("(ROOT (NP (NP (NNP Young)) (PP (TO to) (NP (NNP Holt)))))")
    (best, *_) = Enricher(model).enrich(tree)
    assert best.instance == ("Young", "throw", "pass", "to", "Holt")
    assert best.support == 3
    assert Enricher(model).enrich(parse_tree("(ROOT (NP (DT no) (NN name)))")) == []


def test_statements_to_judge(model: PropositionModel) -> None:
    rows = list(questions(model, top=2, drawn=1, seed=1))
    assert "Quarterbacks can throw passes." in {row["text"] for row in rows}
    assert rows == list(questions(model, top=2, drawn=1, seed=1))
    assert len({row["id"] for row in rows}) == len(rows)
