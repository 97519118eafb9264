import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import check_alignment, format_pharaoh, parse_pharaoh
from treewright.errors import DataError, ParseError

links = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)))


@given(links)
def test_what_is_written_reads_back_sorted_and_unique(found: list[tuple[int, int]]) -> None:
    assert parse_pharaoh(format_pharaoh(tuple(found))) == tuple(sorted(set(found)))


def test_a_blank_line_holds_no_links() -> None:
    assert parse_pharaoh("  \n") == ()


@pytest.mark.parametrize("item", ["0", "0-", "a-b", "-1-0", "0:1", "1-2-3", "1-9999999999", "٣-١"])
def test_what_is_not_a_link_is_named(item: str) -> None:
    with pytest.raises(ParseError, match=r"a\.align:3: .* is not a link; write source-target"):
        parse_pharaoh(f"0-0 {item}", where="a.align:3")


def test_links_outside_the_sentences_are_named() -> None:
    check_alignment(((0, 0), (2, 1)), 3, 2)
    with pytest.raises(DataError, match="link 3-1 leads to source word 3, but that side has 3"):
        check_alignment(((0, 0), (3, 1)), 3, 2)
    with pytest.raises(DataError, match="target word 2"):
        check_alignment(((1, 2),), 3, 2)
