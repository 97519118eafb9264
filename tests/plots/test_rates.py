"""Rate curves: the numbers are those of a corpus budget, and the picture shows the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treewright.compression import Limit, Rewriter, score_model
from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.evaluation import evaluate
from treewright.grammar import FlatUnseen, Grammar
from treewright.plots import as_table, as_tsv, draw_rates, measure, summarise
from treewright.plots.rates import DECODED, GOLD
from treewright.pruning import Model, StepPruning

from ..compression.toys import LONG, SHORT, STRANGE, closed, sample_model, sample_pairs
from .toys import row

RATES = (0.4, 0.65, 0.9)


def test_every_rate_is_what_a_corpus_budget_gives() -> None:
    pairs = sample_pairs("test")
    curve = measure(sample_model(), pairs, RATES, target=0)
    decoded, gold = score_model(sample_model(), pairs, target=0)
    assert np.array_equal(curve.decoded.table, decoded.table)
    assert np.array_equal(curve.gold.table, gold.table)
    assert list(curve.at) == list(RATES)
    for rate, found in curve.at.items():
        rewriter = Rewriter(model=sample_model(), limit=Limit(rate=rate))
        outputs = [r.best and r.best.tree for r in rewriter(pair.source for pair in pairs)]
        assert np.array_equal(found.table, evaluate(outputs, pairs).table)
        assert found.signature == decoded.signature


def test_least_risk_is_measured_of_models_without_rules_too() -> None:
    pairs = sample_pairs("test")
    unseen = FlatUnseen({}, {}, (-0.1, -2.0))
    model = Model(Grammar.from_counts({}), unseen, {}, StepPruning({}))
    curve = measure(model, pairs, [0.65], decode="mbr")
    rewriter = Rewriter(model=model, limit=Limit(rate=0.65), decode="mbr")
    outputs = [r.best and r.best.tree for r in rewriter(pair.source for pair in pairs)]
    assert np.array_equal(curve.at[0.65].table, evaluate(outputs, pairs).table)


def test_rates_out_of_reach_show_what_was_reached() -> None:
    pair = Pair("1", LONG, SHORT)
    curve = measure(closed(), [pair], [0.1, 1.0])
    assert curve.at[0.1].total("words_system") == 3
    assert curve.at[1.0].total("words_system") == 4


def test_sentences_without_an_output_are_missing() -> None:
    pairs = [Pair("1", LONG, SHORT), Pair("2", STRANGE, STRANGE)]
    problems = Problems()
    curve = measure(closed(), pairs, [0.8], problems=problems)
    assert len(problems.errors) == 1
    assert [found.total("missing") for found in (curve.decoded, curve.gold, curve.at[0.8])] == [
        1
    ] * 3
    with pytest.raises(DataError):
        measure(closed(), pairs, [0.8])


def test_a_rate_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"rate must be above 0 and at most 1, found 1\.5"):
        measure(closed(), [Pair("1", LONG, SHORT)], [1.5])


def test_runs_of_one_name_are_averaged() -> None:
    pairs = sample_pairs("test")
    one = measure(sample_model(), pairs, RATES, name="A")
    two = measure(replace(sample_model(), pruning=None), pairs, RATES, name="A")
    other = measure(sample_model(), pairs, RATES, name="B")
    rows = summarise([one, two, other])
    assert [row.system for row in rows] == ["A"] * 5 + ["B"] * 5
    assert [row.point for row in rows[:5]] == [DECODED, GOLD, *RATES]
    scores = [run.at[0.4].score("relation_f1") for run in (one, two)]
    assert rows[2].mean["relation_f1"] == pytest.approx(np.mean(scores))
    assert rows[2].spread is not None
    assert rows[2].spread["relation_f1"] == pytest.approx(np.std(scores, ddof=1))
    assert (rows[2].runs, rows[7].runs, rows[7].spread) == (2, 1, None)


ROWS = [
    row("GS", DECODED, 0.5, rate=0.62, runs=3),
    row("GS", GOLD, 0.48, rate=0.6, runs=3),
    row("GS", 0.4, 0.3, rate=0.4, runs=3),
    row("GS", 0.8, 0.6, rate=0.79, runs=3),
    row("E\tM", DECODED, 0.4, rate=0.55),
    row("E\tM", GOLD, 0.41, rate=0.6),
    row("E\tM", 0.4, 0.2, rate=0.4),
    row("E\tM", 0.8, 0.5, rate=0.8),
]


def test_the_picture_shows_the_rows_where_the_outputs_are() -> None:
    figure = draw_rates(ROWS, 0.6, title="dev")
    assert len(figure.axes) == 3
    for panel, more in zip(figure.axes, (0, 10, 20), strict=True):
        gold, gs, gs_decoded, em, em_decoded, *_ = panel.get_lines()
        assert np.allclose(gold.get_xdata(), 60)
        # The point at the gold rate lies on the line, in its place.
        assert np.allclose(gs.get_xdata(), [40, 60, 79])
        assert np.allclose(gs.get_ydata(), np.array([30, 48, 60]) + more)
        assert np.allclose(em.get_ydata(), np.array([20, 41, 50]) + more)
        assert np.allclose([gs_decoded.get_xdata(), gs_decoded.get_ydata()], [[62], [50 + more]])
        assert np.allclose([em_decoded.get_xdata(), em_decoded.get_ydata()], [[55], [40 + more]])
        [band] = panel.collections
        heights = band.get_paths()[0].vertices[:, 1]
        width = 1 + more / 10
        assert heights.min() == pytest.approx(30 + more - width)
        assert heights.max() == pytest.approx(60 + more + width)
    [legend] = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["references, 60.0 %", "GS, mean of 3 ± s.d.", "E\tM", "as decoded"]


def test_the_numbers_as_tsv_and_as_a_table() -> None:
    lines = [line.split("\t") for line in as_tsv(ROWS)]
    assert {len(line) for line in lines} == {11}
    assert lines[0][:4] == ["system", "point", "runs", "word_rate"]
    means, spreads = [0.62, 0.5, 0.6, 0.7], [0.0, 0.01, 0.02, 0.03]
    assert lines[1][:3] == ["GS", "as decoded", "3"]
    assert [float(cell) for cell in lines[1][3:]] == [*means, *spreads]
    assert lines[7][:2] == ["E M", "0.4"]
    assert lines[7][-4:] == [""] * 4
    assert as_table(ROWS, title="t").row_count == len(ROWS)
