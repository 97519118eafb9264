"""Several chains: each is the run it would be alone, however many processes share the work."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from treewright.errors import DataError, UsageError
from treewright.learning import Gibbs
from treewright.learning.gibbs import PackedPairs, RunFiles, Spread, best_chain, fit_chains
from treewright.plots.traces import read_traces

from .toys import PAIRS, sample_pairs

PACKED = PackedPairs.pack(sample_pairs("train")[:20])
LEARNER = Gibbs(iterations=120, pruning=False, seed=5)


def alone(chain: int) -> Gibbs:
    return replace(LEARNER, seed=5 + chain).fit_prepared(PACKED)


@pytest.mark.parametrize("jobs", [1, 2])
def test_chains_are_runs_with_seeds_one_behind_another(jobs: int, tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "run.tw", trace=tmp_path / "t.jsonl")
    (tmp_path / "t.jsonl").write_text("of an earlier run\n")
    chains = fit_chains(LEARNER, PACKED, 3, jobs=jobs, files=files)
    assert [chain.seed for chain in chains] == [5, 6, 7]
    for number, chain in enumerate(chains):
        single = alone(number)
        assert chain.log_joint_ == single.log_joint_
        assert chain.rules_ == single.rules_
        assert (chain.model_.grammar.weights == single.model_.grammar.weights).all()
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert Counter(line["chain"] for line in lines) == {0: 120, 1: 120, 2: 120}
    for number, chain in enumerate(chains):
        own = [line for line in lines if line["chain"] == number]
        assert own == [asdict(report) for report in chain.reports_]
    assert [trace.chain for trace in read_traces(str(tmp_path / "t.jsonl"))] == [0, 1, 2]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["run.0.tw", "run.1.tw", "run.2.tw", "t.jsonl"]


def test_one_chain_keeps_its_files_names(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "run.tw", trace=tmp_path / "t.jsonl")
    [chain] = fit_chains(LEARNER, PACKED, 1, jobs=2, files=files)
    assert chain.log_joint_ == alone(0).log_joint_
    assert chain is not LEARNER
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.tw", "t.jsonl"]


def test_resumed_chains_start_anew_where_nothing_was_saved(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "run", trace=tmp_path / "t.jsonl", resume=True)
    for chains, names in ((1, "run"), (2, r"run\.0, .*run\.1")):
        with pytest.raises(DataError, match=f"{names}: no checkpoint to resume from"):
            fit_chains(LEARNER, PACKED, chains, files=files)
    first = replace(files.of_chain(0), resume=False)
    assert first.checkpoint == tmp_path / "run.0"
    replace(LEARNER).fit_prepared(PACKED, files=first)
    chains = fit_chains(LEARNER, PACKED, 2, jobs=2, files=files)
    assert [len(chain.reports_) for chain in chains] == [0, 120]
    for number, chain in enumerate(chains):
        assert chain.log_joint_ == alone(number).log_joint_


def test_a_bad_checkpoint_stops_all_chains(tmp_path: Path) -> None:
    (tmp_path / "run.1").write_text("nonsense")
    files = RunFiles(checkpoint=tmp_path / "run", resume=True)
    long = replace(LEARNER, iterations=10**7)
    with pytest.raises(DataError, match=r"run\.1: not a whole model file"):
        fit_chains(long, PACKED, 3, jobs=2, files=files)


def test_another_corpus_is_noticed_in_a_process(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "run")
    fit_chains(LEARNER, PACKED, 2, files=files)
    with pytest.raises(DataError, match=r"run\.[01]: a checkpoint of training on other data"):
        fit_chains(LEARNER, PackedPairs.pack(PAIRS), 2, jobs=2, files=replace(files, resume=True))


def test_there_is_at_least_one_chain() -> None:
    with pytest.raises(UsageError, match="chains must be at least 1, found 0"):
        fit_chains(LEARNER, PACKED, 0)


def test_the_best_chain_and_the_spread_of_all() -> None:
    chains = fit_chains(LEARNER, PACKED, 3)
    joints = [chain.log_joint_ for chain in chains]
    assert best_chain(chains).log_joint_ == max(joints)
    assert Spread.of([1.0, 2.0, 6.0]) == Spread(3.0, pytest.approx(7.0**0.5))
    assert Spread.of([4.0]) == Spread(4.0, None)
