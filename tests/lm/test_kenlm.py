"""KenLM as the judge, where it is installed (the extra `peers`)."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.lm.test_estimation import TEXT
from treewright.lm import LanguageModel, train_lm

kenlm = pytest.importorskip("kenlm")
WORDS = ["the", "cat", "dog", "sat", "on", "mat", "a", "and", "zebra"]


@pytest.mark.parametrize(("order", "prune"), [(2, (0,)), (3, (0, 0, 1)), (5, (0,)), (6, (0, 1))])
def test_the_same_file_gives_the_same_scores(
    tmp_path: Path, order: int, prune: tuple[int, ...]
) -> None:
    path = tmp_path / "model.arpa"
    model = train_lm(TEXT, order, prune=prune)
    model.write_arpa(path)
    peer, again = kenlm.Model(str(path)), LanguageModel.read_arpa(path)
    rng = random.Random(1)
    for _ in range(200):
        words = rng.choices(WORDS, k=rng.randrange(9))
        theirs = [score for score, _, _ in peer.full_scores(" ".join(words))]
        for ours in (model, again):
            assert ours.score(words) / np.log(10) == pytest.approx(theirs, abs=1e-5)


def test_the_same_words_matter_to_the_next(tmp_path: Path) -> None:
    """KenLM's states are as short as they can be; ours are the same."""
    from treewright.lm._kernels import extend

    path = tmp_path / "model.arpa"
    model = train_lm(TEXT, 4, prune=(0, 0, 1))
    model.write_arpa(path)
    peer = kenlm.Model(str(path))
    rng = random.Random(2)
    classes: dict[int, set[int]] = {}
    for _ in range(300):
        state, theirs = 0, kenlm.State()
        peer.NullContextWrite(theirs)
        for word in rng.choices(WORDS, k=rng.randrange(1, 6)):
            _, state = extend(model.arrays, state, model.vocabulary.find(word, 0))
            after = kenlm.State()
            peer.BaseScore(theirs, word, after)
            theirs = after
        classes.setdefault(state, set()).add(hash(theirs))
    assert all(len(same) == 1 for same in classes.values())
    assert len({same.pop() for same in classes.values()}) == len(classes)
