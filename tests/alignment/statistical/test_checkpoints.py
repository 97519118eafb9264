"""Checkpoints that a kernel could not go on from are refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.alignment.statistical.checkpoints import KIND, CheckpointFile
from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_model, write_model

from .toys import toy_pairs

STEPS = 10
PAIRS = [(["a", "b", "c"], ["x"]), ([], []), (["a"], ["x", "y"])]


def start() -> tuple[Text, Sampler]:
    text = Text.of(PAIRS, lowercase=True)
    return text, Sampler(text, Sampling(samplers=2), jobs=3)


def resume(folder: Path, step: Any, change: Mapping[str, tuple[Any, int]]) -> int:
    """Save a state, change some values in the file, and go on from it."""
    text, sampler = start()
    path = folder / "c"
    CheckpointFile(path=path, every=1).save(sampler, 1, {}, text)
    _, about = read_model(path, kind=KIND)
    state = sampler.state()
    for name, (place, value) in change.items():
        state[name][place] = value
    parts = {f"{name}.npy": pack_array(array) for name, array in state.items()}
    write_model(path, kind=KIND, parts=parts, metadata={**about, "step": step})
    text, sampler = start()
    done = CheckpointFile(path=path, resume=True).load(sampler, {}, text, STEPS)
    for name, array in sampler.state().items():
        np.testing.assert_array_equal(array, state[name])
    return done


@pytest.mark.parametrize("step", [0, STEPS])
def test_a_state_comes_back(tmp_path: Path, step: int) -> None:
    changed = {"link": ((0, 0), 2), "random": (3, 77), "priors": ((0, 0), 5)}
    assert resume(tmp_path, step, changed) == step


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"link": (..., 30_000)}, "a link to a word that is not there"),
        ({"link": ((0, 0), 3)}, "a link to a word that is not there"),
        ({"link": ((1, 1), 1)}, "a link to a word that is not there"),
        ({"link": ((3, 0), 1)}, "a link to a word that is not there"),
        ({"link": ((0, 3), 0)}, "a link to a word that is not there"),
        ({"link": ((3, 3), -2)}, "a link to a word that is not there"),
        ({"random": (3, 0)}, "a generator of random numbers that would only give 0"),
        ({"priors": ((0, 1), 0)}, "a prior count that is not between 1 and"),
        ({"priors": ((0, 1), 2**31 - 1)}, "a prior count that is not between 1 and"),
    ],
)
def test_values_that_would_lead_astray_are_refused(
    tmp_path: Path, change: dict[str, tuple[Any, int]], message: str
) -> None:
    with pytest.raises(ModelFileError, match=f"c: its parts cannot be read: {message}"):
        resume(tmp_path, 5, change)


@pytest.mark.parametrize("step", [-1, STEPS + 1, float("inf"), 2.5, "2", True, None])
def test_a_step_that_is_none_is_refused(tmp_path: Path, step: object) -> None:
    with pytest.raises(ModelFileError, match=r"c: its parts cannot be read: step .* of 10"):
        resume(tmp_path, step, {})


def test_a_run_goes_on_from_any_step_as_if_it_had_not_stopped() -> None:
    # Words with endings, so that there are relatives to take priors from.
    ends = ("ing", "ed", "er")
    sources, targets = (
        [[word + ends[(k + n) % 3] for k, word in enumerate(line)] for n, line in enumerate(side)]
        for side in toy_pairs(30)
    )
    text = Text.of(zip(sources, targets, strict=True), lowercase=True)
    settings = Sampling(samplers=2, sweeps=(2, 1, 4))
    steps = list(settings.steps(len(text)))
    whole = Sampler(text, settings)
    states = []
    for step in steps:
        states.append({name: array.copy() for name, array in whole.state().items()})
        whole.advance(*step)
    for done, state in enumerate(states):
        resumed = Sampler(text, settings, seed=9)
        resumed.restore(state)
        for step in steps[done:]:
            resumed.advance(*step)
        for name, array in resumed.state().items():
            np.testing.assert_array_equal(array, whole.state()[name])
