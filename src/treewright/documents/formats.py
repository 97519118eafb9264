"""Which format a document is in: by its name, or by how it begins."""

from __future__ import annotations

import re
from pathlib import PurePath

from treewright.errors import choose

SUBTITLES = ("srt", "vtt")
FORMATS = ("plain", "markdown", *SUBTITLES)
_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".mdown": "markdown"}
_SUFFIXES |= {".srt": "srt", ".vtt": "vtt"}
_VTT = re.compile(r"\ufeff?WEBVTT(?:[ \t\r\n]|\Z)")
_SRT = re.compile(r"\ufeff?\s*\d+[ \t]*\r?\n\d+:\d\d:\d\d[,.]\d{1,3}[ \t]*-->")


def find_format(text: str, name: str | None = None, format: str = "auto") -> str:
    """Return a format by its name or, if that is `auto`, that of a text, from a file of that name.

    Subtitles are known by how they begin, Markdown only by the name of its file.
    """
    if choose(format, ("auto", *FORMATS), "format") != "auto":
        return format
    suffix = PurePath(name).suffix.lower() if name else ""
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _VTT.match(text):
        return "vtt"
    return "srt" if _SRT.match(text) else "plain"
