from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest

from tests.propositions.toys import gathered
from treewright.propositions import (
    PropositionLearner,
    PropositionModel,
    write_csv,
    write_graphml,
    write_page,
    write_parquet,
)
from treewright.propositions.classes import ClassSettings


@pytest.fixture(scope="module")
def model() -> PropositionModel:
    found = gathered()
    found.texts = [(name, f"{text} </script><b>&") for name, text in found.texts]
    return PropositionLearner(classes=ClassSettings(entities=1)).fit(found).model_


def test_the_page_holds_everything_and_loads_nothing(model: PropositionModel, tmp_path) -> None:
    write_page(model, tmp_path / "p.html", title="A <title>")
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)=|url\(|@import|fetch\(|https?://""", page)
    assert "<title>A &lt;title&gt;</title>" in page
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    rows = json.loads(data)
    assert ["quarterback", "throw", "pass"] in [one["classes"] for one in rows["propositions"]]
    assert all(text.endswith("</script><b>&") for _, text in rows["sentences"])


@pytest.mark.parametrize("element", ["script", "style"])
def test_the_policy_allows_only_what_is_in_the_page(
    model: PropositionModel, tmp_path, element: str
) -> None:
    write_page(model, tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    (source,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert f"'sha256-{digest}'" in unescape(policy)
    assert unescape(policy).startswith("default-src 'none'")


def test_a_table(model: PropositionModel, tmp_path) -> None:
    write_csv(model, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    counts = [int(row["count"]) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert "quarterback | throw | pass" in {row["proposition"] for row in rows}


def test_parquet_has_the_same_rows(model: PropositionModel, tmp_path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(model, tmp_path / "t.parquet")
    write_csv(model, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    table = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert [row["proposition"] for row in table] == [row["proposition"] for row in rows]


def test_a_graph(model: PropositionModel, tmp_path) -> None:
    write_graphml(model, tmp_path / "g.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    graph = ElementTree.parse(tmp_path / "g.graphml").getroot().find(f"{space}graph")
    assert graph is not None
    nodes = {node.get("id") for node in graph.findall(f"{space}node")}
    edges = {
        (edge.get("source"), edge.get("target"), edge.findtext(f"{space}data"))
        for edge in graph.findall(f"{space}edge")
    }
    assert ("quarterback", "pass", "throw") in edges
    assert {end for edge in edges for end in edge[:2]} == nodes
