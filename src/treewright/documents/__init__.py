"""Documents: Markdown and subtitles, whose prose is shortened while all else stays byte for byte."""

from treewright.documents.formats import FORMATS, find_format
from treewright.documents.shortening import DocumentCompressor, shorten_document

__all__ = ["FORMATS", "DocumentCompressor", "find_format", "shorten_document"]
