"""`main`: exit statuses, one line on stderr, streams; and the real program in its own process."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE, CompletedProcess
from unittest import mock

import pytest
from typer.testing import CliRunner

from treewright import __version__
from treewright.cli.app import app
from treewright.learning import EM

from ..programs import TREEWRIGHT, run_in_terminal, run_program, started
from .runner import fail, run, succeed, succeed_in_part


def test_help_names_every_command() -> None:
    text = succeed("--help").out
    for name in ("corpus", "demo", "evaluate", "extract", "grammar", "plot", "relations", "train"):
        assert f"\n  {name} " in text


@pytest.mark.parametrize(
    "command",
    [
        ["demo"],
        ["relations"],
        ["extract"],
        ["transduce"],
        ["evaluate"],
        *[["corpus", name] for name in ("check", "stats", "split", "convert")],
        *[
            ["train", name]
            for name in ("em", "vb", "gibbs", "crf", "svm", "perceptron", "deletion")
        ],
        *[["grammar", name] for name in ("show", "stats", "diff")],
        *[["plot", name] for name in ("trace", "rates", "losses")],
        *[["annotate", name] for name in ("make", "collect")],
    ],
    ids=" ".join,
)
def test_every_command_has_help(command: list[str]) -> None:
    for option in ("-h", "--help"):
        result = CliRunner().invoke(app, [*command, option])
        assert result.exit_code == 0
        assert result.output.startswith("Usage: ")


def test_the_version() -> None:
    assert succeed("--version").out == f"treewright {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["relations"],
        ["train", "em", "x.jsonl"],
        ["relations", "--nonsense", "x"],
        ["transduce", "m", "t", "--max-words", "many"],
        ["transduce", "m", "t", "--nbest", "0"],
        ["evaluate", "s", "p", "--target", "-1"],
    ],
)
def test_a_request_that_cannot_be_read_is_status_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["transduce", "m", "t", "--rate", "0.5", "--max-words", "3"], "rate and max_words"),
        (["transduce", "m", "t", "--rate", "1.5"], "rate must be above 0 and at most 1, found 1.5"),
        (["transduce", "m", "t", "--format", "xml"], "choose one of: json, text, trees"),
        (["transduce", "-", "-"], "only one of the inputs can be -"),
        (["evaluate", "-", "-"], "only one of the inputs can be -"),
        (["evaluate", "s", "p", "--against", "s"], "--against s is the same file"),
        (["evaluate", "s", "p", "--test", "t"], "unknown test 't'; choose one of: bootstrap"),
        (["grammar", "diff", "-", "-"], "only one of the inputs can be -"),
        (["grammar", "show", "m", "--by", "x"], "unknown order 'x'; choose one of: count, weight"),
        (["plot", "trace", "t", "--out", "t.gif"], "ends in one of .svg, .png, .pdf"),
        (["plot", "trace", "t.svg", "--out", "t.svg"], "is also an input or another output"),
        (["plot", "rates", "p", "m", "--out", "-"], "cannot draw -: name a file"),
        (["plot", "rates", "p", "=m", "--out", "r.svg"], "expected NAME=MODEL, found '=m'"),
        (["plot", "rates", "p", "m", "--out", "r.svg", "--rates", "x"], "expected --rates NUMBER"),
        (
            ["plot", "rates", "p", "m", "--out", "r.svg", "--rates", "7"],
            "rate must be above 0 and at most 1, found 7",
        ),
        (["plot", "rates", "-", "-", "--out", "r.svg"], "only one of the inputs can be -"),
        (
            ["plot", "losses", "p", "--dev", "d", "--out", "r.svg", "--c", "x"],
            "expected --c NUMBER",
        ),
        (["plot", "losses", "p", "--dev", "d", "--out", "r.svg", "--c", "0"], "c must be positive"),
        (["plot", "losses", "p", "--dev", "d", "--out", "r.svg", "--losses", "x"], "unknown loss"),
        (["plot", "losses", "-", "--dev", "-", "--out", "r.svg"], "only one of the inputs can be"),
        (["plot", "losses", "p", "--dev", "d", "--out", "-"], "cannot draw -: name a file"),
        (["train", "em", "p", "--model", "m", "--alpha", "0.5"], "alpha must be at least 1"),
        (["train", "vb", "p", "--model", "m", "--beta", "1"], "beta must lie between 0 and 1"),
        (["train", "em", "p", "--model", "m", "--smoothing", "x"], "choose one of: flat, plain"),
        (["train", "em", "p", "--model", "m", "--iterations", "0"], "iterations must be at least"),
        (["train", "em", "p", "--model", "m", "--parts", "0"], "parts must be at least 1"),
        (["train", "em", "p", "--model", "m", "--grid", "kappa=1"], "--grid needs --dev"),
        (["train", "em", "p", "--model", "-", "--dev", "d"], "--dev prints scores on stdout"),
        (["train", "em", "-", "--model", "m", "--dev", "-"], "only one of the inputs can be -"),
        (
            ["train", "em", "p", "--model", "m", "--dev", "d", "--grid", "beta=1"],
            "unknown grid setting 'beta'; choose from: alpha",
        ),
        (
            ["train", "em", "p", "--model", "m", "--dev", "d", "--grid", "kappa=x"],
            "expected --grid kappa=NUMBER,NUMBER,…, found 'kappa=x'",
        ),
        (["corpus", "split", "p", "--part", "x"], "expected --part FILE=SIZE"),
        (["corpus", "split", "p", "--part", "x=1", "--method", "m"], "choose one of: contiguous"),
        (["corpus", "convert", "-", "-"], "only one of the files can be standard input"),
    ],
)
def test_a_request_that_makes_no_sense_is_status_2(arguments: list[str], message: str) -> None:
    assert message in fail(2, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["relations", "none"],
        ["relations", "none.jsonl"],
        ["extract", "none"],
        ["train", "em", "none", "--model", "m"],
        ["train", "em", "none", "--model", "m", "--config", "none"],
        ["transduce", "none", "t"],
        ["evaluate", "none", "none"],
        ["corpus", "check", "none"],
        ["corpus", "stats", "none"],
        ["corpus", "split", "none", "--part", "a=1"],
        ["corpus", "convert", "none", "none"],
        ["grammar", "show", "none"],
        ["grammar", "stats", "none"],
        ["grammar", "diff", "none", "none"],
        ["plot", "trace", "none", "--out", "t.svg"],
        ["plot", "rates", "none", "m", "--out", "r.svg"],
        ["plot", "losses", "none", "--dev", "none", "--out", "r.svg"],
    ],
    ids=" ".join,
)
def test_a_missing_file_is_status_1(arguments: list[str]) -> None:
    message = fail(1, *arguments)
    assert message.startswith("none")
    assert message.endswith("cannot read it: No such file or directory")


def test_a_directory_is_status_1(tmp_path: Path) -> None:
    assert "Is a directory" in fail(1, "relations", tmp_path)
    assert "Is a directory" in fail(1, "grammar", "show", tmp_path)


def test_what_cannot_be_written_is_status_1(pairs: Path, tmp_path: Path) -> None:
    message = fail(1, "train", "em", pairs, "--model", "none/m.tw", "--iterations", "1")
    assert message == "none/m.tw: cannot write it: No such file or directory"
    message = fail(1, "extract", pairs, "--model", tmp_path)
    assert message == f"{tmp_path}: cannot write it: Is a directory"


def test_the_interrupt_key(pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EM, "fit_prepared", mock.Mock(side_effect=KeyboardInterrupt))
    found = run("train", "em", pairs, "--model", "m.tw")
    assert (found.status, found.raw) == (130, b"")
    assert "Traceback" not in found.err


def program(*arguments: object, stdin: bytes = b"") -> CompletedProcess[bytes]:
    return run_program(*TREEWRIGHT, *arguments, input=stdin, check=False)


def test_the_program_in_its_own_process() -> None:
    done = program("relations", "-", stdin="(S (NP (NN kůň)) (VP (VBZ žere)))\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"relations": [["nsubj", 2, 1]]}
    done = program("relations", "none")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"treewright: none: cannot read it: No such file or directory\n"
    done = program("transduce", "none", "none", "--rate", "7")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"treewright: rate must be above 0 and at most 1, found 7.0\n"


def test_data_is_utf8_whatever_the_locale(pairs: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = run_program(*TREEWRIGHT, "extract", pairs, env=environment)
    assert "ε" in done.stdout.decode("utf-8")


def test_a_closed_standard_output_is_one_line() -> None:
    command = shlex.join([*TREEWRIGHT, "relations", "-"])
    done = run_program("sh", "-c", f"{command} >&-", stdin=DEVNULL, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        b"treewright: standard output is closed; send it to a file or to /dev/null\n"
    )


def test_a_reader_that_stops_early_is_no_error(pairs: Path) -> None:
    """`treewright extract … | head -1` must not end in a complaint about the pipe."""
    with started(*TREEWRIGHT, "extract", pairs, stdout=PIPE, stderr=PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@pytest.mark.parametrize("arguments", [["--help"], ["corpus", "check"], ["relations"]])
def test_commands_without_kernels_do_not_load_numba(arguments: list[str], pairs: Path) -> None:
    paths = [] if arguments == ["--help"] else [str(pairs)]
    script = (
        "import sys\n"
        f"sys.argv = ['treewright', *{arguments + paths!r}]\n"
        "from treewright.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    heavy = {'numba', 'scipy', 'matplotlib'} & set(sys.modules)\n"
        "    sys.stderr.write(str(sorted(heavy)))\n"
    )
    done = run_program(sys.executable, "-c", script)
    assert done.stderr.endswith(b"[]")


def test_data_goes_to_stdout_while_a_bar_is_drawn(model: Path, pairs: Path, tmp_path: Path) -> None:
    """With stderr on a terminal, a progress bar must not carry the data off to it."""
    out = tmp_path / "out"
    command = [*TREEWRIGHT, "transduce", model, pairs]
    with out.open("wb") as stdout:
        status, shown = run_in_terminal(*command, streams=("stderr",), stdout=stdout)
    assert status == 0
    assert b"rewriting" in shown
    assert b"(ROOT" not in shown
    assert out.read_text() == succeed("transduce", model, pairs).out


def test_an_output_never_overwrites_an_input(pairs: Path) -> None:
    before = pairs.read_bytes()
    for arguments in (
        ["train", "em", pairs, "--model", pairs],
        ["extract", pairs, "--model", pairs],
        ["corpus", "split", pairs, "--part", f"{pairs}=1"],
        ["corpus", "split", pairs, "--part", "a.jsonl=1", "--part", "a.jsonl=2"],
    ):
        assert "is also an input or another output" in fail(2, *arguments)
    assert pairs.read_bytes() == before


def test_traces_and_function_tags_are_stripped_on_request(tmp_path: Path) -> None:
    trees = tmp_path / "raw.mrg"
    trees.write_text("( (S (NP-SBJ (NN rain)) (VP (VBZ falls) (NP (-NONE- *)))))\n(S (-NONE- *))\n")
    found = succeed_in_part("relations", trees, "--strip")
    assert found.lines[0] == '{"relations": [["nsubj", 2, 1]]}'
    assert "only traces" in found.lines[1]
