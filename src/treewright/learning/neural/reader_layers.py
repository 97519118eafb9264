"""What readers mind as torch learns it; `Acceptance` and `PriceNetwork` compute the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import logsigmoid

from treewright.learning.acceptance import Example, common
from treewright.learning.neural.network import NODE_STATES, embedding, node_layers
from treewright.parsing.embedded import Array, Codes, decode
from treewright.parsing.embedded.training.export import to_array
from treewright.pruning import NO_GAPS
from treewright.pruning.acceptance import (
    SEAM_FEATURES,
    Acceptance,
    Feature,
    Neighbours,
    SeamWeights,
)
from treewright.pruning.encoded import (
    CLASH,
    DISTANCES,
    END,
    REGRET,
    START,
    Places,
    PriceNetwork,
    distances,
    measures,
)
from treewright.trees import TreeTable

if TYPE_CHECKING:
    from treewright.learning.neural.readers import ReaderLearner

_AT_ONCE = 256
_CERTAIN = 1e-4
_FIRST_SEAM, _FIRST_LOSS = 3.0, 1.0
"""Where constants start: most seams and losses are fine."""
_LINEAR_RATE = 0.02
"""The peak of the learning rate of weights of features, which are few and sparse."""
_KNOWN = len(SEAM_FEATURES) - 1
"""The features of seams without the last, which is what is learned here."""
_NODE_PLACES = tuple(NODE_STATES.values())
STATE_COLUMNS = frozenset({*_NODE_PLACES, "left", "right"})
"""The columns that say where in `Rows.states` a word is."""
_NODE_LABELS = ("label", "parent_label", "is_head")

Columns = dict[str, torch.Tensor]


class Fitting(Protocol):
    """What settings of learners of layers have in common."""

    epochs: int
    penalty: float


@dataclass(frozen=True, eq=False)
class Rows:
    """All losses and seams in rows, in the order of their versions.

    `states` are those of all words, one of the `sentences` after another, with their ends. `losses`
    and `seams` have where to find their words there, labels, features (numbered from 1, 0 for none)
    and so on; `loss_ends` and `seam_ends` say where the rows of each version end.
    """

    states: torch.Tensor
    sentences: Sequence[tuple[str, ...]]
    losses: Columns
    seams: Columns
    loss_ends: NDArray[np.int64]
    seam_ends: NDArray[np.int64]
    accepted: torch.Tensor
    names: Sequence[Feature]
    pairs: Sequence[tuple[str, str]]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, network: PriceNetwork, examples: Sequence[Example], least: int) -> Rows:
        """Let the network read the sentences, and lay out what is known of their versions."""
        names = common([loss.features for each in examples for loss in each.losses], least)
        pairs = common([[pair] for each in examples for pair in each.tags], least)
        seams = np.concatenate([each.seams for each in examples])[:, :_KNOWN]
        mean, scale = seams.mean(axis=0), seams.std(axis=0) + 1e-9
        return cls._laid_out(network, examples, names, pairs, mean, scale)

    def like(self, network: PriceNetwork, examples: Sequence[Example]) -> Rows:
        """Lay out other versions by the same features."""
        return self._laid_out(network, examples, self.names, self.pairs, self.mean, self.scale)

    @classmethod
    def _laid_out(
        cls,
        network: PriceNetwork,
        examples: Sequence[Example],
        names: Sequence[Feature],
        pairs: Sequence[tuple[str, str]],
        mean: NDArray[np.float64],
        scale: NDArray[np.float64],
    ) -> Rows:
        read = _Read(network, examples)
        seams = np.concatenate([each.seams for each in examples])[:, :_KNOWN]
        return cls(
            read.states,
            read.sentences,
            {**read.losses(examples), **_described(examples, names)},
            {
                **read.seams(examples),
                "features": torch.from_numpy(((seams - mean) / scale).astype(np.float32)),
                "tags": torch.tensor(
                    _numbered([pair for each in examples for pair in each.tags], pairs),
                    dtype=torch.long,
                ),
            },
            np.cumsum([len(each.losses) for each in examples]),
            np.cumsum([len(each.seams) for each in examples]),
            torch.tensor([each.accepted for each in examples], dtype=torch.float32),
            names,
            pairs,
            mean,
            scale,
        )

    def estimate(
        self, layers: ReaderLayers, neighbours: Neighbours, grammar: Mapping[str, float]
    ) -> Acceptance:
        """Return the estimate beside the layers, with these prices of grammar."""
        features = layers.seam_features
        seams = features.weight.detach().double().numpy()[0] / self.scale
        constant = features.bias.item() - float(seams @ self.mean)
        odds, own = layers.own.tolist()
        return Acceptance(
            dict(zip(self.names, layers.names.weight[1:, 0].tolist(), strict=True)),
            odds,
            own,
            SeamWeights.of(
                np.array([*seams, -1.0, constant]),
                dict(zip(self.pairs, layers.pairs.weight[1:, 0].tolist(), strict=True)),
            ),
            neighbours,
            dict(grammar),
            regret=1.0,
        )


class _Read:
    """What the network sees of all sentences: the states of their words, and where each begins.

    A sentence has one tree, however often it was read.
    """

    def __init__(self, network: PriceNetwork, examples: Sequence[Example]) -> None:
        known: dict[tuple[str, ...], TreeTable] = {}
        for each in examples:
            sources = [place[0] for place in each.nodes] + [place[0] for place in each.ends]
            known |= {tuple(source.words): source for source in sources}
        tables = list(known.values())
        self.sentences = list(known)
        states: list[Codes] = []
        for first in range(0, len(tables), _AT_ONCE):
            words = [table.words for table in tables[first : first + _AT_ONCE]]
            states += network.encoder.batch_states(words, 0)
        self.states = torch.from_numpy(decode(np.concatenate(states)))
        starts = np.cumsum([0, *map(len, states)])[:-1].tolist()
        self._start = dict(zip(known, starts, strict=True))
        self._places = {
            words: Places.of(table, NO_GAPS, network.numbers) for words, table in known.items()
        }
        self._measures = {words: measures(places) for words, places in self._places.items()}

    def losses(self, examples: Sequence[Example]) -> Columns:
        """Return where the words of every loss are, its labels and its length."""
        rows: dict[str, list[int]] = {name: [] for name in (*_NODE_PLACES, *_NODE_LABELS)}
        sizes: list[Array] = []
        for source, node in (place for each in examples for place in each.nodes):
            words = tuple(source.words)
            places = self._places[words]
            for name, row in rows.items():
                shift = self._start[words] if name in _NODE_PLACES else 0
                row.append(int(getattr(places, name)[node]) + shift)
            sizes.append(self._measures[words][node])
        columns = {name: torch.tensor(row) for name, row in rows.items()}
        return {**columns, "measures": torch.from_numpy(np.array(sizes))}

    def seams(self, examples: Sequence[Example]) -> Columns:
        """Return where the words on both sides of every seam are, their labels and distance."""
        rows = []
        for source, left, right in (ends for each in examples for ends in each.ends):
            words = tuple(source.words)
            tags = [START, *self._places[words].label[source.leaves].tolist(), END]
            start = self._start[words] + 1
            rows.append((start + left, start + right, tags[left + 1], tags[right + 1]))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        named = dict(zip(("left", "right", "left_label", "right_label"), columns, strict=True))
        named["distance"] = distances(columns[1] - columns[0])
        return {name: torch.from_numpy(np.ascontiguousarray(c)) for name, c in named.items()}


def _numbered(found: Sequence[tuple[str, ...]], names: Sequence[tuple[str, ...]]) -> list[int]:
    number = {name: place for place, name in enumerate(names, start=1)}
    return [number.get(name, 0) for name in found]


def _described(examples: Sequence[Example], names: Sequence[Feature]) -> Columns:
    """Return the features of every loss, filled up with 0, and the model's odds."""
    losses = [loss for each in examples for loss in each.losses]
    number = {name: place for place, name in enumerate(names, start=1)}
    rows = [[number[name] for name in loss.features if name in number] for loss in losses]
    features = np.zeros((len(rows), max(1, *map(len, rows))), dtype=np.int64)
    for place, row in enumerate(rows):
        features[place, : len(row)] = row
    return {
        "features": torch.from_numpy(features),
        "odds": torch.tensor([loss.odds for loss in losses], dtype=torch.float32),
    }


class ReaderLayers(nn.Module):
    """Weights of features, and `regret` and `clash` over given states; a teacher's have `more`."""

    def __init__(
        self, network: PriceNetwork, rows: Rows, width: int, dropout: float, more: int = 0
    ) -> None:
        super().__init__()
        state, labels = rows.states.shape[1] + more, len(network.labels)
        self.names = nn.EmbeddingBag(len(rows.names) + 1, 1, mode="sum", padding_idx=0)
        self.own = nn.Parameter(torch.tensor([0.0, _FIRST_LOSS]))
        self.pairs = nn.Embedding(len(rows.pairs) + 1, 1, padding_idx=0)
        self.seam_features = nn.Linear(_KNOWN, 1)
        self.node_states, self.node_tables = node_layers(state, labels, width)
        self.node_length = nn.Linear(2, width)
        self.regret = nn.Linear(width, 1)
        self.seam_states = nn.ModuleDict(
            {name: nn.Linear(state, width, bias=False) for name in ("left", "right")}
        )
        self.seam_tables = nn.ModuleDict(
            {
                "left_label": embedding(labels, width),
                "right_label": embedding(labels, width),
                "distance": embedding(DISTANCES, width),
            }
        )
        self.clash = nn.Linear(width, 1)
        for silent in (self.names, self.pairs, self.seam_features, self.regret, self.clash):
            nn.init.zeros_(silent.weight)
        for silent in (self.regret, self.clash):
            nn.init.zeros_(silent.bias)
        nn.init.constant_(self.seam_features.bias, _FIRST_SEAM)
        self.drop_states = nn.Dropout(0.6 * dropout)
        self.drop = nn.Dropout(dropout)

    @property
    def linear(self) -> list[nn.Parameter]:
        """The weights of features."""
        return [self.names.weight, self.pairs.weight, self.own, *self.seam_features.parameters()]

    def losses(self, states: torch.Tensor, rows: Columns) -> torch.Tensor:
        """Return the log-odds that readers accept each loss."""
        hidden = self.node_length(rows["measures"])
        for name, place in NODE_STATES.items():
            hidden = hidden + self.node_states[name](self.drop_states(states[rows[place]]))
        for name, table in self.node_tables.items():
            hidden = hidden + table(rows[name])
        regret = self.regret(self.drop(torch.relu(hidden)))[:, 0]
        known = self.names(rows["features"])[:, 0] + self.own[0] * rows["odds"] + self.own[1]
        odds: torch.Tensor = known - regret
        return odds

    def seams(self, states: torch.Tensor, rows: Columns) -> torch.Tensor:
        """Return the log-odds that readers accept each seam."""
        hidden = self.seam_tables["distance"](rows["distance"])
        for side, projection in self.seam_states.items():
            hidden = hidden + projection(self.drop_states(states[rows[side]]))
            hidden = hidden + self.seam_tables[f"{side}_label"](rows[f"{side}_label"])
        clash = self.clash(self.drop(torch.relu(hidden)))[:, 0]
        known = self.pairs(rows["tags"])[:, 0] + self.seam_features(rows["features"])[:, 0]
        odds: torch.Tensor = known - clash
        return odds

    def forward(self, rows: Rows, versions: NDArray[np.int64]) -> torch.Tensor:
        """Return the log-probability that each of these versions is accepted."""
        total = torch.zeros(len(versions))
        states, moved = self.read(rows, versions)
        weigh: tuple[Callable[..., torch.Tensor], ...] = (self.losses, self.seams)
        for odds, columns, ends in zip(
            weigh, (rows.losses, rows.seams), (rows.loss_ends, rows.seam_ends), strict=True
        ):
            starts = np.concatenate([[0], ends[:-1]])
            found = [np.arange(starts[v], ends[v]) for v in versions.tolist()]
            places = torch.from_numpy(np.concatenate(found))
            owners = torch.from_numpy(np.repeat(np.arange(len(found)), [len(f) for f in found]))
            part = {name: column[places] for name, column in columns.items()}
            if moved is not None:
                part |= {name: moved[part[name]] for name in part.keys() & STATE_COLUMNS}
            total = total.index_add(0, owners, logsigmoid(odds(states, part)))
        return total.clamp(max=-_CERTAIN)

    def read(
        self, rows: Rows, versions: NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return the states of words, and where those of `rows` are among them, if elsewhere."""
        return rows.states, None


def train_layers(
    settings: ReaderLearner, network: PriceNetwork, rows: Rows
) -> tuple[ReaderLayers, list[float]]:
    """Return trained layers, and the mean loss of each epoch."""
    torch.manual_seed(settings.seed)
    layers = ReaderLayers(network, rows, settings.width, settings.dropout)
    everything = torch.arange(len(rows.accepted))
    return layers, fit_layers(
        layers,
        rows,
        settings,
        [(p, settings.rate, settings.decay) for p in layers.parameters()],
        lambda: everything[torch.randperm(len(everything))].split(settings.batch),
    )


def fit_layers(
    layers: ReaderLayers,
    rows: Rows,
    settings: Fitting,
    parameters: Iterable[tuple[nn.Parameter, float, float]],
    batches: Callable[[], Sequence[torch.Tensor]],
    clip: float | None = None,
) -> list[float]:
    """Train layers on batches of versions, drawn anew for each epoch, equally many each time.

    Parameters come with the peak of their learning rate and their decay; weights of features have
    their own. Return the mean loss of each epoch.
    """
    linear = {id(p) for p in layers.linear}
    groups: dict[tuple[float, float], list[nn.Parameter]] = {(_LINEAR_RATE, 0.0): layers.linear}
    for parameter, rate, decay in parameters:
        if id(parameter) not in linear and parameter.requires_grad:
            groups.setdefault((rate, decay), []).append(parameter)
    optimiser = torch.optim.AdamW(
        [{"params": own, "weight_decay": decay} for (_, decay), own in groups.items()]
    )
    size = len(rows.accepted)
    steps = settings.epochs * len(batches())
    rates = [rate for rate, _ in groups]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=steps)
    losses = []
    for _ in range(settings.epochs):
        layers.train()
        total = 0.0
        for part in batches():
            accepted, log_p = rows.accepted[part], layers(rows, part.numpy())
            refused = torch.log(-torch.expm1(log_p))
            loss = -(accepted * log_p + (1.0 - accepted) * refused).mean()
            prior = layers.names.weight.square().sum() + layers.pairs.weight.square().sum()
            optimiser.zero_grad()
            (loss + 0.5 * settings.penalty / size * prior).backward()
            if clip is not None:
                nn.utils.clip_grad_norm_(layers.parameters(), clip)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(part)
        losses.append(total / size)
    layers.eval()
    return losses


def export_layers(layers: ReaderLayers) -> dict[str, Array]:
    """Return the layers' arrays as a network has them."""
    arrays = {
        **{f"{REGRET}_{name}": m.weight for name, m in layers.node_states.items()},
        **{f"{REGRET}_{name}": table.weight for name, table in layers.node_tables.items()},
        f"{REGRET}_length": layers.node_length.weight.T,
        f"{REGRET}_bias": layers.node_length.bias,
        f"{REGRET}_out": layers.regret.weight[0],
        f"{REGRET}_out_bias": layers.regret.bias,
        **{f"{CLASH}_{name}": m.weight for name, m in layers.seam_states.items()},
        **{f"{CLASH}_{name}": table.weight for name, table in layers.seam_tables.items()},
        f"{CLASH}_bias": torch.zeros(layers.clash.in_features),
        f"{CLASH}_out": layers.clash.weight[0],
        f"{CLASH}_out_bias": layers.clash.bias,
    }
    return {name: to_array(array) for name, array in arrays.items()}
