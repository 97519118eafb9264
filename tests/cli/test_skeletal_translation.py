"""Models that score skeletons: `train phrase --skeleton`, `train ghkm --dev-skeletons`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.data import parallel_path

from .runner import fail, run, succeed

TRAIN = [str(parallel_path("train", language)) for language in ("en", "de")]
DEV = [str(parallel_path("dev", language)) for language in ("en", "de")]


def ends(path: str, place: Path) -> Path:
    """Write skeletons of the first two words and the last one."""
    sizes = [len(line.split()) for line in Path(path).read_text().splitlines()]
    place.write_text("".join(f"0 {'1 ' if size > 2 else ''}{size - 1}\n" for size in sizes))
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("skeletons")
    ends(TRAIN[0], folder / "train")
    ends(DEV[0], folder / "dev")
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1", "--order", "3"]
    succeed(
        *(*train, "--skeleton", "full", "--skeletons", folder / "train", folder / "dev"),
        *("--work", folder / "parts", "--model", folder / "model"),
    )
    return folder


def test_given_skeletons_are_scored_and_shown(folder: Path) -> None:
    skeleton = folder / "one"
    skeleton.write_text("0 1 4\n")
    told = succeed(
        *("translate", folder / "model", "--skeletons", skeleton, "--json"),
        stdin="the teacher drinks coffee .\n",
    )
    best = json.loads(told.out)["nbest"][0]
    assert best["skeleton"] == [0, 1, 4]
    assert best["features"]["skeleton lm"] < 0
    assert best["features"]["skeleton phrases"] <= best["features"]["phrases"]
    shown = succeed(
        *("translate", folder / "model", "--skeletons", skeleton, "--explain"),
        stdin="the teacher drinks coffee .\n",
    )
    assert "skeleton     the teacher .\n" in shown.out


def test_a_line_may_have_several_skeletons(folder: Path) -> None:
    several = folder / "several"
    several.write_text("0 1 4 | 0 1 2 3 4 | 4\n")
    told = succeed(
        *("translate", folder / "model", "--skeletons", several, "--json"),
        stdin="the teacher drinks coffee .\n",
    )
    best = json.loads(told.out)["nbest"][0]
    assert best["skeleton"] in ([0, 1, 4], [0, 1, 2, 3, 4], [4])


def test_a_bad_skeleton_costs_its_line(folder: Path) -> None:
    bad = folder / "bad"
    bad.write_text("0 1\n0 9\n0\n")
    told = run(
        "translate", folder / "model", "--skeletons", bad, stdin="the dog\nthe cat\nthe dog\n"
    )
    assert told.status == 1
    assert [bool(line) for line in told.lines] == [True, False, True]
    assert f"{bad}:2: it keeps token 9" in told.err
    short = folder / "short"
    short.write_text("0\n")
    told = run("translate", folder / "model", "--skeletons", short, stdin="the dog\nthe cat\n")
    assert told.status == 1
    assert "it ends before the text" in told.err


def test_a_model_of_given_skeletons_says_that_it_needs_them(folder: Path) -> None:
    message = fail(2, "translate", folder / "model", stdin="the dog\n")
    assert "give those of the sentences" in message


def test_skeletons_are_found_by_a_model_that_was_trained_so(folder: Path) -> None:
    parts = folder / "parts"
    found = folder / "found"
    succeed(
        *("train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1", "--order", "2"),
        *("--links", parts / "links.align", "--table", parts / "phrases.model"),
        *("--skeleton", "no-lm", "--skeleton-rate", "0.7", "--model", found),
    )
    told = succeed(
        "translate", found, "--json", stdin="the teacher drinks coffee in the old house .\n"
    )
    kept = json.loads(told.out)["nbest"][0]["skeleton"]
    assert 0 < len(kept) < 9


def test_skeletons_need_a_variant_and_one_origin(tmp_path: Path) -> None:
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--model", tmp_path / "m"]
    assert "only with --skeleton" in fail(2, *train, "--skeleton-rate", "0.5")
    assert "full, no-lm" in fail(2, *train, "--skeleton", "half")
    both = ["--skeleton", "full", "--skeletons", TRAIN[0], DEV[0], "--skeleton-rate", "0.5"]
    assert "given or found" in fail(2, *train, *both)
    assert not (tmp_path / "m.parts").exists()


def test_rules_that_cross_skeletons_have_a_price(folder: Path) -> None:
    made = folder / "rules"
    succeed(
        *("train", "ghkm", *TRAIN, "--dev", *DEV, "--iterations", "1", "--order", "2"),
        *("--dev-skeletons", folder / "dev", "--model", made),
    )
    skeleton = folder / "crossed"
    skeleton.write_text("0 1 4\n")
    told = succeed(
        *("translate", made, "--skeletons", skeleton, "--json"),
        stdin="the teacher drinks coffee .\n",
    )
    assert "crossing" in json.loads(told.out)["nbest"][0]["features"]
    assert "a skeleton is needed" in fail(2, "translate", made, stdin="the dog\n")
