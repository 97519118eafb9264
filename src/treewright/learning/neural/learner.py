"""`NeuralCRF`: the conditional likelihood of targets, with scores from a network.

The objective is that of `CRF` without its prior:

    maximise  Σ_pairs (s(target) - log Σ_{all prunings} exp s)

with s the sum of a pruning's prices. The starting point, the encoder of the parser, and dropout
keep the network from memorising small corpora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Self

from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError, how_to_install
from treewright.grammar import Grammar
from treewright.learning.checks import check_number, check_whole, each_good_pair
from treewright.learning.learner import Learner
from treewright.learning.linear.examples import FREE
from treewright.learning.neural.examples import NeuralData, prepare
from treewright.modelfile import read_model, write_model
from treewright.parsing.embedded import SHIPPED, Inventory, Weights
from treewright.progress import SILENT, Progress
from treewright.pruning import Model
from treewright.pruning.encoded import EncodedPruning

if TYPE_CHECKING:
    from treewright.learning.neural.network import PruningNetwork
    from treewright.parsing.embedded.training.context import Context

KIND = "pruning-network"

_LARGEST_SEED = 2**31


@dataclass(kw_only=True)
class NeuralCRF(Learner[NeuralData, Model]):
    """Trains the parser's encoder further, to price what is dropped.

    `rate` is the peak of the learning rate, `encoder_rate` that of the encoder, `dropout` the share
    of units dropped; `node`, `gap` and `seam` are the widths of the layers above the encoder (with
    `seam` 0, neighbours have no scores); `taught` is the weight of a teacher's opinion, where there
    is one, beside the target. The same settings and data give the same weights on one kind of
    machine. After `fit`: `model_`, `network_` (torch's) and `losses_` (one per epoch).
    """

    epochs: int = 6
    rate: float = 1e-3
    encoder_rate: float = 5e-4
    dropout: float = 0.5
    tokens: int = 800
    node: int = 128
    gap: int = 96
    seam: int = 64
    taught: float = 0.5
    seed: int = 1

    name = "neural-crf"

    def __post_init__(self) -> None:
        for name in ("epochs", "tokens", "node", "gap"):
            check_whole(name, getattr(self, name))
        check_whole("seam", self.seam, least=0)
        for name in ("rate", "encoder_rate"):
            check_number(name, getattr(self, name), above=0.0)
        check_number("dropout", self.dropout, least=0.0, below=1.0)
        check_number("taught", self.taught, least=0.0, most=1.0)
        check_whole("seed", self.seed, least=0, most=_LARGEST_SEED)

    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        styles: Sequence[str] | None = None,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> NeuralData:
        """Look at pairs, each with its own style if several are mixed."""
        both = zip(pairs, repeat("") if styles is None else styles, strict=styles is not None)
        return self.prepare_styled(both, problems=problems, progress=progress)

    def prepare_styled(
        self,
        pairs: Iterable[tuple[Pair, str]],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> NeuralData:
        """Look at pairs with their styles as a stream: what is kept takes far less memory."""
        styles = [""]

        def read() -> Iterator[Pair]:
            for pair, style in pairs:
                styles[:] = [style]
                yield pair

        good = each_good_pair(read(), problems)
        return prepare(((pair, styles[0]) for pair in good), progress=progress)

    def fit_prepared(
        self,
        data: NeuralData,
        *,
        progress: Progress = SILENT,
        start: PruningNetwork | None = None,
        styles: Collection[str] | None = None,
        shares: Mapping[float, Collection[str]] | None = None,
        checkpoint: Path | None = None,
    ) -> Self:
        """Train from the parser's encoder, or from a network that is already trained.

        The model has the mean of some `styles`, by default of all in the data; where only a share
        of the words may stay, that of the styles that `shares` gives for it. A run with the same
        settings and data that was interrupted goes on from the `checkpoint` that it has left.
        """
        use_torch()
        from treewright.learning.neural.export import export
        from treewright.learning.neural.training import train

        if not data.examples:
            raise DataError("there is no pair to learn from")
        network = self.begin(data) if start is None else start
        network.set_noise(network.encoder.inventory, self.dropout)
        self.losses_ = train(network, data.examples, self, checkpoint=checkpoint, progress=progress)
        self.network_ = network
        chosen = data.styles if styles is None else styles
        exact = export(
            network,
            data.labels,
            data.number_styles(chosen),
            {share: data.number_styles(own) for share, own in (shares or {}).items()},
        )
        pruning = as_stored(exact)
        metadata = self.about(
            len(data.examples),
            data.fingerprint,
            losses=[round(loss, 4) for loss in self.losses_],
        )
        self.model_ = Model(Grammar.from_counts({}), FREE, metadata, pruning)
        return self

    def begin(self, data: NeuralData, context: Context | None = None) -> PruningNetwork:
        """Return a network with the encoder of the parser; with a context, beside that."""
        import torch

        from treewright.learning.neural.network import PruningNetwork
        from treewright.parsing.embedded.training.export import fill_encoder, sizes_of

        parser = Weights.read(SHIPPED)
        own = str(parser.metadata.get("style", parser.inventory.treebanks[0]))
        row = parser.inventory.treebank(own)
        inventory = _counted(parser.inventory, own, data)
        torch.manual_seed(self.seed)
        network = PruningNetwork(
            inventory,
            sizes_of(parser),
            labels=len(data.labels),
            styles=len(data.styles),
            node=self.node,
            gap=self.gap,
            seam=self.seam,
            dropout=self.dropout,
            context=context,
        )
        treebanks = parser.arrays["treebanks"][row : row + 1].copy()
        fill_encoder(network, {**parser.arrays, "treebanks": treebanks})
        return network


def need_torch() -> None:
    """Say how to install torch if it is missing, before any work is done."""
    try:
        import torch  # noqa: F401
    except ImportError:
        raise UsageError(
            f"training a network needs torch, which is not installed; {how_to_install('train')}"
        ) from None


def use_torch() -> None:
    """Make torch give the same numbers every time."""
    need_torch()
    import torch

    # Sums over threads depend on their number, and so would the bytes of a model.
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.use_deterministic_algorithms(True)


def as_stored(exact: EncodedPruning) -> EncodedPruning:
    """Return a pruning in the precision of its file: it gives the same before and after saving."""
    return EncodedPruning.restore(exact.as_dict(), exact.parts())


def _counted(inventory: Inventory, style: str, data: NeuralData) -> Inventory:
    """Return the words of a parser, and how often each occurs in the data: rare ones get hidden."""
    sources = {id(example.source): example.source for example in data.examples}
    counts = Counter(
        inventory.word(inventory.normal_form(word))
        for source in sources.values()
        for word in source.words
    )
    numbers = range(len(inventory.words))
    return replace(
        inventory,
        tags=(),
        labels=("",),
        treebanks=(style,),
        counts=tuple([counts[number] for number in numbers]),
    )


def write_network(path: str | Path, network: PruningNetwork) -> None:
    """Write the weights in full precision."""
    from treewright.parsing.embedded.training.storage import network_parts

    write_model(path, kind=KIND, parts=network_parts(network), metadata={})


def read_network(path: str | Path, learner: NeuralCRF, data: NeuralData) -> PruningNetwork:
    """Return the network that a learner with the same settings and data has left."""
    from treewright.parsing.embedded.training.storage import fill_network

    parts, _ = read_model(path, kind=KIND)
    network = learner.begin(data)
    fill_network(network, parts)
    return network
