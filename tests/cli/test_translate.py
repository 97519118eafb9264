"""`treewright train phrase` and `translate`: from parallel text to translations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.data import parallel_path

from .runner import fail, run, succeed

TRAIN = [str(parallel_path("train", language)) for language in ("en", "de")]
DEV = [str(parallel_path("dev", language)) for language in ("en", "de")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model of the sample, and keep its parts."""
    folder = tmp_path_factory.mktemp("phrase")
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "2"]
    made = succeed(*train, "--work", folder / "parts", "--model", folder / "model")
    assert "phrase pairs from 350 sentence pairs" in made.err
    return folder


@pytest.fixture(scope="module")
def model(folder: Path) -> str:
    return str(folder / "model")


def test_the_sample_is_learned(model: str, tmp_path: Path) -> None:
    out = succeed("translate", model, DEV[0])
    hypothesis = tmp_path / "hyp"
    hypothesis.write_text(out.out)
    scored = succeed("evaluate", "translation", hypothesis, DEV[1], "--lowercase", "--json")
    assert json.loads(scored.out)["bleu"] > 80


def test_finished_parts_are_used_again_and_give_the_same_model(folder: Path) -> None:
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "2"]
    again = succeed(*train, "--work", folder / "parts", "--model", folder / "again")
    assert again.err.count("finished earlier") == 4
    assert (folder / "again").read_bytes() == (folder / "model").read_bytes()


def test_weights_are_tuned_again_if_a_part_has_changed(folder: Path) -> None:
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1", "--order", "2"]
    again = succeed(*train, "--work", folder / "parts2", "--model", folder / "order2")
    other = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1", "--order", "3"]
    again = succeed(*other, "--work", folder / "parts2", "--model", folder / "order3")
    assert again.err.count("finished earlier") == 2
    assert "tuning, round 0" in again.err


def test_only_what_training_made_is_removed(tmp_path: Path) -> None:
    parts = tmp_path / "m.parts"
    parts.mkdir()
    (parts / "mine.txt").write_text("x")
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1"]
    succeed(*train, "--model", tmp_path / "m")
    assert [path.name for path in parts.iterdir()] == ["mine.txt"]


def test_a_target_word_that_language_models_keep_costs_its_pair(tmp_path: Path) -> None:
    texts = [Path(path).read_text().splitlines() for path in TRAIN]
    texts[1][4] += " <s>"
    paths = [tmp_path / "s", tmp_path / "t"]
    for path, lines in zip(paths, texts, strict=True):
        path.write_text("\n".join(lines) + "\n")
    train = ["train", "phrase", *paths, "--dev", *DEV, "--iterations", "1"]
    made = succeed(*train, "--model", tmp_path / "m")
    assert f"skipped: {paths[1]}:5: the word '<s>'" in made.err


def test_parts_made_separately_are_taken(folder: Path, model: str) -> None:
    parts = folder / "parts"
    made = succeed(
        *("train", "phrase", *TRAIN, "--dev", *DEV, "--iterations", "1"),
        *("--links", parts / "links.align", "--table", parts / "phrases.model"),
        *("--lm-model", parts / "lm.model", "--lm", TRAIN[1], "--model", folder / "other"),
    )
    assert "aligning" not in made.err
    assert not (folder / "other.parts").exists()
    found = json.loads(succeed("translate", folder / "other", "--json", stdin="a dog .\n").out)
    assert {"lm", "lm2", "lm3"} <= found["nbest"][0]["features"].keys()


def test_a_line_gives_a_line(model: str) -> None:
    result = run("translate", model, stdin=b"The teacher drinks coffee .\n\n\xff\nthe dog\n")
    assert result.status == 1
    assert len(result.lines) == 4
    assert result.lines[0] == "Der Lehrer trinkt Kaffee ."
    assert result.lines[1:3] == ["", ""]
    assert "-:3:1: byte 0xff is not UTF-8" in result.err


def test_threads_change_nothing(model: str) -> None:
    single = succeed("translate", model, DEV[0]).out
    assert succeed("translate", model, DEV[0], "--jobs", "2").out == single


def test_n_best_lists_end_in_a_blank_line(model: str) -> None:
    lines = succeed("translate", model, "--nbest", "3", stdin="the dog\nthe cat\n").lines
    assert [line == "" for line in lines] == [False, False, False, True] * 2
    assert len({*lines[:3]}) == 3


def test_json_says_which_phrases_were_used(model: str) -> None:
    out = succeed("translate", model, "--json", "--nbest", "2", stdin="the xylophone sees tea\n")
    found = json.loads(out.out)
    assert len(found["nbest"]) == 2
    phrases = found["nbest"][0]["phrases"]
    assert sorted(i for p in phrases for i in range(*p["source"])) == [0, 1, 2, 3]
    assert [p["target"] for p in phrases if p["origin"] == "copied"] == [["xylophone"]]


def test_an_explanation_shows_phrases_and_what_makes_the_score(model: str) -> None:
    out = succeed("translate", model, "--explain", stdin="the dog\n").out
    assert out.startswith("source       the dog\ntranslation  ")
    assert "  score " in out
    assert "lm" in out


def test_given_translations_are_obeyed(model: str) -> None:
    line = 'the <n translation="Dackel">dog</n> sees the cat\n'
    assert "Dackel" in succeed("translate", model, "--xml", stdin=line).out
    broken = run("translate", model, "--xml", stdin="<n>dog\n")
    assert broken.status == 1
    assert "-:1: " in broken.err


def test_the_least_risky_of_many_is_printed(model: str) -> None:
    assert len(succeed("translate", model, "--mbr", "20", stdin="the old dog .\n").lines) == 1


def test_words_can_be_dropped(model: str) -> None:
    out = succeed("translate", model, "--unknown", "drop", stdin="the xylophone\n").out
    assert "xylophone" not in out


def test_a_model_of_another_kind_is_refused(folder: Path) -> None:
    message = fail(1, "translate", folder / "parts" / "lm.model", stdin="a\n")
    assert "kind lm; expected one that translates" in message


def test_contradictions_are_usage_errors(model: str) -> None:
    for options in (["--json", "--explain"], ["--raw", "--xml"], ["--unknown", "keep"]):
        fail(2, "translate", model, *options, stdin="a\n")


def test_texts_of_unequal_length_are_refused(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_text("a b\n")
    train = ["train", "phrase", TRAIN[0], short, "--dev", *DEV, "--model", tmp_path / "m"]
    assert f"{short}: it ends after 1 lines" in fail(1, *train)
    assert not (tmp_path / "m").exists()


def test_all_files_are_looked_at_before_the_work(tmp_path: Path) -> None:
    train = ["train", "phrase", *TRAIN, "--model", tmp_path / "m"]
    for options in (["--dev", "none", DEV[1]], ["--dev", *DEV, "--lm-model", DEV[1]]):
        fail(1, *train, *options)
    fail(2, "train", "phrase", "-", TRAIN[1], "--dev", *DEV, "--model", tmp_path / "m")
    assert not (tmp_path / "m.parts").exists()


def test_settings_are_checked_before_the_work(tmp_path: Path) -> None:
    train = ["train", "phrase", *TRAIN, "--dev", *DEV, "--model", tmp_path / "m"]
    for options in (["--tuning", "x"], ["--casing", "x"], ["--symmetrize", "x"], ["--order", "9"]):
        fail(2, *train, *options)
    assert not (tmp_path / "m.parts").exists()
