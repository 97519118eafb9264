from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.learning.checkpoints import Checkpoint
from treewright.learning.gibbs import Gibbs, RunFiles
from treewright.learning.gibbs.run import KIND
from treewright.modelfile import write_model

from .toys import PAIRS

LEARNER = Gibbs(iterations=60, pruning=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the checkpoint of a finished run."""
    place = tmp_path / "run.ckpt"
    replace(LEARNER).fit(PAIRS, files=RunFiles(checkpoint=place))
    return place


def resume(path: Path, learner: Gibbs = LEARNER, pairs: Any = PAIRS) -> Gibbs:
    return replace(learner).fit(pairs, files=RunFiles(checkpoint=path, resume=True))


def test_a_checkpoint_survives_its_file(path: Path, tmp_path: Path) -> None:
    saved = Checkpoint.load(path, KIND)
    assert (saved.numbers["iteration"], saved.settings["iterations"]) == (60, 60)
    saved.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert resume(path).log_joint_ == saved.numbers["best"]


def test_a_checkpoint_of_another_corpus(path: Path) -> None:
    with pytest.raises(DataError, match=r"run\.ckpt: a checkpoint of training on other data"):
        resume(path, pairs=PAIRS[:-1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": 1}, "of training with seed 0, found 1; resume with the same settings"),
        ({"iterations": 70}, "of training with iterations 60, found 70"),
        ({"alpha": 1.0}, r"of training with alpha 100\.0, found 1\.0"),
        ({"alphas": {"NP/NP": 3.0}}, r"of training with alphas \{\}, found \{'NP/NP': 3\.0\}"),
    ],
)
def test_a_checkpoint_of_a_run_with_other_settings(
    settings: dict[str, Any], message: str, path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        resume(path, replace(LEARNER, **settings))


def test_settings_by_name_survive_the_file(tmp_path: Path) -> None:
    learner = replace(LEARNER, alphas={"NP/ε": 3.0}, betas={"NP": 0.5})
    place = tmp_path / "c"
    found = replace(learner).fit(PAIRS, files=RunFiles(checkpoint=place)).log_joint_
    assert resume(place, learner).log_joint_ == found


@pytest.mark.parametrize("damage", ["nothing", "half", "byte", "another kind", "no file"])
def test_a_file_that_is_no_checkpoint(damage: str, path: Path) -> None:
    content = path.read_bytes()
    if damage == "nothing":
        path.write_bytes(b"")
    elif damage == "half":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "byte":
        middle = len(content) // 3
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :])
    elif damage == "another kind":
        replace(LEARNER).fit(PAIRS).model_.save(path)
    else:
        path.unlink()
    with pytest.raises(ModelFileError, match=r"run\.ckpt: "):
        resume(path)


@pytest.mark.parametrize("part", ["to.npy", "best_to.npy"])
def test_a_checkpoint_without_all_its_parts(part: str, path: Path) -> None:
    rewrite(path, lambda parts: parts.pop(part))
    with pytest.raises(ModelFileError, match=r"run\.ckpt: its parts"):
        resume(path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"[]"])
def test_a_part_that_is_something_else(content: bytes, path: Path) -> None:
    rewrite(path, lambda parts: parts.update({"to.npy": content}))
    with pytest.raises(ModelFileError, match=r"run\.ckpt: its parts"):
        resume(path)


def forge(name: str, saved: Checkpoint) -> Checkpoint:
    """Return a checkpoint with one part that no run would write."""
    arrays = {key: array.copy() for key, array in saved.arrays.items()}
    if name == "short":
        arrays["to"] = arrays["to"][:3]
    elif name == "far":
        arrays["to"][1] = 10**6
    elif name == "unknown":
        arrays["best_to"][1] = -7
    elif name == "unrooted":
        arrays["to"][0] = -1
    elif name == "order":
        arrays["order"][0] = arrays["order"][1]
    elif name == "site":
        arrays["site"] = arrays["site"][1:]
    elif name == "alpha":
        arrays["alpha"][0] = 0.0
    elif name == "betas":
        arrays["best_betas"][0] = 1.0
    else:
        return replace(saved, numbers={**saved.numbers, name: "x"})
    return replace(saved, arrays=arrays)


@pytest.mark.parametrize(
    "part",
    [
        "short",
        "far",
        "unknown",
        "unrooted",
        "order",
        "site",
        "alpha",
        "betas",
        "iteration",
        "best",
        "random",
    ],
)
def test_a_forged_part_never_reaches_the_kernels(part: str, path: Path) -> None:
    forge(part, Checkpoint.load(path, KIND)).save(path)
    with pytest.raises(ModelFileError, match=r"run\.ckpt: its parts do not fit"):
        resume(path)


def rewrite(path: Path, change: Any) -> None:
    """Write a checkpoint anew with other parts, checksums included."""
    from treewright.modelfile import read_model

    parts, about = read_model(path, kind=KIND)
    change(parts)
    write_model(path, kind=KIND, parts=parts, metadata=about)
