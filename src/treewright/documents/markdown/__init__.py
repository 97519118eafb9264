"""Markdown: the prose of a document with its positions, and whether a change broke anything."""

from treewright.documents.markdown.reading import Page, broken, may_start_line, read_page

__all__ = ["Page", "broken", "may_start_line", "read_page"]
