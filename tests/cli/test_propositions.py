from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.propositions.toys import TEXT, trees

from .runner import fail, succeed

PARSED = ("--parser", "file=trees")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    words = [" ".join(tree.words()) for tree in trees()]
    rows = [{"id": f"s{number}", "text": text} for number, text in enumerate(words, start=1)]
    (tmp_path / "trees").write_text("\n".join([*TEXT, BARE]))
    (tmp_path / "text.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    succeed("propositions", "learn", "text.jsonl", "--model", "m", "--paper", *PARSED)
    return tmp_path


BARE = "(ROOT (NP (NP (NNP Young)) (PP (TO to) (NP (NNP Holt)))))"


def rows(*arguments: object) -> list[dict[str, object]]:
    return [json.loads(line) for line in succeed("propositions", *arguments).lines]


def test_labels_have_the_fixed_form(folder: Path) -> None:
    labels = rows("label", "m", "text.jsonl", *PARSED)
    assert [row["id"] for row in labels] == ["s1", "s2", "s3", "s4", "s5"]
    first, second = labels[0]["propositions"]
    assert first.keys() == {"instance", "classes", "at", "known", "logprob"}
    assert first["instance"] == ["Steve_Young", "throw", "pass"]
    assert second["classes"] == ["quarterback", "throw", "pass", "to", "receiver"]
    assert second["at"] == [[1, 2], [3, 3], [5, 5], [6, 6], [7, 8]]
    full = rows("label", "m", "text.jsonl", "--full", "--best", 2, *PARSED)[0]["propositions"][0]
    assert full["characters"][0] == [0, 11]
    assert full["shape"] == "NVN"


def test_several_processes_give_the_same(folder: Path) -> None:
    alone = succeed("propositions", "label", "m", "text.jsonl", *PARSED).out
    assert succeed("propositions", "label", "m", "text.jsonl", "--jobs", 2, *PARSED).out == alone


def test_show(folder: Path) -> None:
    told = succeed("propositions", "show", "m", "--verb", "throw", "--class", "receiver").lines
    assert told[0].split()[:6] == ["3", "quarterback", "throw", "pass", "to", "receiver"]
    assert len(rows("show", "m", "--top", 1, "--json")) == 1
    assert "no such proposition" in succeed("propositions", "show", "m", "--verb", "sing").err


def test_roles_and_scores(folder: Path) -> None:
    text = " ".join(trees()[0].words())
    item = {"id": "i", "text": text, "name": [7, 8]}
    (folder / "roles").write_text(json.dumps(item) + "\nbad\n")
    (ranked,) = rows("roles", "m", "roles", *PARSED)
    assert ranked.keys() == {"id", "classes"}
    assert ranked["classes"][0] == "receiver"
    there, back = ["Steve_Young", "throw", "pass"], ["pass", "throw", "Steve_Young"]
    names = [True, False, False]
    pair = {"id": "p", "a": there, "a_names": names, "b": back, "b_names": names[::-1]}
    (folder / "pairs").write_text(json.dumps(pair) + "\n")
    (scored,) = rows("score", "m", "pairs")
    assert scored.keys() == {"id", "a", "b"}
    assert scored["a"] > scored["b"]


def test_outputs(folder: Path) -> None:
    succeed("propositions", "browse", "m", "-o", "page.html")
    assert "Content-Security-Policy" in (folder / "page.html").read_text()
    for name in ("t.csv", "g.graphml"):
        succeed("propositions", "export", "m", "-o", name)
        assert (folder / name).stat().st_size
    assert ".graphml" in fail(2, "propositions", "export", "m", "-o", "x.txt")


def test_statements_go_to_annotators(folder: Path) -> None:
    told = succeed("propositions", "judge", "m").out
    (folder / "statements.jsonl").write_text(told)
    options = ("--study", "study", "--csv", "tasks.csv", "--tests-per-page", 0)
    succeed("annotate", "make", "propositions", "ours=statements.jsonl", *options)
    assert "Quarterbacks can throw passes." in (folder / "tasks.csv").read_text()


def test_enrich(folder: Path) -> None:
    (folder / "phrases").write_text("Young to Holt\n")
    (row,) = rows("enrich", "m", "phrases", *PARSED)
    assert row["propositions"][0]["instance"] == ["Young", "throw", "pass", "to", "Holt"]


def test_text_without_instances_is_an_error(folder: Path) -> None:
    (folder / "none.jsonl").write_text('{"id": "1", "text": "Young to Holt"}\n')
    told = fail(1, "propositions", "learn", "none.jsonl", "--model", "n", "--paper", *PARSED)
    assert "no instances" in told
    assert not (folder / "n").exists()
    odd = ("--structure", "tree")
    assert "choose one of" in fail(2, "propositions", "learn", "none.jsonl", "--model", "n", *odd)


def test_sources_of_classes(folder: Path) -> None:
    learn = ("propositions", "learn", "text.jsonl", "--model", "n", "--paper", *PARSED)
    for sources, last in (("modifier, apposition", True), ("modifier, title", False)):
        succeed(*learn, "--sources", sources)
        labels = rows("label", "n", "text.jsonl", *PARSED)
        assert labels[0]["propositions"][1]["known"] == [True, True, True, True, last]
    told = fail(2, *learn, "--sources", "rumour")
    assert "unknown source 'rumour'" in told
    assert "relative" in told


def test_rows_without_text_have_no_propositions(folder: Path) -> None:
    text = " ".join(trees()[0].words())
    lines = [{"id": "a", "text": ""}, {"id": "b", "text": text}, {"id": "c", "sentences": [" "]}]
    (folder / "gaps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = {
        row["id"]: len(row["propositions"]) for row in rows("label", "m", "gaps.jsonl", *PARSED)
    }
    assert found == {"a": 0, "b": 2, "c-1": 0}
    succeed("propositions", "learn", "gaps.jsonl", "--model", "n", "--paper", *PARSED)
