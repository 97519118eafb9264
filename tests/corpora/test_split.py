import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import split_corpus
from treewright.corpora.split import Share, Split, id_fraction
from treewright.errors import DataError, Problems, UsageError


def corpus(tmp_path: Path, ids: Sequence[int]) -> Path:
    path = tmp_path / "pairs.jsonl"
    record = {"source": "(S (X a))", "targets": ["(S (X a))"], "note": "kept"}
    path.write_text("".join(json.dumps({"id": f"p{i}", **record}) + "\n" for i in ids))
    return path


def run(
    tmp_path: Path, ids: Sequence[int], shares: Sequence[Share], **options: object
) -> tuple[list[list[str]], Split]:
    names = [str(tmp_path / f"part{i}") for i in range(len(shares))]
    split = split_corpus(corpus(tmp_path, ids), dict(zip(names, shares, strict=True)), **options)  # type: ignore[arg-type]
    parts = [[json.loads(x)["id"] for x in Path(n).read_text().splitlines()] for n in names]
    assert [split.written[name] for name in names] == [len(part) for part in parts]
    return parts, split


def ids(*numbers: int) -> list[str]:
    return [f"p{i}" for i in numbers]


def test_contiguous_parts_follow_the_file(tmp_path: Path) -> None:
    parts, split = run(tmp_path, range(10), [5, 2, None])
    assert parts == [ids(0, 1, 2, 3, 4), ids(5, 6), ids(7, 8, 9)]
    assert split.left_out == 0
    assert run(tmp_path, range(10), [3, 2])[1].left_out == 5
    assert run(tmp_path, range(10), [None, 2])[0][1] == ids(8, 9)


def test_fractions_are_rounded_so_that_they_add_up(tmp_path: Path) -> None:
    parts, split = run(tmp_path, range(7), [0.5, 0.25, 0.25])
    assert [len(part) for part in parts] == [4, 1, 2]
    assert split.left_out == 0
    assert [len(part) for part in run(tmp_path, range(7), [0.5, 1, None])[0]] == [4, 1, 2]


def test_lines_are_kept_as_they_were(tmp_path: Path) -> None:
    run(tmp_path, range(3), [None])
    assert (tmp_path / "part0").read_bytes() == (tmp_path / "pairs.jsonl").read_bytes()


def test_shuffled_parts_depend_on_the_seed_alone(tmp_path: Path) -> None:
    first, _ = run(tmp_path, range(50), [0.8, None], method="shuffled", seed=1)
    again, _ = run(tmp_path, range(50), [0.8, None], method="shuffled", seed=1)
    other, _ = run(tmp_path, range(50), [0.8, None], method="shuffled", seed=2)
    assert first == again != other
    assert [len(part) for part in first] == [40, 10]
    assert sorted(first[0] + first[1]) == sorted(ids(*range(50)))
    assert first[0] != ids(*range(40))


def test_hashed_parts_do_not_change_when_records_are_added(tmp_path: Path) -> None:
    before, _ = run(tmp_path, range(0, 200, 2), [0.8, 0.1, 0.1], method="hashed")
    after, split = run(tmp_path, range(200), [0.8, 0.1, 0.1], method="hashed")
    for small, large in zip(before, after, strict=True):
        assert set(small) <= set(large)
    assert split.left_out == 0
    assert 140 <= len(after[0]) <= 180


@given(st.text(), st.integers())
def test_a_hash_is_a_fraction(name: str, seed: int) -> None:
    assert 0 <= id_fraction(name.encode("utf-8", "ignore").decode(), seed) < 1


@pytest.mark.parametrize(
    ("shares", "method", "message"),
    [
        ([20], "contiguous", "the parts ask for 20 records, .* has 10"),
        ([20], "shuffled", "the parts ask for 20 records, there are 10"),
        ([0.7, 0.7], "contiguous", "add up to more than 1"),
        ([1.5], "contiguous", "a fraction up to 1.0, not 1.5"),
        ([-1], "contiguous", "not -1"),
        ([None, None], "contiguous", "only one part can get the rest"),
        ([5], "hashed", "a fraction such as 0.1, not a number"),
        ([5], "sorted", "unknown method 'sorted'; choose one of: contiguous, hashed, shuffled"),
        ([], "hashed", "no parts to split into"),
    ],
)
def test_shares_that_make_no_sense_leave_no_files(
    tmp_path: Path, shares: list[Share], method: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run(tmp_path, range(10), shares, method=method)
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_bad_lines_are_reported_and_left_out(tmp_path: Path) -> None:
    path = corpus(tmp_path, range(4))
    path.write_text("x\n" + path.read_text())
    problems = Problems()
    out = str(tmp_path / "out")
    split = split_corpus(path, {out: 0.5}, problems=problems)
    assert (split.written[out], split.left_out, len(problems.errors)) == (2, 2, 1)
    with pytest.raises(DataError, match="not JSON"):
        split_corpus(path, {out: None})


def test_standard_input_cannot_be_read_twice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="standard input cannot be read twice"):
        split_corpus("-", {str(tmp_path / "out"): 0.5})
