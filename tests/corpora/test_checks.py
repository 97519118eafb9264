import json
from pathlib import Path

from treewright.corpora import Pair, check_corpus, check_extractive, first_unmatched
from treewright.errors import DataError
from treewright.trees import parse_tree

ABC = "(S (X a) (X b) (X c))"
AC = "(S (X a) (X c))"
CA = "(S (X c) (X a))"
AD = "(S (X a) (X d))"


def write(path: Path, *records: tuple[str, list[str]]) -> Path:
    lines = [
        json.dumps({"id": str(i), "source": source, "targets": targets})
        for i, (source, targets) in enumerate(records)
    ]
    path.write_text("\n".join(lines))
    return path


def test_a_good_corpus_has_no_problems(tmp_path: Path) -> None:
    check = check_corpus(write(tmp_path / "c", (ABC, [AC, ABC]), (ABC, [AC])))
    assert check.ok
    assert (check.records, check.pairs) == (2, 3)
    assert check.targets == check.extractive == [2, 1]
    assert json.loads(json.dumps(check.as_dict()))["ok"] is True


def test_targets_that_do_not_only_delete_are_problems_in_extractive_mode(tmp_path: Path) -> None:
    path = write(tmp_path / "c", (ABC, [AC, CA]), (ABC, [AD]))
    check = check_corpus(path)
    assert check.extractive == [1, 0]
    first, second = map(str, check.problems)
    assert first.startswith(f"{path}:1: targets[1]: the target is not a subsequence")
    assert "target word 2, 'a', cannot be matched (the source has it only before" in first
    assert "target word 2, 'd', cannot be matched (the source does not have it)" in second
    assert check_corpus(path, extractive=False).ok


def test_all_problems_are_gathered(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text('{"id": 1}\nx\n')
    assert len(check_corpus(path).problems) == 2
    path.write_text("")
    assert "no pairs in it" in str(check_corpus(path).problems[0])


def test_the_first_unmatched_word_is_found() -> None:
    assert first_unmatched("abcab", "acb") is None
    assert first_unmatched("abcab", "") is None
    assert first_unmatched("abcab", "acbb") == 3
    assert first_unmatched("", "a") == 0


def test_the_error_carries_the_id() -> None:
    try:
        check_extractive(Pair("p7", parse_tree(ABC), parse_tree(CA)))
    except DataError as error:
        assert error.where == "p7"
    else:
        raise AssertionError("not refused")
