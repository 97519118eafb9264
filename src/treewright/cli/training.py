"""What the commands of `treewright train` share: their options, interruptions and tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from treewright.cli import console, options
from treewright.cli.settings import make_learner, parse_grid, setting_options
from treewright.errors import Problems, UsageError, choose

if TYPE_CHECKING:
    from treewright.compression import AnyModel, Scored, Scores
    from treewright.corpora import Pair
    from treewright.learning import Gibbs, Learner
    from treewright.learning.gibbs import Spread

Data = TypeVar("Data")
Learned = TypeVar("Learned", bound="AnyModel")


@dataclass(frozen=True, kw_only=True)
class Training:
    """What every learner is asked to do: learn from pairs, over a grid or not, and be scored.

    The fields are the options of every command of `treewright train`.
    """

    pairs: options.Pairs
    model: options.Out
    config: options.Config = None
    target: options.Target = 0
    all_targets: options.AllTargets = False
    also: options.Also = None
    dev: options.Dev = None
    grid: options.Grid = None
    decode: options.Decode = "viterbi"
    jobs: options.Jobs = 1
    strict: options.Strict = False

    @property
    def files(self) -> list[str]:
        """The files of pairs to learn from."""
        return [self.pairs, *(self.also or [])]

    def check(self, learner: Any, *written: str | None) -> None:
        """Raise an error if inputs and outputs, including those `written`, conflict, or if the
        request could only fail once the work is done.
        """
        from treewright.compression import DECODERS

        console.check_outputs([*self.files, self.dev, self.config], [self.model, *written])
        choose(self.decode, DECODERS, "decode")
        parse_grid(self.grid or [], learner)
        if self.grid and self.dev is None:
            raise UsageError("--grid needs --dev to score on")
        if self.model == "-" and self.dev is not None:
            raise UsageError("--dev prints scores on stdout, where --model - writes the model")
        console.check_stdin(*self.files, self.dev)

    def read(self, learner: Learner[Data, Learned], problems: Problems) -> tuple[Data, list[Pair]]:
        """Return what the learner learns from, and the pairs to score on, if any."""
        from treewright.corpora import read_pairs

        held_out = read_pairs(self.dev, target=self.target, problems=problems) if self.dev else ()
        scored = list(held_out)
        target = None if self.all_targets else self.target
        pairs = [
            pair for path in self.files for pair in console.aligned_pairs(path, target, problems)
        ]
        return learner.prepare(pairs, problems=problems, progress=console.progress()), scored

    def search(
        self,
        learner: Learner[Data, Learned],
        data: Data,
        held_out: Sequence[Pair],
        *,
        chains: int = 1,
    ) -> list[Scored[Learned]]:
        """Train and score every point of the grid, best first."""
        from treewright.compression import grid_search

        return grid_search(
            learner,
            parse_grid(self.grid or [], learner),
            data,
            held_out,
            target=self.target,
            decode=self.decode,
            chains=chains,
            jobs=self.jobs,
            progress=console.progress(),
        )

    def score(self, models: Sequence[AnyModel], held_out: Sequence[Pair]) -> list[Scores]:
        """Score models on the held-out pairs, if any."""
        from treewright.compression import score_models

        return score_models(
            models if held_out else [],
            held_out,
            target=self.target,
            decode=self.decode,
            jobs=self.jobs,
            progress=console.progress(),
        )

    def run(self, learner: Learner[Data, Learned], save: Callable[[Learned, str], None]) -> None:
        """Learn, over the grid if there is one; save the model, then show its scores."""
        self.check(learner)
        problems = console.collect(self.strict)
        self.learn(learner, *self.read(learner, problems), save)
        console.conclude(problems, "pairs")

    def learn(
        self,
        learner: Learner[Data, Learned],
        data: Data,
        held_out: Sequence[Pair],
        save: Callable[[Learned, str], None],
        **how: Any,
    ) -> None:
        """Do the same with data that are already prepared; `how` is for a single run."""
        if self.grid:
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
        """Print the scores of the model, if any."""
        from treewright.evaluation import score_table

        for pair in scores:
            console.put_table(score_table(pair, title=f"{self.model} on {self.dev}"))


def training_command(
    kind: type[Any],
    driver: Callable[..., None],
    about: str,
    texts: Mapping[str, str],
    *,
    lacks: Sequence[str] = (),
) -> Callable[..., None]:
    """Return the command that makes a learner and passes it, with a `Training`, to a driver.

    Typer reads options off a signature. This one has an option for each setting of the learner,
    with the help in `texts`, which also gives their order; then the driver's own; then the fields
    of `Training`, without those that the command `lacks`.

    The eight commands made here have 105 options for settings. Written out, each of them would
    stand in a signature with its type and its default, and again in the call that makes the
    learner: some 350 lines that could say something else than the library.
    """
    fields = inspect.signature(Training, eval_str=True).parameters.values()
    shared = [field for field in fields if field.name not in lacks]
    _, _, *own = inspect.signature(driver, eval_str=True).parameters.values()

    def run(**values: Any) -> None:
        training = Training(**{field.name: values.pop(field.name) for field in shared})
        flags = {name: values.pop(name) for name in texts}
        driver(make_learner(kind, training.config, flags), training, **values)

    parameters = [*shared[:2], *setting_options(kind, texts), *own, *shared[2:]]
    keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    run.__doc__ = about
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword}
    run.__signature__ = inspect.Signature(keyword)  # type: ignore[attr-defined]
    return run


@contextmanager
def interruptible(left: Callable[[], str]) -> Iterator[None]:
    """When interrupted, say what is left of the work."""
    try:
        yield
    except KeyboardInterrupt:
        console.say(f"treewright: interrupted: {left()}")
        raise typer.Exit(130) from None


def what_is_left(*checkpoints: str | Path | None) -> str:
    """Say what an interrupted run has saved and how to continue, or how to make that possible."""
    asked = [str(path) for path in checkpoints if path is not None]
    kept = [path for path in asked if Path(path).exists()]
    if kept:
        return f"the last checkpoint is kept in {', '.join(kept)}; add --resume to continue"
    if asked:
        return "there was no checkpoint yet"
    return "nothing was saved; --checkpoint FILE saves what --resume continues from"


_SCORES = {
    "RelF1": ("relation_f1", False),
    "rate": ("word_rate", False),
    "RelF1 at gold rate": ("relation_f1", True),
}
"""The columns of tables: which score, and whether at the matched rate."""


def show_ranking(ranking: Sequence[Scored[Learned]]) -> None:
    """Print every point of a grid with its scores, in the given order."""
    from rich.table import Table

    names = list(ranking[0].settings)
    counted = ranking[0].model.size[1]
    table = Table(*names, *_SCORES, counted, title="grid search")
    for scored in ranking:
        table.add_row(
            *[f"{scored.settings[name]:g}" for name in names],
            *[_percent(scored.spread(name, matched=matched)) for name, matched in _SCORES.values()],
            str(scored.model.size[0]),
        )
    console.put_table(table)


def _percent(spread: Spread) -> str:
    mean = f"{100 * spread.mean:.2f}"
    return mean if spread.deviation is None else f"{mean} ± {100 * spread.deviation:.2f}"


def show_chains(chains: Sequence[Gibbs], scores: Sequence[Scores]) -> None:
    """Print several chains, with their scores if any, and the mean and spread of all."""
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
