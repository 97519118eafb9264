"""Characters begin with a transformer's vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from treewright.parsing.embedded.chinese import character_bucket
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.initial import begin_with, reduced
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.trees import parse_tree


def test_as_many_axes_as_the_table_has_keep_all_distances() -> None:
    table = torch.randn(30, 5, generator=torch.Generator().manual_seed(1))
    found = reduced(table, 5)
    assert torch.equal(reduced(table, 5), found)
    scale = torch.cdist(table, table) / torch.cdist(found, found).clamp(min=1e-9)
    others = ~torch.eye(30, dtype=torch.bool)
    assert torch.allclose(scale[others], scale[0, 1], rtol=1e-3)
    assert float(found.std()) == pytest.approx(0.1)


def test_the_widest_axes_are_kept_and_missing_ones_are_nothing() -> None:
    table = torch.zeros(40, 3)
    table[:, 1] = torch.linspace(-1, 1, 40)
    table[:, 2] = 0.01 * torch.randn(40, generator=torch.Generator().manual_seed(1))
    found = reduced(table, 1)[:, 0]
    assert float(torch.corrcoef(torch.stack([found, table[:, 1]]))[0, 1].abs()) > 0.999
    assert reduced(table, 7).shape == (40, 7)
    assert not reduced(table, 7)[:, 3:].any()


def test_known_characters_get_vectors_and_others_keep_theirs(transformer: Path) -> None:
    """The toy transformer knows letters, which stand for characters here."""
    tree = parse_tree("(ROOT (NP (Na ab) (Na c) (Na 茶)))")
    inventory = Inventory.collect([tree], ["toy"], min_word=1, script="chinese")
    torch.manual_seed(1)
    network = SpanNetwork(inventory, Sizes(word=4, hidden=3, span=3))
    before = network.spellings.weight.detach().clone()
    assert begin_with(network, inventory, transformer) == 3
    changed = (network.spellings.weight != before).any(dim=1).nonzero().flatten().tolist()
    assert changed == sorted(character_bucket(character) for character in "abc")
