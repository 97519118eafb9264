"""Links between the pages lead somewhere, and examples print what the pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .pages import HAVE_MODELS, PAGES, ROOT, renewed, rounded

CARDS = [*ROOT.glob("src/treewright/compression/shipped_models/*.md")]


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *CARDS], ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.skipif(not HAVE_MODELS, reason="the models are not in the package")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_shows(page: Path) -> None:
    shown = page.read_text(encoding="utf-8")
    assert rounded(renewed(page)) == rounded(shown)
