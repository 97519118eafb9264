"""A harvest on Spark against the embedded engine: counts to the bit, scores to a billionth."""

from __future__ import annotations

import numpy as np
import pytest

from tests.paraphrase.toys import LINES, write_text
from tests.spark import bounded, skip_without_spark, started
from treewright.engine import open_engine
from treewright.errors import Problems
from treewright.paraphrase import ParaphraseModel, configuration, harvest, paraphrases

skip_without_spark()

BAD = "The_DT price_NN rose to_TO"
PLAIN = [" ".join(token.rpartition("_")[0] for token in line.split()) for line in LINES]


@pytest.fixture(scope="module")
def engines():
    with started() as spark, open_engine("embedded", jobs=1) as embedded:
        yield spark, embedded


@pytest.mark.parametrize("named", ["best", "paper"])
def test_a_harvest_is_the_same_on_both_engines(engines, named, tmp_path):
    tagged, plain, broken = write_text(tmp_path), tmp_path / "plain", tmp_path / "broken"
    plain.write_text("".join(f"{line}\n" for line in PLAIN))
    broken.write_text(f"{LINES[0]}\n{BAD}\n")
    settings = configuration("pd", named, min_count=1)
    spaces, told = [], []
    for engine in engines:
        problems = Problems()
        with bounded():
            paths = [tagged, plain, broken]
            spaces.append(harvest(paths, settings, engine, problems=problems))
        told.append(sorted(map(str, problems.errors)))
    one, other = spaces
    assert told[0] == told[1] == [f"{broken}:2: expected word_TAG, found 'rose'"]
    assert (one.phrases, one.rows, one.contexts) == (other.phrases, other.rows, other.contexts)
    assert one.antonyms == other.antonyms
    for mine, theirs in zip(one.counts, other.counts, strict=True):
        assert np.array_equal(mine, theirs)
    np.testing.assert_allclose(one.weights.value, other.weights.value, rtol=1e-9)
    for phrase in ("rose to", "fell", "was bought by"):
        found, expected = (paraphrases(ParaphraseModel(space), phrase) for space in spaces)
        assert [item.text for item in found] == [item.text for item in expected]
        scores = [item.score for item in expected]
        assert [item.score for item in found] == pytest.approx(scores, rel=1e-9)
