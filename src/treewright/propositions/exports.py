"""Propositions for others: a page to browse, tables and graphs for tools, statements to judge."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from treewright.errors import UsageError, how_to_install
from treewright.files import atomic_write
from treewright.propositions.model import Counted, PropositionModel
from treewright.propositions.sentence import Kind
from treewright.randomness import generator

COLUMNS = ("count", "share", "shape", "proposition", "instances", "example", "sentence")
TITLE = "What the text takes for granted"
_INSTANCES = 20
"""Instances shown of each proposition."""


def rows(model: PropositionModel) -> Iterator[dict[str, Any]]:
    """Yield propositions, the most frequent first, each with its commonest instance."""
    total = sum(one.count for one in model.evidence.instances) or 1
    for classes, found in model.counted():
        count = sum(one.count for one in found)
        best = found[0]
        sentence = model.evidence.texts[best.seen_in[0][0]][1] if best.seen_in else ""
        yield {
            "count": count,
            "share": count / total,
            "shape": best.shape,
            "proposition": " | ".join(classes),
            "instances": len(found),
            "example": " ".join(best.words),
            "sentence": sentence,
        }


def write_csv(model: PropositionModel, path: str | Path) -> None:
    """Write propositions as CSV."""
    with atomic_write(path) as handle:
        writer = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(model))


def write_parquet(model: PropositionModel, path: str | Path) -> None:
    """Write propositions as Parquet, which needs pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError(f"Parquet needs pyarrow; {how_to_install('parquet')}") from None
    table = pyarrow.Table.from_pylist(list(rows(model)))
    with atomic_write(path, binary=True) as handle:
        pyarrow.parquet.write_table(table, handle)


def write_graphml(model: PropositionModel, path: str | Path) -> None:
    """Write classes as the nodes of a graph, and what they do to one another as its edges.

    An edge goes from the subject to the object or to the noun of a preposition; its label is the
    verb with the preposition.
    """
    edges: Counter[tuple[str, str, str]] = Counter()
    names: Counter[str] = Counter()
    for one in model.evidence.instances:
        if one.shape not in ("NVN", "NVPN"):
            continue
        verb = " ".join(one.classes[1:-1])
        edges[one.classes[0], one.classes[-1], verb] += one.count
        for place in (0, -1):
            names[one.classes[place]] += one.count if one.kinds[place] is Kind.NAME else 0
    with atomic_write(path) as handle:
        handle.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        handle.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for name, owner, kind in _KEYS:
            named = f'id="{name}" for="{owner}" attr.name="{name}"'
            handle.write(f'<key {named} attr.type="{kind}"/>\n')
        handle.write('<graph edgedefault="directed">\n')
        for node in sorted({end for edge in edges for end in edge[:2]}):
            value = f'<data key="names">{names[node]}</data>'
            handle.write(f"<node id={quoteattr(node)}>{value}</node>\n")
        for (source, target, verb), count in sorted(
            edges.items(), key=lambda one: (-one[1], one[0])
        ):
            ends = f"source={quoteattr(source)} target={quoteattr(target)}"
            handle.write(
                f'<edge {ends}><data key="verb">{escape(verb)}</data>'
                f'<data key="count">{count}</data></edge>\n'
            )
        handle.write("</graph>\n</graphml>\n")


_KEYS = (("names", "node", "int"), ("verb", "edge", "string"), ("count", "edge", "int"))


def questions(
    model: PropositionModel, *, top: int = 100, drawn: int = 100, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Yield the most frequent propositions and a random sample of the others, a text each."""
    every = [(classes, found[0].shape, found) for classes, found in model.counted()]
    chosen = list(enumerate(every[:top]))
    rest = len(every) - top
    if rest > 0 and drawn:
        picks = generator(seed).choice(rest, size=min(drawn, rest), replace=False)
        chosen += [(top + int(place), every[top + int(place)]) for place in sorted(picks)]
    for rank, (classes, shape, found) in chosen:
        yield {
            "id": f"proposition-{rank + 1}",
            "text": as_statement(shape, classes),
            "sample": "frequent" if rank < top else "random",
            "weight": sum(one.count for one in found),
        }


def as_statement(shape: str, classes: tuple[str, ...]) -> str:
    """Return a proposition as the paper shows it to annotators: `Quarterbacks can throw passes`."""
    words = list(classes)
    if shape in ("NVN", "NVNPN", "NVPN", "copula"):
        nouns = {0, len(words) - 1, *([2] if shape in ("NVN", "NVNPN") else [])}
        parts = [plural(word) if place in nouns else word for place, word in enumerate(words)]
        parts.insert(1, "can")
    elif shape == "VNPN":
        parts = [plural(words[1]), "can be", participle(words[0]), words[2], plural(words[3])]
    elif shape == "possession":
        parts = [plural(words[0]), "can have", plural(words[2])]
    else:
        parts = ["There can be", plural(words[0]), words[1], plural(words[2])]
    text = " ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    *before, last = noun.split()
    return " ".join([*before, _inflected(last, "NNS")])


def participle(verb: str) -> str:
    """Return the past participle of a verb."""
    return _inflected(verb, "VBN")


def _inflected(word: str, tag: str) -> str:
    # Imported late: reading the lexicon takes a third of a second.
    from lemminflect import getInflection

    found = getInflection(word, tag=tag)
    return str(found[0]) if found else word


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
