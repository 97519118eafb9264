import pickle

import pytest

from treewright.errors import DataError, ModelFileError, ParseError, Problems, UsageError, choose


def test_an_error_says_where_and_what() -> None:
    assert str(DataError("it is bad", where="a.trees:3:7")) == "a.trees:3:7: it is bad"
    assert str(DataError("it is bad")) == "it is bad"


@pytest.mark.parametrize("kind", [DataError, ParseError, ModelFileError])
def test_errors_travel_between_processes(kind: type[DataError]) -> None:
    error = pickle.loads(pickle.dumps(kind("it is bad", where="x")))
    assert type(error) is kind
    assert str(error) == "x: it is bad"


def test_problems_are_reported_and_kept() -> None:
    seen: list[DataError] = []
    problems = Problems(report=seen.append)
    errors = [DataError("one"), DataError("two")]
    for error in errors:
        problems.add(error)
    assert seen == problems.errors == errors


def test_strict_problems_stop_at_the_first() -> None:
    problems = Problems(strict=True)
    with pytest.raises(DataError, match="one"):
        problems.add(DataError("one"))


def test_an_unknown_name_lists_the_choices() -> None:
    assert choose("a", ("b", "a"), "letter") == "a"
    with pytest.raises(UsageError, match="unknown letter 'c'; choose one of: a, b"):
        choose("c", ("b", "a"), "letter")
