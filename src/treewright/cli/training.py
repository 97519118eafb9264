"""What the commands of `treewright train` share: the request, interruptions and tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from treewright.cli import console, options
from treewright.cli.settings import make_command, parse_grid
from treewright.errors import Problems, UsageError, choose

if TYPE_CHECKING:
    from treewright.compression import AnyModel, Scores
    from treewright.compression.tuning import Scored
    from treewright.corpora import Pair
    from treewright.learning import Gibbs, Learner
    from treewright.learning.gibbs import Spread

Data = TypeVar("Data")
Learned = TypeVar("Learned", bound="AnyModel")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What any learner is asked for: to learn from pairs, over a grid or not, and to be scored."""

    pairs: str
    model: str
    target: int
    dev: str | None
    points: Mapping[str, Sequence[float]]
    decode: str
    jobs: int
    chains: int = 1
    all_targets: bool = False
    also: Sequence[str] = ()

    def check(self, config: str | None, *written: str | None) -> None:
        """Raise an error where inputs and outputs, with those `written` too, are in the way.

        And where the request could only fail when the work is done.
        """
        from treewright.compression.models import DECODERS

        outputs = [self.model, *(path for path in written if path is not None)]
        console.check_outputs([self.pairs, *self.also, self.dev, config], outputs)
        choose(self.decode, DECODERS, "decode")
        if self.points and self.dev is None:
            raise UsageError("--grid needs --dev to score on")
        if self.model == "-" and self.dev is not None:
            raise UsageError("--dev prints scores on stdout, where --model - writes the model")
        console.check_stdin(self.pairs, *self.also, self.dev)

    def read(self, learner: Learner[Data, Learned], problems: Problems) -> tuple[Data, list[Pair]]:
        """Return what the learner learns from, and the pairs to score on: none without a file."""
        from treewright.corpora import read_pairs

        held_out = read_pairs(self.dev, target=self.target, problems=problems) if self.dev else ()
        scored = list(held_out)
        target = None if self.all_targets else self.target
        pairs = [
            pair
            for path in (self.pairs, *self.also)
            for pair in console.aligned_pairs(path, target, problems)
        ]
        return learner.prepare(pairs, problems=problems, progress=console.progress()), scored

    def search(
        self, learner: Learner[Data, Learned], data: Data, held_out: Sequence[Pair]
    ) -> list[Scored[Learned]]:
        """Train and score every point of the grid, the best first."""
        from treewright.compression.tuning import grid_search

        return grid_search(
            learner,
            self.points,
            data,
            held_out,
            target=self.target,
            decode=self.decode,
            chains=self.chains,
            jobs=self.jobs,
            progress=console.progress(),
        )

    def score(self, models: Sequence[AnyModel], held_out: Sequence[Pair]) -> list[Scores]:
        """Score models on the held-out pairs, if there are any."""
        from treewright.compression.tuning import score_models

        return score_models(
            models if held_out else [],
            held_out,
            target=self.target,
            decode=self.decode,
            jobs=self.jobs,
            progress=console.progress(),
        )

    def learn(
        self,
        learner: Learner[Data, Learned],
        problems: Problems,
        save: Callable[[Learned, str], None],
    ) -> None:
        """Learn, over the grid if there is one; save the model, then show its scores."""
        data, held_out = self.read(learner, problems)
        self.learn_prepared(learner, data, held_out, save)

    def learn_prepared(
        self,
        learner: Learner[Data, Learned],
        data: Data,
        held_out: Sequence[Pair],
        save: Callable[[Learned, str], None],
        **how: Any,
    ) -> None:
        """Do the same with data that are made already; `how` is for a single run."""
        if self.points:
            ranking = self.search(learner, data, held_out)
            save(ranking[0].model, self.model)
            self.show_search(ranking)
            return
        trained = learner.fit_prepared(data, progress=console.progress(), **how).model_
        save(trained, self.model)
        with interruptible(lambda: f"the model is saved in {self.model}"):
            self.show(self.score([trained], held_out))

    def show_search(self, ranking: Sequence[Scored[Learned]]) -> None:
        """Print the whole grid, and the model that was chosen."""
        show_ranking(ranking)
        self.show([(ranking[0].decoded, ranking[0].matched)])

    def show(self, scores: Sequence[Scores]) -> None:
        """Print the scores of the model, if there are any."""
        from treewright.evaluation import score_table

        for pair in scores:
            console.put_table(score_table(pair, title=f"{self.model} on {self.dev}"))


def request_of(
    learner: Any,
    *,
    pairs: options.Pairs,
    model: options.Out,
    target: options.Target = 0,
    all_targets: options.AllTargets = False,
    also: options.Also = None,
    dev: options.Dev = None,
    grid: options.Grid = None,
    decode: options.Decode = "viterbi",
    jobs: options.Jobs = 1,
) -> Request:
    """Make the request of the options that all commands have; a grid is one of the learner's."""
    return Request(
        pairs=pairs,
        model=model,
        target=target,
        all_targets=all_targets,
        also=also or (),
        dev=dev,
        points=parse_grid(grid or [], learner),
        decode=decode,
        jobs=jobs,
    )


def training_command(
    kind: type[Any],
    driver: Callable[..., None],
    about: str,
    texts: Mapping[str, str],
    *,
    lacks: Sequence[str] = (),
) -> Callable[..., None]:
    """Return the command of a driver: of a learner, a config file, a request and own options.

    The options of the request are those of `request_of`, without those that the command `lacks`.
    """
    _, *shared = inspect.signature(request_of, eval_str=True).parameters.values()
    shared = [parameter for parameter in shared if parameter.name not in lacks]
    learner, config, _, *own = inspect.signature(driver, eval_str=True).parameters.values()

    def drive(learner: Any, config: str | None, **values: Any) -> None:
        asked = {parameter.name: values.pop(parameter.name) for parameter in shared}
        driver(learner, config, request_of(learner, **asked), **values)

    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    parameters = [learner, config, *shared, *own]
    drive.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return make_command(kind, drive, about, texts)


@contextmanager
def interruptible(left: Callable[[], str]) -> Iterator[None]:
    """When interrupted, say what is left of the work."""
    try:
        yield
    except (KeyboardInterrupt, SystemError) as error:
        if not console.is_interrupt(error):
            raise
        console.say(f"treewright: interrupted: {left()}")
        raise typer.Exit(130) from None


_SCORES = {
    "RelF1": ("relation_f1", False),
    "rate": ("word_rate", False),
    "RelF1 at gold rate": ("relation_f1", True),
}
"""The columns of tables: which score, and whether at the matched rate."""


def show_ranking(ranking: Sequence[Scored[Learned]]) -> None:
    """Print every point of a grid with its scores, in the order given."""
    from rich.table import Table

    names = list(ranking[0].settings)
    counted = _size(ranking[0].model)[1]
    table = Table(*names, *_SCORES, counted, title="grid search")
    for scored in ranking:
        table.add_row(
            *[f"{scored.settings[name]:g}" for name in names],
            *[_percent(scored.spread(name, matched=matched)) for name, matched in _SCORES.values()],
            str(_size(scored.model)[0]),
        )
    console.put_table(table)


def _size(model: AnyModel) -> tuple[int, str]:
    """Return how large a model is, and what is counted."""
    from treewright.pruning import Model

    if not isinstance(model, Model):
        return len(model), "weights"
    return (model.num_weights, "weights") if model.num_weights else (len(model.grammar), "rules")


def _percent(spread: Spread) -> str:
    mean = f"{100 * spread.mean:.2f}"
    return mean if spread.deviation is None else f"{mean} ± {100 * spread.deviation:.2f}"


def show_chains(chains: Sequence[Gibbs], scores: Sequence[Scores]) -> None:
    """Print several chains, with their scores if there are any, and the mean and spread of all."""
    from rich.table import Table

    from treewright.learning.gibbs import Spread

    rows = [[c.log_joint_, float(len(c.model_.grammar))] for c in chains]
    for row, pair in zip(rows, scores, strict=False):
        row += [100 * pair[matched].score(name) for name, matched in _SCORES.values()]
    names = ["chain", "seed", "log joint", "rules", *(_SCORES if scores else ())]
    signature = scores[0][0].signature if scores else None
    table = Table(title="chains", caption=signature)
    for name in names:
        table.add_column(name, justify="left" if name == "chain" else "right")
    for number, (chain, row) in enumerate(zip(chains, rows, strict=True)):
        table.add_row(
            str(number), str(chain.seed), *_cells(row, ".0f"), end_section=chain is chains[-1]
        )
    spreads = [Spread.of(column) for column in zip(*rows, strict=True)]
    table.add_row("mean", "", *_cells([s.mean for s in spreads], ".1f"))
    table.add_row("deviation", "", *_cells([s.deviation or 0.0 for s in spreads], ".1f"))
    console.put_table(table)


def _cells(row: Sequence[float], rules: str) -> list[str]:
    """Write the log joint, the number of rules and scores."""
    log_joint, count, *scores = row
    return [f"{log_joint:.1f}", f"{count:{rules}}", *[f"{score:.2f}" for score in scores]]
