import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from treewright import __version__
from treewright.corpora import Pair, read_records
from treewright.errors import DataError, UsageError
from treewright.evaluation import (
    ceiling,
    copy_all,
    evaluate,
    evaluate_all,
    score_table,
)
from treewright.trees import parse_tree

from .toys import PAIRS, SOURCE, TARGET, chain

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "compression"


def test_gold_outputs_score_one() -> None:
    evaluation = evaluate([pair.target for pair in PAIRS], PAIRS, relations=chain)
    assert evaluation.relations.f1 == evaluation.tokens.f1 == evaluation.score("exact_match") == 1.0
    assert evaluation.score("word_rate") == evaluation.score("gold_word_rate") == 10 / 11


def test_relations_are_compared_on_words_not_positions() -> None:
    [row] = evaluate([SOURCE], [PAIRS[0]], relations=chain).rows()
    # barks←dog and .←barks are in both; the←big and big←dog are not in the target, the←dog is not
    # in the source.
    assert (row["relations_matched"], row["relations_system"], row["relations_reference"]) == (
        2,
        4,
        3,
    )
    assert (row["words_matched"], row["words_system"], row["words_reference"]) == (3, 4, 3)
    assert row["relation_f1"] == pytest.approx(4 / 7)
    assert row["token_f1"] == pytest.approx(6 / 7)
    assert (row["exact"], row["missing"], row["id"]) == (0, 0, "1")


def test_scores_are_micro_averages_and_rates_ratios_of_sums() -> None:
    evaluation = evaluate([TARGET, TARGET, TARGET], PAIRS, relations=chain)
    assert evaluation.relations.matched == 3 + 3 + 2
    assert evaluation.relations.f1 == pytest.approx(2 * 8 / (9 + 10))
    assert evaluation.score("relation_f1") == pytest.approx(evaluation.relations.f1)
    assert evaluation.score("token_f1") == pytest.approx(evaluation.tokens.f1)
    assert evaluation.score("word_rate") == pytest.approx(9 / 11)
    assert evaluation.score("token_rate") == pytest.approx(12 / 14)
    assert evaluation.score("gold_token_rate") == pytest.approx(13 / 14)


def test_the_head_of_the_sentence_is_no_relation() -> None:
    def with_root(tree):  # type: ignore[no-untyped-def]
        return [("root", 0, 1), *chain(tree)]

    plain = evaluate([SOURCE], [PAIRS[0]], relations=chain)
    rooted = evaluate([SOURCE], [PAIRS[0]], relations=with_root)
    assert np.array_equal(plain.table, rooted.table)


def test_a_missing_output_is_an_empty_one_and_is_reported() -> None:
    evaluation = evaluate([None, TARGET, None], PAIRS, relations=chain)
    assert evaluation.total("missing") == 2
    assert evaluation.as_dict()["missing"] == 2
    assert evaluation.relations.system == 3
    assert evaluation.score("word_rate") == pytest.approx(3 / 11)


@pytest.mark.parametrize(("number", "message"), [(2, "2 outputs for 3"), (5, "5 outputs for 3")])
def test_unlike_lengths_are_an_error_with_both_counts(number: int, message: str) -> None:
    with pytest.raises(DataError, match=f"^out.trees: {message} pairs; give one line for each"):
        evaluate([None] * number, iter(PAIRS), name="out.trees", relations=chain)


def test_no_pairs_and_no_systems_are_errors() -> None:
    with pytest.raises(DataError, match="no pairs to evaluate against"):
        evaluate([], [], relations=chain)
    with pytest.raises(UsageError, match="no system"):
        evaluate_all({}, PAIRS, relations=chain)


def test_the_signature_names_what_was_measured() -> None:
    first = evaluate([None] * 3, PAIRS, relations=chain, target=1).signature
    assert first.startswith(f"treewright:{__version__}|relations:stanford-basic|target:1|n:3|data:")
    assert first == evaluate(copy_all(PAIRS), PAIRS, relations=chain, target=1).signature
    changed = [*PAIRS[:2], Pair("3", SOURCE, TARGET)]
    assert first != evaluate([None] * 3, changed, relations=chain, target=1).signature


def test_several_systems_share_one_pass_and_one_table() -> None:
    systems = {"copy": copy_all(PAIRS), "ceiling": ceiling(PAIRS), "none": [None] * 3}
    evaluations = evaluate_all(systems, iter(PAIRS), relations=chain)
    assert [e.name for e in evaluations] == list(systems)
    assert evaluations[0].score("word_rate") == 1.0
    assert evaluations[1].score("exact_match") == 1.0
    console = Console(width=120, file=io.StringIO())
    console.print(score_table(evaluations, title="toys"))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for expected in (
        "toys",
        "RelF1",
        "Word rate",
        "Missing",
        "ceiling",
        "100.0",
        "reference",
        "data:",
    ):
        assert expected in text
    json.dumps([e.as_dict() for e in evaluations])
    json.dumps(list(evaluations[0].rows()))


def test_an_unknown_metric_lists_the_choices() -> None:
    evaluation = evaluate([None] * 3, PAIRS, relations=chain)
    with pytest.raises(UsageError, match=r"unknown metric 'bleu'; choose one of: .*relation_f1"):
        evaluation.score("bleu")


def test_punctuation_counts_as_tokens_only() -> None:
    pair = Pair("1", parse_tree("(S (X a) (, ,) (: --))"), parse_tree("(S (X a))"))
    evaluation = evaluate([pair.source], [pair], relations=chain)
    assert evaluation.tokens.f1 == 1.0
    assert evaluation.score("exact_match") == 0.0
    assert evaluation.score("gold_word_rate") == 1.0
    assert evaluation.score("gold_token_rate") == pytest.approx(1 / 3)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no real data in {DATA}")
def test_known_figures_of_the_broadcast_dev_part() -> None:
    """Figures that an independent scorer gave (data README), within the converters' differences."""
    pytest.importorskip("treewright.trees.relations")
    records = list(read_records(DATA / "broadcast.dev.jsonl"))
    pairs = [record.pair(1) for record in records]
    systems = {
        "copy": copy_all(pairs),
        "first": [record.targets[0] for record in records],
        "third": [record.targets[2] for record in records],
        "ceiling": ceiling(pairs),
    }
    evaluations = evaluate_all(systems, pairs, target=1)
    assert [100 * e.relations.f1 for e in evaluations] == pytest.approx(
        [61.7, 70.7, 68.6, 86.6], abs=1.0
    )
    assert 100 * evaluations[0].score("gold_token_rate") == pytest.approx(63.0, abs=0.05)
