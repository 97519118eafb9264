"""`treewright compress` with a small model of the sample corpus and the embedded parser."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import pytest

from treewright.cli import compress as command
from treewright.cli.outputs import draw_diff
from treewright.compression import Compressor, Input
from treewright.corpora import is_word
from treewright.learning.linear import CRF
from treewright.text import tokenize

from ..compression.toys import sample_pairs
from ..programs import TREEWRIGHT, run_in_terminal, run_program, started
from .runner import Run, fail, run, succeed

TEXT = (
    "The old minister, who was ill, resigned in Paris on Monday. "
    "Prices fell sharply in London, officials said."
)
LINES = ["Prices fell sharply in London yesterday.", "", "  ", "The old dog barks loudly."]


@pytest.fixture(scope="session")
def crf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model, trained a little."""
    path = tmp_path_factory.mktemp("model") / "crf.tw"
    CRF(iterations=10, min_count=1).fit(list(sample_pairs("train"))).model_.save(path)
    return path


@cache
def loaded(model: str, parser: str) -> Compressor:
    return Compressor.load(model, parser=parser)


@pytest.fixture(autouse=True)
def load_once(crf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep compressors from test to test; forked processes have them too."""
    monkeypatch.setattr(command, "_load", loaded)


@pytest.fixture
def shorten(crf: Path) -> Any:
    """Return what runs the command."""

    def call(*arguments: object, stdin: bytes | str = b"", status: int = 0) -> Run:
        result = run("compress", "--model", crf, *arguments, stdin=stdin)
        assert result.status == status, result.err
        assert "Traceback" not in result.err
        return result

    return call


@pytest.fixture
def refuse(crf: Path) -> Any:
    """Return what runs the command in vain."""

    def call(status: int, *arguments: object, stdin: bytes | str = b"") -> str:
        return fail(status, "compress", "--model", crf, *arguments, stdin=stdin)

    return call


def objects(result: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.lines]


def words(text: str) -> int:
    return sum(is_word(token.text) for token in tokenize(text))


def test_a_text(shorten: Any) -> None:
    found = shorten(TEXT)
    assert found.err == ""
    assert 0 < len(found.out) <= len(TEXT) + 1
    assert found.out.count("\n") == 1
    Path("t.txt").write_text(f"{TEXT}\n")
    for again in (
        shorten("--file", "t.txt"),
        shorten("--file", "-", stdin=TEXT),
        shorten(stdin=f"{TEXT}\n"),
        shorten("-", stdin=TEXT),
        shorten("--lines", stdin=TEXT),
        shorten("--jsonl", stdin=json.dumps(TEXT)),
    ):
        assert (again.out, again.err) == (found.out, "")


def test_what_stands_between_sentences_stays(shorten: Any) -> None:
    found = shorten(stdin="\n\nRain.\r\n\r\nSnow.\n\n")
    assert found.raw == b"Rain.\r\n\r\nSnow.\n"


@pytest.mark.parametrize("arguments", [[], ["--rate", "0.5"], ["--diff"]])
def test_every_line_gives_one_line(shorten: Any, arguments: list[str]) -> None:
    found = shorten("--lines", *arguments, stdin="\n".join(LINES))
    assert [bool(line) for line in found.lines] == [True, False, False, True]
    for given, line in zip(LINES, found.lines, strict=True):
        assert shorten(given, *arguments).out == f"{line}\n"
    texts = [json.dumps(f"{given}\nNobody\r\nknows why.") for given in LINES]
    assert len(shorten("--jsonl", *arguments, stdin="\n".join(texts)).lines) == len(LINES)


def test_tokenised_lines(shorten: Any) -> None:
    [found] = objects(shorten("--tokenized", "--json", stdin="The  old dog's barks\n"))
    assert found["tokens"] == ["The", "old", "dog's", "barks"]
    assert objects(shorten("The old dog's barks", "--tokenized", "--json")) == [found]
    tokens = json.dumps({"tokens": found["tokens"]})
    assert objects(shorten("--jsonl", "--json", stdin=tokens)) == [found]


def test_json(shorten: Any) -> None:
    [found] = objects(shorten(TEXT, "--json", "--rate", "0.6"))
    assert list(found)[:5] == ["text", "tokens", "kept", "tree", "score"]
    assert f"{found['text']}\n" == shorten(TEXT, "--rate", "0.6").out
    assert found["tokens"] == [token.text for token in tokenize(TEXT)]
    assert 0 < len(found["kept"]) < len(found["tokens"])
    assert found["tree"].count("(ROOT ") == 2
    assert found["met"] is True
    assert "id" not in found
    assert "sentences" not in found


def test_an_id_is_passed_on(shorten: Any) -> None:
    stdin = '{"id": [1, "x"], "text": "Prices fell."}\n{"text": "They rose."}\n{"id": 0, "text": 1}'
    Path("t.jsonl").write_text(stdin)
    found = objects(shorten("--file", "t.jsonl", "--json", status=1))
    assert [item.get("id") for item in found] == [[1, "x"], None, 0]
    assert "id" not in found[1]
    assert shorten("--file", "t.jsonl", status=1).lines[0] == found[0]["text"]


@pytest.mark.parametrize(
    ("limit", "number", "measure"),
    [
        ("--max-words", 5, words),
        ("--max-chars", 40, len),
        ("--max-tokens", 9, lambda text: len(tokenize(text))),
        ("--rate", 0.4, lambda text: words(text) / words(TEXT)),
    ],
)
def test_limits_are_kept(shorten: Any, limit: str, number: float, measure: Any) -> None:
    found = shorten(TEXT, limit, number)
    assert 0 < measure(found.out.rstrip("\n")) <= number
    assert found.err == ""


def test_a_limit_for_each_sentence(shorten: Any) -> None:
    [found] = objects(
        shorten(TEXT, "--max-words", 4, "--per", "sentence", "--json", "--alternatives", 1)
    )
    assert [words(part["text"]) <= 4 for part in found["sentences"]] == [True, True]
    assert words(found["text"]) > 4
    assert words(shorten(TEXT, "--max-words", 4).out) <= 4


def test_what_is_to_be_kept(shorten: Any) -> None:
    found = shorten(
        *(TEXT, "--rate", 0.5, "--grammar", "loose"),
        *("--keep", "monday", "--keep", "/shar.*/", "--keep", "Paris"),
    )
    for word in ("Monday", "sharply", "Paris"):
        assert word.lower() in found.out.lower()
    assert words(found.out) <= words(TEXT) / 2


def test_a_limit_that_cannot_be_met(shorten: Any) -> None:
    found = shorten(TEXT, "--max-words", "1", "--drop-sentences", "never")
    assert found.err == (
        "the output exceeds the limit (--max-words 1): nothing admissible fits; "
        "--grammar loose cuts further\n"
    )
    assert words(found.out) == 5, "as long as English needs"
    stdin = f"{TEXT}\nPrices fell.\n{TEXT}\n"
    found = shorten("--lines", "--max-words", "2", "--drop-sentences", "never", stdin=stdin)
    assert found.err == (
        "2 of 3 outputs exceed the limit (--max-words 2): nothing admissible fits; "
        "--grammar loose cuts further\n"
    )
    assert [
        item["met"]
        for item in objects(
            shorten("--lines", "--json", "--max-words", 2, "--drop-sentences", "never", stdin=stdin)
        )
    ] == [
        False,
        True,
        False,
    ]


def test_a_contradiction(shorten: Any, refuse: Any) -> None:
    demands = ["--max-words", "1", "--keep", "Paris", "--keep", "Monday"]
    message = refuse(1, TEXT, *demands)
    assert message == (
        "what is to be kept (Paris Monday) has 2 words, the limit is 1; "
        "raise the limit or keep less"
    )
    assert refuse(1, *demands, stdin=TEXT) == f"-: {message}"
    stdin = f"Prices fell.\n{TEXT}\n"
    demands += ["--grammar", "loose"]
    found = shorten("--lines", *demands, stdin=stdin, status=1)
    assert found.lines[1] == TEXT
    assert found.err == (
        f"unchanged: -:2: {message}\n"
        "1 line passed through unchanged (--strict stops at the first)\n"
    )
    [_, found] = objects(shorten("--lines", "--json", *demands, stdin=stdin, status=1))
    assert (found["text"], found["error"]) == (TEXT, f"-:2: {message}")


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "another encoding": ("ein Bär".encode("latin-1"), "-:2:6: byte 0xe4 is not UTF-8"),
    "a NUL byte": (b"a\x00b", "-:2:2: a NUL byte; the file is not text"),
    "too long": (b"x" * 300_000, "-:2: a text of more than 262144 characters"),
    "too many words": (b"word " * 1001 + b"end", "-:2: a sentence of 1002 tokens, the limit is"),
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_never_loses_the_rest(name: str, jobs: int, shorten: Any) -> None:
    bad, message = BAD_LINES[name]
    good = shorten("--lines", stdin="Prices fell.\n\nThey rose.\n").raw.split(b"\n")
    stdin = b"Prices fell.\n" + bad + b"\nThey rose.\n"
    found = shorten("--lines", "--jobs", jobs, stdin=stdin, status=1)
    assert found.raw.split(b"\n") == [good[0], bad, good[2], b""]
    assert found.err.startswith(f"unchanged: {message}")
    what = "sentence" if name == "too many words" else "line"
    end = f"1 {what} passed through unchanged (--strict stops at the first)\n"
    assert found.err.endswith(end)
    shorten("--lines", "--output", "out", stdin=stdin, status=1)
    assert Path("out").read_bytes() == found.raw
    described = objects(shorten("--lines", "--json", stdin=stdin, status=1))
    assert message in described[1]["error"]
    assert described[1]["text"] == bad.decode("utf-8", "replace")
    assert {"tokens", "kept", "tree", "score"} <= set(described[1])
    assert "error" not in described[0]


@pytest.mark.parametrize("name", BAD_LINES)
def test_strict_stops_at_the_first(name: str, shorten: Any, refuse: Any) -> None:
    bad, message = BAD_LINES[name]
    found = shorten("--lines", "--strict", stdin=b"Rain.\n" + bad + b"\nx\n", status=1)
    assert found.out == "Rain.\n"
    assert found.err.startswith(f"treewright: {message}")
    assert found.err.count("\n") == 1
    assert refuse(1, "--lines", "--strict", "-o", "out", stdin=b"\n" + bad).startswith(message)
    assert not Path("out").exists()


def test_bad_json_is_passed_on_as_it_is(shorten: Any) -> None:
    stdin = '{"text": "Rain."}\n{nonsense}\n[]\n'
    found = shorten("--jsonl", stdin=stdin, status=1)
    assert found.lines == ["Rain.", "{nonsense}", "[]"]
    assert "unchanged: -:2:2: not JSON" in found.err
    assert found.err.endswith("2 lines passed through unchanged (--strict stops at the first)\n")


def test_a_document_that_is_no_text(refuse: Any) -> None:
    assert refuse(1, stdin=b"good\nB\xe4r\n").startswith("-:2:2: byte 0xe4 is not UTF-8")
    assert refuse(1, stdin="x" * 300_000).startswith("-: a text of more than 262144 characters")


def test_a_sentence_of_a_document_that_cannot_be_worked_on(shorten: Any) -> None:
    long = "word " * 1001 + "end."
    found = shorten(stdin=f"Prices fell.\n\n{long} They rose.\n", status=1)
    assert long in found.out
    assert found.err == (
        "unchanged: -:3: a sentence of 1003 tokens, the limit is 1000; it stays as it is\n"
        "1 sentence passed through unchanged (--strict stops at the first)\n"
    )
    assert "unchanged: a sentence of" in shorten(long, status=1).err


def test_many_problems_are_counted_not_all_shown(shorten: Any) -> None:
    found = shorten("--lines", stdin=b"\xff\n" * 50, status=1)
    assert found.raw == b"\xff\n" * 50
    assert found.err.count("unchanged: ") == 20
    assert found.err.endswith("50 lines passed through unchanged (--strict stops at the first)\n")


@pytest.mark.parametrize("form", ["--lines", "--json", "--diff", "--explain"])
def test_several_jobs_give_the_same_bytes(form: str, shorten: Any) -> None:
    some = [" ".join(pair.source.words()) for pair in sample_pairs("test")][:8]
    lines = [some[number % 8] + f" {number}" for number in range(150 if form == "--lines" else 70)]
    arguments = ["--lines", form, "--rate", "0.6"]
    one, two = (
        shorten(*arguments, "--jobs", jobs, stdin="\n".join([*lines, "\x00"]), status=1)
        for jobs in (1, 2)
    )
    assert one.raw == two.raw
    assert one.err == two.err
    if form != "--explain":
        assert len(one.lines) == len(lines) + 1


def test_an_engine_gives_the_same_bytes(shorten: Any) -> None:
    lines = [" ".join(pair.source.words()) for pair in sample_pairs("test")][:8]
    arguments = ["--lines", "--rate", "0.6"]
    stdin = "\n".join([*lines * 9, "\x00"])
    here, there = (
        shorten(*arguments, *engine, stdin=stdin, status=1)
        for engine in ([], ["--engine", "embedded"])
    )
    assert (here.raw, here.err) == (there.raw, there.err)


def test_a_diff(shorten: Any) -> None:
    found = shorten(TEXT, "--diff", "--rate", 0.5).out.rstrip("\n")
    assert "[-" in found
    assert found.replace("[-", "").replace("-]", "") == TEXT


@pytest.mark.parametrize(
    ("source", "spans", "marked"),
    [
        ("a b c", [(0, 5)], "a b c"),
        ("a b c", [(0, 2), (4, 5)], "a [-b -]c"),
        ("a b c", [], "[-a b c-]"),
        ("fox, who ran, jumped", [(0, 3), (4, 5), (14, 20)], "fox[-, who ran,-] jumped"),
        ("a, b c, d", [(0, 1), (2, 3), (5, 6), (8, 9)], "a[-, b-] c[-, -]d"),
        (" a\n\nb ", [(1, 2), (2, 4), (4, 5)], "a\n\nb"),
        ("He said “go”.", [(0, 12), (12, 13)], "He said “go”."),
        ("“go” now.", [(0, 3), (8, 9), (3, 4)], "“go”[- now-]."),
    ],
)
def test_what_is_deleted_is_marked(source: str, spans: list[tuple[int, int]], marked: str) -> None:
    assert draw_diff(source, spans) == marked
    struck = draw_diff(source, spans, styled=True)
    assert struck.replace("\x1b[9;31m", "[-").replace("\x1b[0m", "-]") == marked


def test_a_diff_moves_no_cursor() -> None:
    struck = draw_diff("a \x1b[2J\tb\n", [(0, 2)], styled=True)
    assert struck == "a \x1b[9;31m␛[2J\tb\x1b[0m"


def test_an_explanation(shorten: Any) -> None:
    lines = shorten(TEXT, "--explain", "--rate", 0.5, "--alternatives", 2).lines
    for heading in ("deleted", "versions, the output first"):
        assert lines.count(heading) >= 1
    assert any(line.startswith("tree before") for line in lines)
    assert any(line.startswith("  - ") and "probability" in line for line in lines)
    assert any(line.startswith("    rule     ") for line in lines)
    assert any(line.startswith("    if kept  ") for line in lines)
    assert max(len(line) for line in lines if "[-" not in line) <= 80
    short = shorten("Rain.", "--explain", "--alternatives", 0).lines
    assert short[:4] == ["Rain.", "", "nothing deleted", ""]
    assert "versions, the output first" not in short


def test_an_explanation_as_json(shorten: Any) -> None:
    [found] = objects(shorten(TEXT, "--explain", "--json", "--rate", 0.5))
    [first, second] = found["sentences"]
    assert first["source"] + " " + second["source"] == TEXT
    for part in found["sentences"]:
        assert {"text", "source", "kept", "tree", "source_tree", "score"} <= set(part)
        assert 1 <= len(part["alternatives"]) <= 3
        for deletion in part["deletions"]:
            assert {"text", "tokens", "label", "rule", "score", "probability"} <= set(deletion)
    assert first["deletions"] or second["deletions"]


def test_the_number_of_alternatives(shorten: Any, refuse: Any) -> None:
    [found] = objects(shorten("Prices fell sharply.", "--json", "--alternatives", 1))
    [part] = found["sentences"]
    assert len(part["alternatives"]) == 1
    assert part["deletions"] == []
    message = "--alternatives are shown by --json and --explain; give one of them"
    assert refuse(2, TEXT, "--alternatives", "2") == message


def test_wrong_requests(refuse: Any) -> None:
    for arguments, message in (
        (["a", "--file", "t.txt"], "a TEXT and --file contradict each other; give one of them"),
        (["a", "--jsonl"], "--jsonl is for files and stdin"),
        (["a", "--json", "--diff"], "--diff contradicts --json and --explain"),
        (["a", "--rate", "0.5", "--max-words", "3"], "rate and max_words contradict each other"),
        (["a", "--rate", "1.5"], "rate must be above 0 and at most 1, found 1.5"),
        (["a", "--max-chars", "0"], "max_chars must be a whole number of at least 1"),
        (["a", "--per", "page"], "unknown scope 'page'; choose one of: sentence, text"),
        (["a", "--keep", "/(/"], "keep /(/: "),
        (["a", "--parser", "malt"], "unknown parser 'malt'; choose one of: embedded, "),
        (["--parser", "file=-"], "only one of the inputs can be -"),
        (["--file", "t.txt", "--model", "-", "--jobs", "2"], "must be files, not -"),
        (["--file", "t.txt", "--engine", "embedded"], "--engine is for many texts"),
        (["--file", "t.txt", "--lines", "--engine", "x"], "unknown engine 'x'"),
        (["a", "--model", "nwes"], "there is no model 'nwes'; choose one of news, headline"),
    ):
        assert message in refuse(2, *arguments)
    Path("t.txt").write_text("a\n")
    assert "is also an input" in refuse(2, "--file", "t.txt", "-o", "t.txt")
    assert "is also an input" in refuse(2, "a", "--model", "t.txt", "-o", "t.txt")
    assert "cannot write it" in refuse(1, "a", "-o", "missing/out")
    assert "none: cannot read it: No such file" in refuse(1, "--file", "none")
    for arguments in (["a", "b"], ["a", "--jobs", "0"], ["a", "--max-words", "x"]):
        assert run("compress", *arguments).status == 2


def test_demands_that_match_nothing_are_told_once(shorten: Any) -> None:
    demands = ["--keep", "nubmers", "--keep", "Paris", "--keep", "/Rome/", "--keep", "code"]
    found = shorten(TEXT, *demands)
    assert found.err == (
        "--keep /Rome/ matches nothing in the input\n"
        "--keep nubmers matches nothing in the input; for the class, write --keep numbers\n"
    )
    lines = "Prices fell.\nThe old dog barks.\n" * 40
    for jobs in (1, 2):
        arguments = ["--lines", "--keep", "dog", "--keep", "cat", "--jobs", jobs]
        found = shorten(*arguments, "--max-words", 3, stdin=lines)
        assert found.err == "--keep cat matches nothing in the input\n"
    assert shorten("--lines", "--keep", "dog", stdin="").err == "-: no lines in it\n"


def test_json_has_the_tree_of_what_stays(shorten: Any) -> None:
    [found] = objects(shorten("Prices fell.", "--max-words", 9, "--json"))
    assert found["text"] == "Prices fell."
    assert found["tree"].startswith("(ROOT (S ")
    assert found["score"] < 0.0


def test_nothing_in_it(shorten: Any) -> None:
    assert (shorten("--lines").out, shorten("--lines").err) == ("", "-: no lines in it\n")
    assert shorten(stdin="").out == "\n"
    assert shorten("").out == "\n"


def test_a_damaged_model_is_one_line(crf: Path) -> None:
    whole = crf.read_bytes()
    for content in (b"", whole[: len(whole) // 2], b"(S x)"):
        Path("m.tw").write_bytes(content)
        assert fail(1, "compress", "a", "--model", "m.tw").startswith("m.tw: ")


def test_other_models_work_too(shorten: Any, model: Path, pairs: Path) -> None:
    succeed("train", "deletion", pairs, "--model", "d.tw")
    for path in (model, "d.tw"):
        found = shorten(TEXT, "--model", path, "--rate", 0.6, "--explain")
        assert "deleted" in found.lines


def test_output_streams(crf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch is out before the next is read, and what was read is gone from memory."""
    seen: list[int] = []

    class Stream:
        """Standard output that says how much of the input was read when it is flushed."""

        def __init__(self) -> None:
            self.number = 0

        def write(self, data: bytes) -> int:
            self.number += 1
            return len(data)

        def flush(self) -> None:
            seen.append(self.number)

        def isatty(self) -> bool:
            return False

    source = type("Endless", (), {"read": lambda self: items()})()

    def items() -> Iterator[Any]:
        for number in range(200):
            assert sum(seen[-1:]) >= number // 64 * 64
            yield Input("a", "", "")

    job = command_job(crf)
    report = command._Report(strict=False, alone=False, limit={}, may_break=False)
    command._run(job, source, 1, None, Stream(), report)  # type: ignore[arg-type]
    assert seen == [64, 128, 192, 200]
    assert report.total == 200


def command_job(model: Path) -> Any:
    from functools import partial

    from treewright.compression import Request
    from treewright.compression.streaming import Job

    return Job(
        load=partial(loaded, str(model), "embedded"), request=Request(), finish=command.Form()
    )


def test_the_model_may_come_from_standard_input(crf: Path) -> None:
    given = ["compress", TEXT, "--rate", "0.5", "--model"]
    done = run_program(*TREEWRIGHT, *given, "-", input=crf.read_bytes())
    assert done.stdout.decode() == succeed(*given, crf).out


def test_the_interrupt_key_ends_all_processes(crf: Path) -> None:
    arguments = ["compress", "--model", crf, "--lines", "--jobs", "2"]
    with started(*TREEWRIGHT, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        process.stdin.write(b"Prices fell.\n" * 64 * 8)
        process.stdin.flush()
        assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        # Both ends come only when every process that has the streams is gone.
        process.stdout.read()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait() == 130


@pytest.mark.parametrize("jobs", [1, 2])
def test_lines_of_a_live_pipe_come_out_one_by_one(crf: Path, jobs: int) -> None:
    arguments = ["compress", "--model", crf, "--lines", "--jobs", jobs]
    with started(*TREEWRIGHT, *arguments, stdin=PIPE, stdout=PIPE) as process:
        for line in (b"Prices fell.", b"The dog barks.", b""):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == line + b"\n"
        assert process.communicate()[0] == b""
        assert process.returncode == 0


def test_the_program_in_a_terminal(crf: Path) -> None:
    """There the diff is red; but not if the user wants no colours."""
    arguments = ["compress", "--model", crf, "--diff", "--max-words", "4", TEXT]
    for colours, marks in (({"NO_COLOR": ""}, b"\x1b[9;31m"), ({"NO_COLOR": "1"}, b"[-")):
        status, shown = run_in_terminal(
            *TREEWRIGHT,
            *arguments,
            streams=("stdin", "stdout"),
            stderr=DEVNULL,
            env={**os.environ, "TERM": "xterm", **colours},
        )
        assert status == 0
        assert marks in shown


GERMAN = "Der alte Minister ist am Montag in Paris zurückgetreten."


def test_what_is_not_english_prose_stays_and_is_reported_once(shorten: Any) -> None:
    lines = "\n".join([TEXT, GERMAN, "total = sum(items);", GERMAN])
    found = shorten("--lines", stdin=lines)
    assert found.lines[1:] == [GERMAN, "total = sum(items);", GERMAN]
    assert found.err == (
        "3 parts of the input are not English prose and stay unchanged: 2 in another language, "
        "1 code (--language any shortens everything)\n"
    )
    one = shorten(GERMAN, "--rate", "0.5")
    assert one.out == f"{GERMAN}\n"
    assert "1 part of the input is not English prose and stays unchanged: 1 in another" in one.err
    assert "exceeds the limit" in one.err


def test_any_language_can_be_shortened(shorten: Any) -> None:
    found = shorten(GERMAN, "--rate", "0.5", "--language", "any")
    assert words(found.out) <= words(GERMAN) / 2
    assert found.err == ""


def test_an_unknown_language_is_refused(refuse: Any) -> None:
    assert "unknown language 'de'; choose one of: any, en" in refuse(2, GERMAN, "--language", "de")


def test_why_a_sentence_was_left_is_in_json_and_in_the_explanation(shorten: Any) -> None:
    [found] = objects(shorten(f"{TEXT} {GERMAN}", "--json", "--explain"))
    assert found["left"] == {"foreign": 1}
    assert [part.get("left") for part in found["sentences"]] == [None, None, "foreign"]
    explained = shorten(GERMAN, "--explain").out
    assert "unchanged  not English prose: in another language" in explained


def test_warnings_name_what_is_gone_line_by_line(shorten: Any) -> None:
    stdin = "It rained.\nThe farmer sold forty cows on Monday, a neighbour said.\n"
    found = shorten("--lines", "--warn", "--max-words", 5, stdin=stdin)
    lines = found.err.splitlines()
    assert lines
    assert all(re.fullmatch(r"-:2: dropped [a-z]+: .+", line) for line in lines)
    assert shorten("--lines", "--max-words", 5, stdin=stdin).out == found.out
    [rain, cows] = objects(shorten("--lines", "--json", "--warn", "--max-words", 5, stdin=stdin))
    assert rain["warnings"] == []
    described = [f"-:2: dropped {item['class']}: {item['text']}" for item in cows["warnings"]]
    assert described == lines
    for item in cows["warnings"]:
        assert not set(range(*item["tokens"])) & set(cows["kept"])
    assert "warnings" not in objects(shorten("--lines", "--json", stdin=stdin))[0]


def test_strict_faithfulness_keeps_what_qualifies(shorten: Any, refuse: Any) -> None:
    text = "The lake often freezes in winter."
    assert "often" in shorten(text, "--faithful", "strict", "--max-words", 4).out
    assert "often" not in shorten(text, "--faithful", "normal", "--max-words", 3).out
    message = refuse(2, text, "--faithful", "strickt")
    assert message.startswith("unknown way to be faithful 'strickt'; choose one of: normal, strict")
