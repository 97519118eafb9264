"""`treewright train gibbs`: derivations are sampled, in one chain or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.settings import make_command, parse_grid
from treewright.cli.training import check_request, held_out_pairs, show_chains, show_ranking
from treewright.compression import grid_search, score_models
from treewright.errors import DataError, UsageError
from treewright.evaluation import score_table
from treewright.grammar import Model
from treewright.learning import Gibbs
from treewright.learning.gibbs import RunFiles, best_chain, fit_chains

CheckpointFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep what --resume needs; a file for each chain."),
]
Every = Annotated[
    int,
    typer.Option(min=1, metavar="SWEEPS", help="Between checkpoints, which fall on each 50th."),
]
TraceFile = Annotated[
    str | None, typer.Option(metavar="FILE.jsonl", help="Write reports for 'plot trace'.")
]


def _train(
    learner: Gibbs,
    pairs: options.Pairs,
    model: options.Out,
    target: options.Target = 0,
    dev: options.Dev = None,
    grid: options.Grid = None,
    decode: options.Decode = "viterbi",
    chains: Annotated[int, typer.Option(min=1, help="Runs, with seeds one behind another.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes of chains or grid search.")] = 1,
    checkpoint: CheckpointFile = None,
    checkpoint_every: Every = RunFiles.checkpoint_every,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from --checkpoint.")] = False,
    trace: TraceFile = None,
    strict: options.Strict = False,
) -> None:
    files = RunFiles(
        checkpoint=checkpoint, checkpoint_every=checkpoint_every, resume=resume, trace=trace
    )
    points = parse_grid(grid or [], learner)
    saved = _checkpoints(files, chains)
    check_request(pairs, dev, grid, model, trace, *saved)
    if model == "-" and chains > 1:
        raise UsageError("--chains prints a table on stdout, where --model - writes the model")
    if points and (saved or trace):
        raise UsageError("a grid search keeps no --checkpoint and no --trace")
    if resume and not any(Path(path).exists() for path in saved):
        raise DataError("no checkpoint to resume from", where=", ".join(saved))
    console.announce_compiling()
    bars = console.progress()
    problems = console.collect(strict)
    held_out = held_out_pairs(dev, target, problems)
    with _interruptible(saved, advise=not points):
        packed = learner.prepare(
            console.aligned_pairs(pairs, target, problems), problems=problems, progress=bars
        )
        if points:
            ranking = grid_search(
                learner,
                points,
                packed,
                held_out,
                target=target,
                decode=decode,
                chains=chains,
                jobs=jobs,
                progress=bars,
            )
            _save(ranking[0].model, model)
            show_ranking(ranking)
            scores = [(ranking[0].decoded, ranking[0].matched)]
        else:
            members = fit_chains(learner, packed, chains, jobs=jobs, files=files, progress=bars)
            _save(best_chain(members).model_, model)
            models = [member.model_ for member in members] if held_out else []
            scores = score_models(
                models, held_out, target=target, decode=decode, jobs=jobs, progress=bars
            )
            if chains > 1:
                show_chains(members, scores)
    if len(scores) == 1:
        console.put_table(score_table(scores[0], title=f"{model} on {dev}"))
    console.conclude(problems, "pairs")


def _checkpoints(files: RunFiles, chains: int) -> list[str]:
    """Return the checkpoint of every chain; none if none is kept."""
    if files.checkpoint is None:
        return []
    if chains == 1:
        return [str(files.checkpoint)]
    return [str(files.of_chain(chain).checkpoint) for chain in range(chains)]


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained.grammar)} rules from {about['pairs']} pairs, "
        f"{about['iterations']} sweeps, log joint {about['objective']:.2f}"
    )


@contextmanager
def _interruptible(saved: Sequence[str], *, advise: bool) -> Iterator[None]:
    """When interrupted, say what is left of the run and how to go on; `advise` how it could be."""
    try:
        yield
    except (KeyboardInterrupt, SystemError) as error:
        if not console.is_interrupt(error):
            raise
        kept = [path for path in saved if Path(path).exists()]
        if kept:
            told = f"the last checkpoint is kept in {', '.join(kept)}; add --resume to go on"
        elif saved:
            told = "there was no checkpoint yet"
        else:
            advice = "; --checkpoint FILE keeps what --resume goes on from"
            told = f"nothing is kept{advice if advise else ''}"
        console.say(f"treewright: interrupted: {told}")
        raise typer.Exit(130) from None


gibbs = make_command(
    Gibbs,
    _train,
    "Train by Gibbs sampling under Dirichlet processes.",
    {
        "alpha": "Concentration of every root pair.",
        "alphas": "Concentration of one, such as NP/ε=10. Repeat.",
        "beta": options.BASE["beta"],
        "betas": "The same of one category, such as NP=0.2. Repeat.",
        "beta_at_root": options.BASE["beta_at_root"],
        "pcfg": "P0's productions: of the sides apart, or of both.",
        "insertions": options.BASE["insertions"],
        "iterations": "Sweeps over the corpus.",
        "schedule": "Annealing: linear, cosine, geometric, constant.",
        "hottest": "Temperature of the first sweep.",
        "coldest": "Temperature of the last; 0 takes the best.",
        "start": "First state: random, minimal rules, or whole trees.",
        "blocked_every": "Sweeps between redrawing whole pairs; 0: never.",
        "resample_hyperparameters": "Draw alpha and beta as well.",
        "samples": "States to average behind the last; 0: the best.",
        "spacing": "Sweeps between two of these states.",
        "smoothing": "Weights of rules never seen: plain, p0 or flat.",
        **options.KAPPA,
        "discount": "Taken off every count, smoothing 'plain'.",
        **options.PRUNING,
        "seed": "Seed of all random choices.",
    },
)
