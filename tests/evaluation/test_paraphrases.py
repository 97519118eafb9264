from __future__ import annotations

import importlib.util
import json
import random

import pytest

from treewright.errors import ParseError
from treewright.evaluation.paraphrases import (
    Judged,
    average_precision,
    precision_of_best,
    read_gold,
    read_judgements,
    read_paraphrases,
    read_phrases,
    score_paraphrases,
    substitution_scores,
)


def test_expected_precision_is_the_mean_of_shares_over_covered_phrases():
    shares = {"b": Judged(1.0, 0.5), "c": Judged(0.5, 0.0, True), "d": Judged(0.0, 0.0)}
    output = {"a": ["b", "c", "d"], "x": ["b", "b", "x"], "y": []}
    scores = score_paraphrases(
        output, ["a", "x", "y"], lambda _, text: shares.get(text, shares["d"])
    )
    assert scores.coverage == pytest.approx(2 / 3)
    assert scores.precision("lenient", 1) == 1.0
    assert scores.precision("lenient", 5) == pytest.approx((1.5 / 5 + 1 / 5) / 2)
    assert scores.precision("lenient_nr", 5) == pytest.approx(1 / 5)
    assert scores.precision("strict", 1, over_all=True) == pytest.approx(1 / 3)
    assert scores.redundancy == pytest.approx(1 / 6)


def test_judgements_of_people_are_shares_of_answers(tmp_path):
    path = tmp_path / "judged.jsonl"
    rows = [
        {"phrase": "were losing", "text": "lost", "answers": [2, 1, 0, 2], "redundant": True},
        {"phrase": "were losing", "text": "won", "answers": [0]},
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    judge = read_judgements(path)
    assert judge("Were losing", "lost") == Judged(0.75, 0.5, True)
    assert judge("were losing", "unjudged") == Judged(0.0, 0.0)
    path.write_text('{"phrase": "a", "text": "b", "answers": [3]}\n')
    with pytest.raises(ParseError, match="answers"):
        read_judgements(path)


def test_average_precision_takes_equal_scores_as_a_block():
    assert average_precision([(3, True), (2, False), (1, True)]) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([(1, True), (1, False)]) == pytest.approx(0.5)
    assert average_precision([(1, False)]) == 0
    assert precision_of_best([(n, n > 17) for n in range(20)]) == 1.0


def test_substitution_scores_are_shares_of_the_annotators_choices():
    gold = {"1": {"a": 3, "b": 1}, "2": {"c": 2}}
    assert substitution_scores({"1": ["a", "x", "a"]}, gold) == (0.375, 0.375)
    assert substitution_scores({}, {}) == (0.0, 0.0)


@pytest.mark.filterwarnings("ignore")  # the scorer leaves its files open
def test_the_automatic_judge_agrees_with_the_published_scorer(data, tmp_path):
    folder = data / "paraphrase"
    spec = importlib.util.spec_from_file_location("oracle", folder / "score.py")
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    phrases, gold = oracle.load("dev", ("ppdb",))
    draw = random.Random(5)
    others = [*phrases, *(f"did not {verb}" for verb in gold), *(f"was {verb} by" for verb in gold)]
    rows = []
    for phrase in phrases:
        items = [{"text": text, "score": draw.random()} for text in draw.sample(others, 30)]
        items += [{"text": other, "score": 2.0} for other in sorted(gold.get(phrase, ()))[:2]]
        rows.append({"phrase": phrase, "paraphrases": items if draw.random() < 0.9 else []})
    path = tmp_path / "output.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    judge = read_gold(folder / "gold.dev.json", folder / "verb-forms.tsv", ["ppdb"])
    expected, pairs = oracle.score(
        oracle.read_output(path), phrases, oracle.Judge(oracle.Verbs(), gold)
    )
    found = score_paraphrases(
        read_paraphrases(path), read_phrases(folder / "phrases.dev.jsonl"), judge
    ).to_dict()
    assert found == pytest.approx(expected)
    assert sum(lenient for _, _, lenient, _, _ in pairs) > 50
