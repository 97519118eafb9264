"""Verdicts: their file, and what is known about a version."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from treewright.errors import DataError
from treewright.learning.acceptance import VERDICTS, Verdict, describe, read_verdicts
from treewright.pruning.acceptance import SEAM_FEATURES, drop_odds, dropped_nodes, seam_features
from treewright.trees import parse_tree

from ...pruning.acceptance.toys import toy_neighbours
from ...pruning.test_heads import forest_of

GOOD = {"text": "A b.", "versions": [{"kept": [0, 2], "verdict": "fine"}]}
DOG = parse_tree("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks) (ADVP (RB now))) (. .))")
CAT = parse_tree("(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))")


def read(tmp_path: Path, *lines: object) -> list[Verdict | DataError]:
    path = tmp_path / "v.jsonl"
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(written), encoding="utf-8")
    return list(read_verdicts(path))


def test_every_version_is_a_verdict(tmp_path: Path) -> None:
    versions: list[object] = [
        {"kept": [], "verdict": "broken"},
        {"kept": [1], "verdict": "weak", "by": "me"},
    ]
    versions += [{"kept": [2], "verdict": 0.25}, {"kept": [3], "verdict": 1}]
    found = read(tmp_path, GOOD, "", {"text": "C.", "versions": versions, "id": 7})
    assert found == [
        Verdict("A b.", (0, 2), "fine"),
        Verdict("C.", (), "broken"),
        Verdict("C.", (1,), "weak"),
        Verdict("C.", (2,), 0.25),
        Verdict("C.", (3,), 1.0),
    ]
    assert [each.accepted for each in found if isinstance(each, Verdict)][1:] == [0, 0.7, 0.25, 1]
    assert VERDICTS["fine"] > VERDICTS["weak"] > VERDICTS["changed"] == VERDICTS["broken"] == 0.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "found a JSON list"),
        ({"text": "A b."}, "expected"),
        ({"text": 7, "versions": []}, "expected"),
        ({**GOOD, "versions": ["fine"]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"verdict": "fine"}]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"kept": [0, -1], "verdict": "fine"}]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"kept": [0.5], "verdict": "fine"}]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"kept": [True], "verdict": "fine"}]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"kept": ["0"], "verdict": "fine"}]}, "lists its kept tokens"),
        ({**GOOD, "versions": [{"kept": [0]}]}, "None is none of: fine, weak, changed, broken"),
        ({**GOOD, "versions": [{"kept": [0], "verdict": "good"}]}, "'good' is none of: fine"),
        ({**GOOD, "versions": [{"kept": [0], "verdict": ["fine"]}]}, "is none of: fine"),
        ({**GOOD, "versions": [{"kept": [0], "verdict": 1.5}]}, "1.5 is none of: fine"),
        ({**GOOD, "versions": [{"kept": [0], "verdict": True}]}, "True is none of: fine"),
    ],
)
def test_a_bad_line_is_an_error_in_its_place(line: object, message: str, tmp_path: Path) -> None:
    first, bad, last = read(tmp_path, GOOD, line, GOOD)
    assert isinstance(first, Verdict)
    assert first == last
    assert isinstance(bad, DataError)
    assert message in str(bad)
    assert str(bad).startswith(f"{tmp_path / 'v.jsonl'}:2")


def test_a_version_has_the_losses_and_seams_of_all_its_sentences() -> None:
    """The first keeps tokens 0, 2, 3 and 5 of six, the second 1 and 2 of three."""
    forests = [forest_of(DOG), forest_of(CAT)]
    neighbours = toy_neighbours()
    found = describe(forests, [0, 2, 3, 5, 7, 8], neighbours, 0.7)
    assert found.accepted == 0.7
    assert found.tags == [("DT", "NN"), ("VBZ", "."), ("", "NN")]
    expected = [
        (forest, node)
        for forest, kept in zip(forests, [[0, 2, 3, 5], [1, 2]], strict=True)
        for node in dropped_nodes(forest.source, kept)
    ]
    assert [loss.odds for loss in found.losses] == [drop_odds(f)[node] for f, node in expected]
    labels = [f.source.labels[node] for f, node in expected]
    assert labels == ["JJ", "ADVP", "DT"]
    for label, loss in zip(labels, found.losses, strict=True):
        assert ("label", label) in loss.features
    rows = []
    for tree, seams in ((DOG, [(0, 2), (3, 5)]), (CAT, [(-1, 1)])):
        tags = [leaf.label for leaf in tree.preterminals()]
        rows.append(seam_features(neighbours, neighbours.classes(tree.words(), tags), seams))
    assert (found.seams == np.concatenate(rows)).all()


@pytest.mark.parametrize("kept", [range(9), range(6), range(6, 9), []])
def test_whole_sentences_that_stay_or_go_say_nothing(kept: range) -> None:
    found = describe([forest_of(DOG), forest_of(CAT)], kept, toy_neighbours(), 1.0)
    assert not found.losses
    assert not found.tags
    assert found.seams.shape == (0, len(SEAM_FEATURES))
