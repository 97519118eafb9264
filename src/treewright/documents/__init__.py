"""Documents: Markdown and subtitles, whose prose is shortened while the rest stays as it is."""

from treewright.documents.cues import CueLimit
from treewright.documents.shortening import (
    FORMATS,
    DocumentCompressor,
    find_format,
    shorten_document,
)

__all__ = ["FORMATS", "CueLimit", "DocumentCompressor", "find_format", "shorten_document"]
