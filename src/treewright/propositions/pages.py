"""A page to browse propositions: one file that needs no server and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from treewright.files import atomic_write
from treewright.propositions.model import Counted, PropositionModel

TITLE = "What the text takes for granted"
_INSTANCES = 20
"""Instances shown of each proposition."""


def write_page(
    model: PropositionModel, path: str | Path, *, top: int = 2000, title: str = TITLE
) -> None:
    """Write a page of the most frequent propositions with their names and sentences."""
    folder = files("treewright.propositions")
    style, script = (
        folder.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js")
    )
    policy = (
        f"default-src 'none'; style-src {_hashed(style)}; style-src-attr 'unsafe-inline'; "
        f"script-src {_hashed(script)}; base-uri 'none'; form-action 'none'"
    )
    content = Template(folder.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        policy=html.escape(policy),
        title=html.escape(title),
        facts=html.escape(_facts(model)),
        style=style,
        script=script,
        data=_embedded(_data(model, top)),
    )
    with atomic_write(path) as handle:
        handle.write(content)


def _hashed(source: str) -> str:
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _facts(model: PropositionModel) -> str:
    made = model.metadata
    return (
        f"{made.get('sentences', 0):,} sentences, {made.get('instances', 0):,} instances, "
        f"{made.get('names with classes', 0):,} names in {made.get('classes', 0):,} classes"
    )


def _embedded(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _data(model: PropositionModel, top: int) -> dict[str, Any]:
    places: dict[int, int] = {}
    propositions = []
    for number, (classes, found) in enumerate(model.counted()):
        if number == top:
            break
        first = found[0]
        propositions.append(
            {
                "classes": classes,
                "kinds": first.kinds,
                "shape": first.shape,
                "count": sum(one.count for one in found),
                "total": len(found),
                "instances": [_instance(one, places) for one in found[:_INSTANCES]],
            }
        )
    return {
        "propositions": propositions,
        "sentences": [model.evidence.texts[place] for place in places],
    }


def _instance(one: Counted, places: dict[int, int]) -> dict[str, Any]:
    shown = [(places.setdefault(place, len(places)), spans) for place, spans in one.seen_in]
    return {"words": one.words, "count": one.count, "sentences": shown}
