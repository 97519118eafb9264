"""The embedded parser: a small neural span parser whose weights come with the package."""

from treewright.parsing.embedded.parser import EmbeddedParser

__all__ = ["EmbeddedParser"]
