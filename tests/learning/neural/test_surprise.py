"""Surprises: their file, what is learned from them, and what stays as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.errors import DataError, UsageError
from treewright.learning.neural import SurpriseLearner, Surprises, read_surprises
from treewright.pruning.encoded import SEAM, SURPRISE, EncodedPruning, number_labels
from treewright.trees import TreeTable, parse_tree

from ...pruning.encoded.toys import random_pruning

torch = pytest.importorskip("torch")

SENTENCES = [
    "(S (NP (N a) (N b)) (VP (N c) (NP (N d) (N e))))",
    "(S (NP (N b)) (VP (N c) (NP (N a) (N d) (N e))))",
    "(S (N c) (VP (N a) (NP (N e) (N b) (N d))))",
]
SEAMS = [(0, 2), (1, 3), (0, 4), (2, 4)]


def read(rise: Any) -> list[tuple[TreeTable, list[tuple[int, int, float]]]]:
    """Every sentence with the same seams; what each is worth, `rise` says."""
    tables = [TreeTable(parse_tree(tree)) for tree in SENTENCES]
    return [(table, [(i, j, float(rise(table, i, j))) for i, j in SEAMS]) for table in tables]


def surprises_of(pruning: EncodedPruning, source: TreeTable) -> np.ndarray:
    network = pruning.network
    seen = network.see(network.encoder.states(source.words, 0))
    labels = number_labels(source, network.numbers)[source.leaves]
    found = network.neighbours(SURPRISE, labels, seen)
    assert found is not None
    return found


def small(**settings: Any) -> SurpriseLearner:
    return SurpriseLearner(**{"width": 12, "epochs": 400, "rate": 0.02, "dropout": 0.0, **settings})


def test_what_depends_on_words_and_distance_is_learned() -> None:
    def rise(table: TreeTable, i: int, j: int) -> float:
        return 5.0 * (table.words[j] == "e") + j - i

    data = read(rise)
    learner = small().fit(random_pruning(seams={SEAM: 4}), data)
    assert learner.losses_[-1] < 0.1 * learner.losses_[0]
    for source, seams in data:
        found = surprises_of(learner.pruning_, source)
        for i, j, wanted in seams:
            assert found[i + 1, j + 1] == pytest.approx(wanted, abs=0.8)


def test_everything_else_of_the_network_stays() -> None:
    before = random_pruning()
    after = small(epochs=1).fit(before, read(lambda *_: 1.0)).pruning_
    again = EncodedPruning.restore(before.as_dict(), before.parts())
    for name, array in again.network.arrays.items():
        if not name.startswith(SURPRISE):
            assert (after.network.arrays[name] == array).all()
    assert len(after.network.arrays["surprise_bias"]) == 12


def test_a_fit_is_the_same_again_and_leaves_its_input() -> None:
    data = read(lambda table, i, j: i - j)
    before = [(table, list(seams)) for table, seams in data]
    pruning = random_pruning()
    parts = pruning.parts()
    one = small(epochs=3, dropout=0.3)
    first = one.fit(pruning, data).pruning_.parts()
    assert first == one.fit(pruning, data).pruning_.parts()
    assert first == small(epochs=3, dropout=0.3).fit(pruning, data).pruning_.parts()
    assert data == before
    assert pruning.parts() == parts


def test_rare_surprises_are_cut_off() -> None:
    learner = small().fit(random_pruning(), read(lambda *_: 1000.0))
    [source, *_] = [table for table, _ in read(lambda *_: 0.0)]
    assert surprises_of(learner.pruning_, source)[1, 3] == pytest.approx(12.0, abs=1.0)


def test_nothing_to_learn_from_is_an_error() -> None:
    with pytest.raises(DataError, match="no seam"):
        small().fit(random_pruning(), [(TreeTable(parse_tree(SENTENCES[0])), [])])


@pytest.mark.parametrize("wrong", [{"width": 0}, {"rate": 0.0}, {"dropout": 1.0}, {"seed": -1}])
def test_wrong_settings_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        SurpriseLearner(**wrong)


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    good = {"text": "A b c.", "seams": [[0, 2, 1.5], [0, 3, -1]]}
    bad: list[Any] = [
        {"text": 3, "seams": []},
        {"text": "A.", "seams": [[2, 1, 0.0]]},
        {"text": "A.", "seams": [[0, 2]]},
        {"text": "A.", "seams": [[0, True, 1.0]]},
        {"text": "A.", "seams": [[0, 2, "x"]]},
        ["text"],
    ]
    path = tmp_path / "surprises.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in [good, *bad, good]) + "\n\n")
    found = list(read_surprises(path))
    whole = Surprises("A b c.", ((0, 2, 1.5), (0, 3, -1.0)))
    assert found[0] == found[-1] == whole
    assert len(found) == 2 + len(bad)
    for number, error in enumerate(found[1:-1], start=2):
        assert isinstance(error, DataError)
        assert f"surprises.jsonl:{number}" in str(error)
