"""`treewright train ghkm` and `translate` with its models: trees in, translations out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.data import parallel_path
from treewright.trees import parse_tree

from .runner import fail, run, succeed

TRAIN = [str(parallel_path("train", language)) for language in ("en", "de")]
DEV = [str(parallel_path("dev", language)) for language in ("en", "de")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model of the sample, and keep its parts."""
    folder = tmp_path_factory.mktemp("ghkm")
    train = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--iterations", "2"]
    made = succeed(*train, "--work", folder / "parts", "--model", folder / "model")
    assert "rules from 350 sentence pairs" in made.err
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
    train = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--iterations", "2"]
    again = succeed(*train, "--work", folder / "parts", "--model", folder / "again")
    assert again.err.count("finished earlier") == 6
    assert (folder / "again").read_bytes() == (folder / "model").read_bytes()


def test_trees_take_the_place_of_sentences(folder: Path, model: str) -> None:
    trees = folder / "parts" / "dev.trees"
    assert (
        succeed("translate", model, "--trees", trees).out == succeed("translate", model, DEV[0]).out
    )


def test_several_trees_of_a_line_are_alternatives(folder: Path, model: str) -> None:
    tree = (folder / "parts" / "dev.trees").read_text().splitlines()[0]
    words = parse_tree(tree).words()
    flat = f"(Y {' '.join(f'(X {word})' for word in words)})"
    single = succeed("translate", model, "--trees", "-", stdin=f"{tree}\n").out
    assert succeed("translate", model, "--trees", "-", stdin=f"{tree}\t{tree}\n").out == single
    bad = run("translate", model, "--trees", "-", stdin=f"{tree}\t(X other)\n{tree}\n\n{flat}\n")
    assert bad.status == 1
    assert bad.lines == ["", single.strip(), "", ""]
    assert "-:1: trees of different sentences" in bad.err
    assert "-:3: no tree" in bad.err
    assert "-:4: no rule knows a label of the tree (X, Y)" in bad.err
    assert succeed("translate", model, "--trees", "-", stdin=f"{tree}\t\n").out == single


def test_json_and_explanations_show_the_rules(model: str) -> None:
    line = "The teacher drinks coffee with a xylophone .\n"
    found = json.loads(succeed("translate", model, "--json", "--nbest", "2", stdin=line).out)
    assert len(found["nbest"]) == 2
    rules = found["nbest"][0]["rules"]
    assert rules[0]["source"] == [0, 8]
    assert {"copy", "rule"} <= {step["kind"] for step in rules}
    shown = succeed("translate", model, "--explain", stdin=line).out
    assert "'xylophone' copied" in shown
    assert 'NP/"" -> (NP (DT the) (NN teacher)) / "der lehrer" @ 0-0 1-1' in shown
    assert "  score " in shown


def test_threads_and_risk_change_only_what_they_should(model: str) -> None:
    single = succeed("translate", model, DEV[0]).out
    assert succeed("translate", model, DEV[0], "--jobs", "2").out == single
    best = succeed("translate", model, "--nbest", "10", stdin="the old dog .\n").lines
    assert succeed("translate", model, "--mbr", "10", stdin="the old dog .\n").lines[0] in best


def test_a_line_gives_a_line(model: str) -> None:
    result = run("translate", model, stdin=b"The teacher drinks coffee .\n\n\xff\nthe dog\n")
    assert result.status == 1
    assert result.lines[0] == "Der Lehrer trinkt Kaffee ."
    assert result.lines[1:3] == ["", ""]
    assert len(result.lines) == 4


def test_settings_of_another_search_are_refused(model: str) -> None:
    assert "it has beam, pops, unknown" in fail(2, "translate", model, "--stack", "9")
    fail(2, "translate", model, DEV[0], "--trees", DEV[0])
    fail(2, "translate", model, "--trees", DEV[0], "--parser", "embedded")
    assert "cannot fix" in fail(2, "translate", model, "--xml", stdin="dog\n")


def test_rules_to_trees_give_trees(folder: Path, tmp_path: Path) -> None:
    parts = folder / "parts"
    # Any trees will do: the sentences' own words under one node.
    lines = Path(TRAIN[1]).read_text().splitlines()
    german = tmp_path / "german.trees"
    german.write_text(
        "".join(f"(ROOT {' '.join(f'(W {word})' for word in line.split())})\n" for line in lines)
    )
    train = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--iterations", "1", "--kind", "t2t"]
    train += ["--trees", parts / "source.trees", "--dev-trees", parts / "dev.trees"]
    train += ["--target-trees", german, "--alignment", parts / "links.align"]
    succeed(*train, "--model", tmp_path / "m")
    found = json.loads(
        succeed("translate", tmp_path / "m", "--json", stdin="The teacher drinks coffee .\n").out
    )
    tree = parse_tree(found["nbest"][0]["tree"])
    assert found["nbest"][0]["words"] == list(tree.words())
    other = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--model", tmp_path / "n"]
    message = fail(2, *other, "--kind", "t2t", "--rules", parts / "rules.model")
    assert "targets other than trees" in message


def test_trees_of_other_words_cost_their_pairs(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "parts" / "source.trees").read_text().splitlines()
    lines[2], lines[4] = "(ROOT (X other))", ""
    trees = tmp_path / "trees"
    trees.write_text("\n".join(lines) + "\n")
    train = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--iterations", "1"]
    train += ["--alignment", folder / "parts" / "links.align", "--trees", trees]
    made = succeed(*train, "--model", tmp_path / "m")
    assert f"{trees}:3: word 1 of the tree is 'other', that of the sentence" in made.err
    assert f"{trees}:5: no tree" in made.err
    trees.write_text("\n".join(lines[:-1]) + "\n")
    short = run(*train, "--model", tmp_path / "n")
    assert short.status == 1
    assert f"{trees}: 349 lines; expected 350, a tree for each sentence" in short.err
    assert not (tmp_path / "n").exists()


def test_brackets_are_words_like_others(folder: Path, tmp_path: Path) -> None:
    """Trees write them as Penn does, text as they are."""
    texts = [Path(path).read_text().splitlines()[:60] for path in TRAIN]
    paths = [tmp_path / "s", tmp_path / "t"]
    for path, lines in zip(paths, texts, strict=True):
        lines[3] = f":-) {lines[3]} a(b)c"
        lines[4] = f"-LRB- {lines[4]} -RRB-"
        path.write_text("".join(f"( {line} )\n" for line in lines))
    train = ["train", "ghkm", *paths, "--dev", *paths, "--iterations", "1"]
    made = succeed(*train, "--work", tmp_path / "parts", "--model", tmp_path / "m")
    assert "skipped" not in made.err
    trees = (tmp_path / "parts" / "dev.trees").read_text()
    assert trees.count("-LRB-") >= 60
    trees = succeed("translate", tmp_path / "m", "--trees", tmp_path / "parts" / "dev.trees").lines
    text = succeed("translate", tmp_path / "m", paths[0]).lines
    # Only of a tree, nobody can say whether its sentence had the bracket or the escape.
    assert [line for k, line in enumerate(trees) if k != 4] == [*text[:4], *text[5:]]
    assert trees[0].startswith("( ")


def test_settings_are_checked_before_the_work(tmp_path: Path) -> None:
    train = ["train", "ghkm", *TRAIN, "--dev", *DEV, "--model", tmp_path / "m"]
    given = ["--trees", DEV[0], "--dev-trees", DEV[0], "--parser", "embeded"]
    wrong = (["--kind", "s2t"], ["--binarize", "up"], ["--tuning", "x"], ["--beam", "-1"], given)
    for options in wrong:
        fail(2, *train, *options)
    fail(2, "train", "ghkm", "-", TRAIN[1], "--dev", *DEV, "--model", tmp_path / "m")
    assert not (tmp_path / "m.parts").exists()
