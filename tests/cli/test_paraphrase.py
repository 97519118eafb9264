from __future__ import annotations

import gzip
import json

import pytest

from tests.cli.runner import run
from tests.paraphrase.toys import write_text


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paraphrase")
    text = write_text(folder)
    packed = folder / "text.txt.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    path = folder / "m.model"
    done = run(
        "paraphrase", "harvest", "pd", packed, "--model", path, "--min-count", 1, "--jobs", 1
    )
    assert (done.status, done.out) == (0, "")
    return path


def test_phrases_have_a_line_each_in_the_fixed_form(model, tmp_path):
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("rose to\nnever seen\n")
    done = run("paraphrase", "apply", model, phrases, "--k", 2)
    first, second = map(json.loads, done.lines)
    assert first["phrase"] == "rose to"
    assert [set(item) for item in first["paraphrases"]] == [{"text", "score"}] * 2
    assert first["paraphrases"][0]["text"] == "climbed to"
    assert second == {"phrase": "never seen", "paraphrases": []}
    assert "1 phrases have no paraphrases" in done.err


def test_show_names_the_contexts_that_are_shared(model):
    done = run("paraphrase", "show", model, "rose to", "--k", 1)
    assert done.lines[0] == "rose to: VBD TO; verb rise, past, active, positive"
    assert done.lines[1].endswith("climbed to")
    assert any("_" in line or ">" in line for line in done.lines[2:])
    unknown = run("paraphrase", "show", model, "flew over")
    assert unknown.status == 1
    assert "'flew over' is not known" in unknown.err


def test_sentences_are_rewritten_in_context(model):
    done = run("paraphrase", "in-context", model, "-", stdin="The price rose to ten dollars .\n")
    (found,) = map(json.loads, done.lines)
    assert (found["phrase"], found["start"], found["end"]) == ("rose to", 2, 4)
    assert found["paraphrases"][0]["sentence"] == "The price climbed to ten dollars ."


def test_models_are_combined(model, tmp_path):
    both = tmp_path / "both"
    done = run("paraphrase", "combine", model, model, "--model", both, "--weights", "1 0.5")
    assert done.status == 0
    assert run("paraphrase", "apply", both, "-", stdin="rose to\n").status == 0
    bad = run("paraphrase", "combine", model, model, "--model", both, "--weights", "one")
    assert (bad.status, "--weights must be numbers" in bad.err) == (2, True)


def test_bad_requests_and_bad_text_are_one_line(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    for arguments, status, said in (
        (["xx", empty], 2, "choose one of: br, pd, pivot"),
        (["pd", empty], 1, "no phrases in it"),
        (["pd", empty, "--as", "none"], 2, "choose one of: best, dirt, paper"),
        (["pivot", empty], 2, "its translation"),
        (["pd", tmp_path / "absent.gz"], 1, "cannot read it"),
        (["pd", empty, "--engine", "abacus"], 2, "unknown engine"),
    ):
        done = run("paraphrase", "harvest", *arguments, "--model", tmp_path / "m")
        assert (done.status, done.err.count("\n")) == (status, 1), done.err
        assert said in done.err


def test_evaluation_prints_the_scores(tmp_path):
    output, judged = tmp_path / "output.jsonl", tmp_path / "judged.jsonl"
    output.write_text('{"phrase": "a", "paraphrases": [{"text": "b", "score": 1}]}\n')
    judged.write_text('{"phrase": "a", "text": "b", "answers": [2, 1]}\n')
    done = run("evaluate", "paraphrases", output, "--judgements", judged, "--json")
    scores = json.loads(done.out)
    assert (scores["coverage"], scores["lenient@1"], scores["strict@1"]) == (1.0, 1.0, 0.5)
    table = run("evaluate", "paraphrases", output, "--judgements", judged)
    assert "coverage 1.000" in table.out
    neither = run("evaluate", "paraphrases", output)
    assert (neither.status, "--gold FOLDER or --judgements" in neither.err) == (2, True)
