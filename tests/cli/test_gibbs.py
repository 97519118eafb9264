"""`treewright train gibbs`: chains, grids, traces, checkpoints and interruptions."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any
from unittest import mock

import pytest

from treewright.data import sample_path
from treewright.grammar import parse_rule
from treewright.learning.gibbs.sampler import Sampler
from treewright.pruning import Model

from ..programs import TREEWRIGHT, started
from .runner import Run, fail, run, succeed

TRAIN = sample_path("train")
SHORT = ["--iterations", "20"]


def train(*arguments: object) -> Run:
    return succeed("train", "gibbs", TRAIN, "--model", "m.tw", *SHORT, *arguments)


def refuse(status: int, *arguments: object) -> str:
    message = fail(status, "train", "gibbs", TRAIN, "--model", "m.tw", *SHORT, *arguments)
    assert not Path("m.tw").exists()
    return message


def reported(found: Run) -> list[str]:
    return [line for line in found.err.splitlines() if line.startswith("chain ")]


def test_training_writes_a_model() -> None:
    found = train()
    assert found.out == ""
    assert len(reported(found)) == 2
    model = Model.load("m.tw")
    about = model.metadata
    assert found.err.endswith(
        f"m.tw: {len(model.grammar)} rules from 90 pairs, 20 sweeps, "
        f"log joint {about['objective']:.2f}\n"
    )
    assert (about["learner"], about["iterations"], about["settings"]["seed"]) == ("gibbs", 20, 0)
    first = Path("m.tw").read_bytes()
    train()
    assert Path("m.tw").read_bytes() == first
    train("--seed", "1")
    assert Path("m.tw").read_bytes() != first


def test_a_model_at_work(pairs: Path) -> None:
    train("--iterations", "100")
    shown = succeed("grammar", "show", "m.tw", "--root", "S/S", "--compressing").lines
    assert shown
    assert all(parse_rule(line[22:]).is_compression for line in shown)
    assert len(succeed("transduce", "m.tw", pairs).lines) == 12
    assert "training settings alpha: 100.0\n" in succeed("grammar", "stats", "m.tw").out


def test_flags_and_config_files_set_the_learner() -> None:
    Path("c.toml").write_text('beta = 0.3\n[alphas]\n"NP/ε" = 7\n', encoding="utf-8")
    train("--config", "c.toml", "--alpha-of", "S/S=3", "--beta-of", "NP=0.5", "--insertions")
    found = Model.load("m.tw").metadata["settings"]
    assert (found["beta"], found["alphas"]) == (0.3, {"NP/ε": 7, "S/S": 3.0})
    assert (found["betas"], found["insertions"]) == ({"NP": 0.5}, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "0"], "alpha must be positive, found 0.0"),
        (["--beta", "1"], "beta must lie between 0 and 1, found 1.0"),
        (["--iterations", "0"], "iterations must be at least 1 and whole, found 0"),
        (["--schedule", "steep"], "unknown schedule 'steep'; choose one of: constant, cosine"),
        (["--schedule", "geometric"], "a geometric schedule never reaches 0; give coldest"),
        (["--alpha-of", "QQ/ε=1"], "the category 'QQ' of 'QQ/ε' does not occur in the pairs"),
        (["--alpha-of", "NP=1"], "expected a root pair such as NP/NP or NP/ε, found 'NP'"),
        (["--beta-of", "QQ=0.1"], "the category 'QQ', given a beta, does not occur in the pairs"),
        (["--resume"], "nothing to resume from; name the checkpoint (--checkpoint FILE)"),
        (["--checkpoint", "-"], "checkpoints are files, not standard output"),
        (["--trace", "-"], "traces are files, not standard output"),
        (["--trace", "m.tw"], "m.tw is also an input or another output"),
        (["--chains", "2", "--trace", "m.1.tw"], "m.1.tw is also an input or another output"),
        (["--trace", "x", "--checkpoint", "x"], "x is also an input or another output"),
        (["--chains", "2", "--checkpoint", "x", "--trace", "x.1"], "x.1 is also an input"),
        (["--model", "-", "--chains", "2"], "--chains prints a table on stdout, where --model -"),
        (["--grid", "alpha=1"], "--grid needs --dev"),
        (["--dev", TRAIN, "--grid", "alpha=0"], "alpha must be positive, found 0.0"),
        (["--dev", TRAIN, "--grid", "seed=1"], "unknown grid setting 'seed'; choose from: alpha"),
        (
            ["--dev", TRAIN, "--grid", "alpha=1", "--trace", "t"],
            "a grid search does not support --checkpoint or --trace",
        ),
    ],
)
def test_a_request_that_makes_no_sense(arguments: list[object], message: str) -> None:
    assert message in refuse(2, *arguments)


def test_places_that_do_not_exist_are_noticed_at_once() -> None:
    for option in ("--checkpoint", "--trace"):
        message = refuse(1, option, "none/x", "--iterations", "1000000000")
        assert message == "none/x: cannot write it: No such file or directory"


@pytest.mark.parametrize("jobs", [1, 2])
def test_chains_are_shown_with_their_mean_and_spread(jobs: int, pairs: Path) -> None:
    found = train("--chains", "3", "--jobs", jobs, "--seed", "4", "--dev", pairs, "--trace", "t")
    rows = table(found)
    assert rows[0][:4] == ["chain", "seed", "log joint", "rules"]
    assert rows[0][4:] == ["RelF1", "rate", "RelF1 at gold rate"]
    assert [row[:2] for row in rows[1:]] == [
        ["0", "4"],
        ["1", "5"],
        ["2", "6"],
        ["mean", ""],
        ["deviation", ""],
    ]
    joints = [float(row[2]) for row in rows[1:4]]
    assert float(rows[4][2]) == pytest.approx(sum(joints) / 3, abs=0.1)
    about = Model.load("m.tw").metadata
    assert about["objective"] == pytest.approx(max(joints), abs=0.1)
    assert about["settings"]["seed"] == 4 + joints.index(max(joints))
    assert len(reported(found)) == 6
    assert Path("t").read_text().count("\n") == 60
    succeed("plot", "trace", "t", "--out", "t.svg")


def test_the_models_of_all_chains_are_kept(pairs: Path) -> None:
    found = train("--chains", "3", "--seed", "4")
    assert "m.0.tw to m.2.tw: the models of all 3 chains\n" in found.err
    models = [Model.load(f"m.{chain}.tw") for chain in range(3)]
    assert [model.metadata["settings"]["seed"] for model in models] == [4, 5, 6]
    best = max(range(3), key=lambda chain: float(models[chain].metadata["objective"]))
    assert Path("m.tw").read_bytes() == Path(f"m.{best}.tw").read_bytes()
    runs = [f"GS=m.{chain}.tw" for chain in range(3)]
    drawn = ["--rates", "0.5", "--out", "r.svg", "--table", "-"]
    rows = [line.split("\t") for line in succeed("plot", "rates", pairs, *runs, *drawn).lines]
    assert [row[:3] for row in rows[1:2]] == [["GS", "as decoded", "3"]]


def test_one_chain_is_one_model() -> None:
    train()
    assert [path.name for path in Path().iterdir()] == ["m.tw"]


def table(found: Run) -> list[list[str]]:
    """Return the cells of the lines of a table that have any."""
    cells = [line.strip("│┃").replace("┃", "│").split("│") for line in found.lines]
    return [[cell.strip() for cell in row] for row in cells if len(row) > 1]


def test_chains_without_dev_have_no_scores() -> None:
    rows = table(train("--chains", "2"))
    assert rows[0] == ["chain", "seed", "log joint", "rules"]


def test_one_chain_is_scored_like_any_model(pairs: Path) -> None:
    out = train("--dev", pairs).out
    assert "as decoded" in out
    assert "at the gold rate" in out


def test_a_grid_is_searched_over_the_mean_of_its_chains(pairs: Path) -> None:
    arguments = ["--dev", pairs, "--grid", "alpha=1,100", "--grid", "beta=0.1,0.5"]
    single = train(*arguments, "--jobs", "2")
    assert [row[:2] for row in table(single)[:1]] == [["alpha", "beta"]]
    assert sorted(tuple(row[:2]) for row in table(single)[1:5]) == [
        ("1", "0.1"),
        ("1", "0.5"),
        ("100", "0.1"),
        ("100", "0.5"),
    ]
    best = Model.load("m.tw").metadata["settings"]
    assert [f"{best['alpha']:g}", f"{best['beta']:g}"] == table(single)[1][:2]
    assert "±" not in single.out
    several = train(*arguments, "--chains", "2", "--jobs", "2")
    assert several.out.count("±") == 12
    means = [float(row[4].partition(" ")[0]) for row in table(several)[1:5]]
    assert means == sorted(means, reverse=True)
    assert Model.load("m.tw").metadata["settings"]["seed"] in (0, 1)
    chains = [Model.load(f"m.{chain}.tw").metadata["settings"] for chain in (0, 1)]
    assert [chain["seed"] for chain in chains] == [0, 1]
    assert [f"{chains[1][name]:g}" for name in ("alpha", "beta")] == table(several)[1][:2]


class Pressed:
    """Presses the interrupt key in some sweep."""

    def __init__(self, sweep: int) -> None:
        self.left = sweep
        self.real = Sampler.sweep

    def __call__(self, sampler: Sampler, temperature: float) -> Any:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return self.real(sampler, temperature)


def interrupted(pressed: Pressed, *arguments: object) -> str:
    """Train until the key is pressed; return the last line on stderr."""
    whole = ["train", "gibbs", TRAIN, "--model", "m.tw", "--iterations", "120", *arguments]
    with mock.patch.object(Sampler, "sweep", lambda *given: pressed(*given)):
        found = run(*whole)
    assert found.status == 130
    assert "Traceback" not in found.err
    assert not Path("m.tw").exists()
    return found.err.splitlines()[-1].removeprefix("treewright: interrupted: ")


def test_an_interrupted_run_is_resumed() -> None:
    files = ["--checkpoint", "c.tw", "--checkpoint-every", "50", "--trace", "t"]
    message = interrupted(Pressed(77), *files)
    assert message == "the last checkpoint is kept in c.tw; add --resume to continue"
    settings = ["--iterations", "120"]
    found = train(*settings, *files, "--resume")
    assert [line.split()[3] for line in reported(found)] == [
        f"{sweep}:" for sweep in range(60, 121, 10)
    ]
    resumed = Path("m.tw").read_bytes()
    sweeps = [json.loads(line)["iteration"] for line in Path("t").read_text().splitlines()]
    assert sweeps == [*range(1, 77), *range(51, 121)]
    train(*settings)
    assert Path("m.tw").read_bytes() == resumed


def test_an_interruption_with_nothing_saved() -> None:
    assert interrupted(Pressed(20), "--checkpoint", "c.tw") == "there was no checkpoint yet"
    message = interrupted(Pressed(20))
    assert message == "nothing was saved; --checkpoint FILE saves what --resume continues from"
    search = ["--dev", TRAIN, "--grid", "alpha=1,2"]
    assert interrupted(Pressed(20), *search) == "nothing is kept"


def test_states_are_drawn_behind_the_best() -> None:
    text = " ".join(succeed("train", "gibbs", "--help").out.split())
    assert "States to average, drawn after the best; 0: only the best." in text


def test_an_error_of_the_program_is_no_interruption() -> None:
    broken = mock.Mock(side_effect=SystemError("broken"))
    with mock.patch.object(Sampler, "sweep", broken), pytest.raises(SystemError, match="broken"):
        train()


def test_a_checkpoint_that_does_not_fit() -> None:
    files = ["--checkpoint", "c.tw", "--resume"]
    assert refuse(1, *files) == "c.tw: no checkpoint to resume from"
    message = refuse(1, *files, "--chains", "2")
    assert message == "c.0.tw, c.1.tw: no checkpoint to resume from"
    train("--checkpoint", "c.tw")
    Path("m.tw").unlink()
    assert refuse(2, *files, "--alpha", "7") == (
        "c.tw: a checkpoint of training with alpha 100.0, found 7.0; resume with the same settings"
    )
    pairs = TRAIN.read_text(encoding="utf-8").splitlines(keepends=True)
    Path("p.jsonl").write_text("".join(pairs[:-1]), encoding="utf-8")
    message = fail(1, "train", "gibbs", "p.jsonl", "--model", "m.tw", *SHORT, *files)
    assert message.startswith("c.tw: a checkpoint of training on other data; resume with the pairs")
    whole = Path("c.tw").read_bytes()
    for content in (b"", whole[: len(whole) // 2], b"nonsense", TRAIN.read_bytes()):
        Path("c.tw").write_bytes(content)
        assert refuse(1, *files).startswith("c.tw: not a whole model file")
    succeed("extract", TRAIN, "--model", "c.tw")
    message = "this is a model of rules; a checkpoint of train gibbs is needed"
    assert message in refuse(1, *files)


@pytest.mark.parametrize("chains", [[], ["--chains", "3", "--jobs", "2"]], ids=["one", "three"])
def test_the_interrupt_key_in_the_real_program(chains: list[str]) -> None:
    """The first chains save a checkpoint, the key is pressed, and no process is left behind."""
    command = [*TREEWRIGHT, "train", "gibbs", TRAIN, *chains, "--model", "m.tw"]
    options = ["--iterations", "100000000", "--checkpoint", "c.tw", "--checkpoint-every", "1"]
    saved = {Path("c.0.tw"), Path("c.1.tw")} if chains else {Path("c.tw")}
    with started(*command, *options, stderr=PIPE, text=True) as process:
        while not all(path.exists() for path in saved) and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        # The pipe ends only when every process that holds it has ended.
        _, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    kept = ", ".join(sorted(map(str, saved)))
    assert err.endswith(
        f"treewright: interrupted: the last checkpoint is kept in {kept}; "
        "add --resume to continue\n"
    )
    assert set(Path().iterdir()) == saved
