"""The page shows the table as it is."""

from .page import PAGE, renewed


def test_the_page_has_every_row() -> None:
    """If not: `python -m tests.pruning.guards.meaning.page`."""
    assert renewed() == PAGE.read_text("utf-8")
