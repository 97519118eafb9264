"""`EncodedPruning`: any children of any node may be dropped, at prices set by a neural network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from treewright.modelfile import Part
from treewright.parsing.embedded import Array, Codes, Inventory, pack_arrays, unpack_arrays
from treewright.pruning.encoded.network import CLASH, SEAM, SHARES, SURPRISE, PriceNetwork
from treewright.pruning.encoded.places import Places, number_labels
from treewright.pruning.gaps import Gaps, Prices
from treewright.trees import TreeTable

MOST_SEEN = 10_000
"""Words for which `ready` goes on to the layers above the encoder: some 80 MB."""
_FOLDER = "pruning/"
_INVENTORY = "inventory.json"


@dataclass(frozen=True, eq=False)
class EncodedPruning:
    """Prices from a network.

    If the current sentence was read before, `states` are those of its words, and `seen` is what the
    layers above compute from them. The latter takes more memory and is kept only for short texts.
    """

    open: ClassVar[bool] = True
    kind: ClassVar[str] = "network"
    model_kind: ClassVar[str] = "network"
    templates: ClassVar[tuple[str, ...]] = ()
    num_weights: ClassVar[int] = 0

    network: PriceNetwork
    states: Codes | None = None
    seen: Array | None = None

    def ready(self, sources: Sequence[TreeTable]) -> list[EncodedPruning]:
        """Read many sentences at once, which is cheaper; return the pruning of each."""
        network = self.network
        states = network.encoder.batch_states([source.words for source in sources], 0)
        if sum(map(len, states)) > MOST_SEEN:
            return [EncodedPruning(network, each) for each in states]
        seen = network.see(np.concatenate(states))
        ends = np.cumsum([len(each) for each in states])[:-1]
        return list(map(EncodedPruning, repeat(network), states, np.split(seen, ends)))

    @property
    def by_share(self) -> bool:
        """Whether its prices depend on the share of the words that may stay."""
        return SHARES in self.network.arrays

    def at(self, share: float) -> EncodedPruning:
        """Return the pruning for versions that may have this share of the words."""
        network = self.network.at(share)
        if network is self.network:
            return self
        return EncodedPruning(network, self.states, self.seen)

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return the weight of every gap, and that of dropping each node."""
        seen, states = self.seen, self.states
        if seen is None:
            if states is None:
                states = self.network.encoder.states(source.words, 0)
            seen = self.network.see(states)
        network = self.network
        labels = number_labels(source, network.numbers)
        heads = np.array(source.heads, dtype=np.int32)
        places = Places.look(source.arrays, heads, labels, gaps)
        tags = labels[source.leaves]
        return network.prices(places, seen)._replace(
            seams=network.neighbours(SEAM, tags, seen),
            surprises=network.neighbours(SURPRISE, tags, seen),
            regrets=network.regrets(places, seen),
            clashes=network.neighbours(CLASH, tags, seen),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the plain values of a model file, besides `parts`."""
        return {"labels": list(self.network.labels)}

    def parts(self) -> dict[str, bytes]:
        """Return the arrays of a model file, and the words that the encoder knows."""
        packed = pack_arrays(self.network.arrays)
        packed[_INVENTORY] = self.network.inventory.to_json()
        return {f"{_FOLDER}{name}": part for name, part in packed.items()}

    @classmethod
    def restore(cls, values: Mapping[str, Any], parts: Mapping[str, Part]) -> EncodedPruning:
        """Undo `as_dict` and `parts`; a `ValueError` or `LookupError` says what is wrong."""
        own = {
            name.removeprefix(_FOLDER): part
            for name, part in parts.items()
            if name.startswith(_FOLDER)
        }
        inventory = Inventory.from_json(bytes(own.pop(_INVENTORY)))
        network = PriceNetwork(inventory, tuple(values["labels"]), unpack_arrays(own))
        network.check()
        return cls(network)
