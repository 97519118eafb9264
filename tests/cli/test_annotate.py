from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from treewright.annotation import Study

from .runner import fail, run, succeed

PD = {"phrase": "was announced", "paraphrases": [{"text": "was declared"}, {"text": "was hidden"}]}
BR = {"phrase": "will reopen", "paraphrases": [{"text": "will open again"}, {"text": "shuts"}]}
TEXT = "It was announced on Monday .\nThe bridge will reopen in June .\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("PD.jsonl").write_text(json.dumps(PD) + "\n")
    Path("br.out").write_text(json.dumps(BR) + "\n")
    Path("text").write_text(TEXT)
    Path("props.tsv").write_text("".join(f"Cooks can cook {i}\n" for i in range(13)))
    return tmp_path


def make(*arguments: object) -> str:
    return succeed("annotate", "make", *arguments, "--study", "s").err


def test_from_paraphrases_to_scores() -> None:
    told = make("paraphrases", "PD.jsonl", "BR=br.out", "--sentences", "text", "--csv", "t.csv")
    study = Study.load("s")
    assert told == f"items: 4 (PD, BR), pages: 1, sheets: 3, study: {study.id}\n"
    [row] = csv.DictReader(Path("t.csv").read_text().splitlines())
    answers = ["WorkerId,Input.page," + ",".join(f"Answer.item{i}_meaning" for i in range(1, 7))]
    for worker in ("W1", "W2", "W3"):
        cells = []
        for slot in study.pages[0].slots:
            if slot.kind == "test":
                cells.append(study.tests[slot.index].answers["meaning"][0])
            else:
                [origin] = study.items[slot.index].origins
                good = origin.system == "BR" or (origin.rank == 1 and worker != "W3")
                cells.append("2" if good else "0")
        answers.append(f"{worker},{row['page']},{','.join(cells)}")
    Path("a.csv").write_text("\n".join(answers) + "\n")
    options = ["--keep-outliers", "--items", "i.jsonl", "--judgements", "j.csv"]
    report = json.loads(succeed("annotate", "collect", "s", "a.csv", "--json", *options).out)
    scores = {
        (each["system"], each["criterion"]): (each["aggregate"], each["majority"])
        for each in report["scores"]
    }
    assert scores["BR", "strict"] == (1, 1)
    assert scores["PD", "lenient"] == (pytest.approx(1 / 3), 0.5)
    assert report["agreement"]["meaning"]["raw"] == pytest.approx((3 + 1 / 3) / 4)
    assert report["variance"]["lenient"]["differences"][0]["first"] == "PD"
    rows = [json.loads(line) for line in Path("i.jsonl").read_text().splitlines()]
    assert {row["phrase"] for row in rows} == {"was announced", "will reopen"}
    assert rows[0]["scores"]["strict"] == pytest.approx(2 / 3)
    listed = list(csv.DictReader(Path("j.csv").read_text().splitlines()))
    assert len(listed) == 18
    assert {row["status"] for row in listed} == {"counted"}
    shown = succeed("annotate", "collect", "s", "a.csv", "--keep-outliers").out
    for title in ("Answers", "Agreement", "Scores", "Differences: lenient"):
        assert title in shown
    # The list of judgements is a file of answers, too.
    again = succeed("annotate", "collect", "s", "j.csv", "--json", "--keep-outliers").out
    assert json.loads(again)["scores"] == report["scores"]


def test_the_same_seed_gives_the_same_files() -> None:
    pages = []
    for seed in (1, 1, 2):
        options = ["--tests-per-page", 0, "--no-repeat", "--seed", seed, "--html", "p"]
        make("propositions", "props.tsv", *options)
        pages.append((Path("s").read_bytes(), Path("p").read_bytes()))
    assert pages[0] == pages[1]
    assert pages[0] != pages[2]


def test_bad_answers_are_skipped_and_tell_by_the_status() -> None:
    make("propositions", "props.tsv", "--tests-per-page", 0, "--no-repeat", "--csv", "t.csv")
    Path("a.csv").write_text("annotator,slot,answer\nA,1-1,yes\nA,1-2,maybe\nA,77,yes\n")
    result = run("annotate", "collect", "s", "a.csv", "--json")
    assert result.status == 1
    assert "skipped: a.csv:3: 'maybe' is no answer to 'sensible'" in result.err
    assert "2 answers skipped (--strict stops at the first)" in result.err
    assert json.loads(result.out)["counts"]["judgements_counted"] == 1
    assert "a.csv:3: 'maybe'" in fail(1, "annotate", "collect", "s", "a.csv", "--strict")


def test_late_answers() -> None:
    make("propositions", "props.tsv", "--tests-per-page", 0, "--no-repeat", "--csv", "t.csv")
    Path("a.csv").write_text("annotator,slot,answer,time\nA,1-1,yes,2026-11-17T10:00Z\n")
    collect = ["annotate", "collect", "s", "a.csv", "--json", "--until"]
    assert json.loads(succeed(*collect, "2026-11-17T09:00Z").out)["counts"]["late"] == 1
    assert json.loads(succeed(*collect, "2026-11-17T11:00Z").out)["counts"]["late"] == 0
    assert "--until: 'soon' is not a time" in fail(1, *collect, "soon")


@pytest.mark.parametrize(
    ("status", "arguments", "message"),
    [
        (2, ["propositions", "props.tsv"], "say what to write: --html FILE, --csv FILE, or both"),
        (2, ["nothing", "props.tsv", "--csv", "t"], "there is no form 'nothing'"),
        (2, ["propositions", "=x", "--csv", "t"], "expected SYSTEM=FILE, found '=x'"),
        (2, ["propositions", "props.tsv", "--csv", "t"], "give some with --tests"),
        (2, ["propositions", "props.tsv", "--csv", "props.tsv"], "is also an input"),
        (2, ["paraphrases", "PD.jsonl", "--csv", "t"], "give tests of your own with --tests"),
        (2, ["propositions", "props.tsv", "--csv", "t", "--sentences", "text"], "is for paraphras"),
        (2, ["compressions", "props.tsv", "--csv", "t", "--tests", "text"], "has no effect"),
        (2, ["compressions", "props.tsv", "--csv", "t", "--annotators", 1], "3 judgements of each"),
        (2, ["compressions", "props.tsv", "--csv", "-", "--html", "-"], "only one of --study"),
        (1, ["compressions", "none", "--csv", "t"], "none: cannot read it"),
    ],
)
def test_what_cannot_be_made_is_said(status: int, arguments: list[str], message: str) -> None:
    assert message in fail(status, "annotate", "make", *arguments, "--study", "s")
    assert not Path("s").exists()


def test_a_phrase_without_a_sentence_is_reported_and_shown_alone() -> None:
    Path("more.jsonl").write_text(json.dumps({**PD, "phrase": "sank"}) + "\n")
    told = make(
        "paraphrases", "PD.jsonl", "br.out", "more.jsonl", "--sentences", "text", "--csv", "t"
    )
    assert "shown without a sentence, as none contains them: 'sank'\n" in told
    assert len(Study.load("s").items) == 6


def test_collect_needs_a_study_and_leaves_stdout_to_the_report() -> None:
    assert "not a study" in fail(1, "annotate", "collect", "text", "text")
    told = fail(2, "annotate", "collect", "s", "a.csv", "--items", "-")
    assert "standard output has the report" in told
