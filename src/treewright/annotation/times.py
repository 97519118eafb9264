"""Times as the page and crowd platforms write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from treewright.errors import DataError

_TURK = re.compile(r"\w{3} (\w{3} \d{1,2} \d\d:\d\d:\d\d) ([A-Z]{3,4}) (\d{4})")
"""Tue Nov 17 09:59:51 PST 2026, as in the results of Mechanical Turk."""
_ZONES = {"PST": -8, "PDT": -7, "UTC": 0, "GMT": 0}


def parse_time(text: str, where: str = "") -> datetime | None:
    """Read a time; without a zone it is in UTC, and no text is no time."""
    text = text.strip()
    if not text:
        return None
    match = _TURK.fullmatch(text)
    try:
        if match is not None and match[2] in _ZONES:
            time = datetime.strptime(f"{match[1]} {match[3]}", "%b %d %H:%M:%S %Y")
            return time.replace(tzinfo=timezone(timedelta(hours=_ZONES[match[2]])))
        time = datetime.fromisoformat(text)
    except ValueError:
        raise DataError(
            f"{text!r} is not a time; expected one such as 2026-11-20T18:00+01:00", where=where
        ) from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
