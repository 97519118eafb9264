"""Explaining a compression: every deletion, its reason, and the best version without it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from treewright.compression.candidates import Prunings
from treewright.compression.models import AnyForest
from treewright.compression.result import Shortened, Version
from treewright.corpora import is_word
from treewright.forest import log_partition
from treewright.pruning import CompressionForest, Reason, hold, hold_some, reasons, tokens_of
from treewright.pruning.deletion import Deleted, DeletionForest
from treewright.transduction import Target
from treewright.trees import Tree

TRIES = 10
"""Costs at which a runner-up is searched for, because tidying may undo what is kept."""


@dataclass(frozen=True)
class Deletion:
    """A deleted constituent, with the marks beside it that are deleted in the same gap.

    `tokens` are positions in the sentence, from 0; `text` is the source text from the first to the
    last of them. `score` is the log-weight that the model gives to the deletion (see `Reason`), or
    the score of the arc over it in a deletion model. `probability` is the share of versions without
    any token of the constituent in the total weight of all admissible versions; it is exact, and
    `None` if a model has no probabilities. `runner_up` is the version that would have been chosen,
    under the same limit, if part of the constituent had to stay (`None` if none is admissible), and
    `margin` is by how much the chosen version outscores it. It may be negative: versions are chosen
    for what they share with others, or for their use of the room, not by score alone.
    """

    tokens: tuple[int, ...]
    text: str
    label: str
    rule: str | None
    score: float
    probability: float | None = None
    runner_up: Version | None = None
    margin: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "tokens": list(self.tokens),
            "text": self.text,
            "label": self.label,
            "rule": self.rule,
            "score": self.score,
            "probability": self.probability,
            "runner_up": None if self.runner_up is None else self.runner_up.as_dict(),
            "margin": self.margin,
        }


class _Loss(NamedTuple):
    """What the model drops at once, and the forest of all versions that keep some of it."""

    tokens: range
    label: str
    rule: str | None
    score: float
    others: AnyForest


def explain(candidates: Prunings, chosen: Shortened, room: int | None) -> tuple[Deletion, ...]:
    """Return the deletions in the chosen version of a sentence, from left to right.

    `room` is how long it may be, in the unit of the limit. What only tidying drops does not count
    as a deletion, nor does what tidying restores.
    """
    tokens = candidates.sentence.tokens
    deletions = []
    for loss in _losses(candidates.forest, chosen):
        gone = tuple([place for place in loss.tokens if place not in chosen.kept])
        if not gone:
            continue
        runner_up = _runner_up(candidates, loss.others, frozenset(gone), room)
        deletions.append(
            Deletion(
                gone,
                candidates.sentence.text[tokens[gone[0]].start : tokens[gone[-1]].end],
                loss.label,
                loss.rule,
                loss.score,
                _share_without(candidates.forest, loss.others)
                if candidates.objective.agree
                else None,
                runner_up,
                None if runner_up is None else chosen.score - runner_up.score,
            )
        )
    return tuple(deletions)


def _losses(forest: AnyForest, chosen: Shortened) -> Iterator[_Loss]:
    target = chosen.target
    if isinstance(forest, CompressionForest) and isinstance(target, Target):
        yield from _of_rules(forest, target)
    elif isinstance(forest, DeletionForest) and isinstance(target, Deleted):
        yield from _of_arcs(forest, target)


def _of_rules(forest: CompressionForest, target: Target) -> Iterator[_Loss]:
    """Yield the dropped constituents; to keep part of one is to keep all nodes above it."""
    end = forest.source.end
    # The version may come from a part of the forest, whose edges have other numbers.
    assert isinstance(target.forest, CompressionForest), "a forest of prunings has such parts"
    for group in _grouped(forest, reasons(target.forest, target.derivation)):
        node = next((each for each in group if _has_words(forest, each)), group[0]).node
        first, last = (tokens_of(forest, each.node) for each in (group[0], group[-1]))
        yield _Loss(
            range(first.start, last.stop),
            forest.source.nodes[node].label,
            str(group[0].rule),
            sum(reason.weight for reason in group),
            hold(forest, [above for above in range(1, node + 1) if node < end[above]]),
        )


def _grouped(forest: CompressionForest, found: Iterable[Reason]) -> list[list[Reason]]:
    """Group the marks beside a constituent with it, if one edge drops them all."""
    groups: list[list[Reason]] = []
    for reason in found:
        group = groups[-1] if groups else []
        if (
            group
            and group[-1].edge == reason.edge
            and tokens_of(forest, group[-1].node).stop == tokens_of(forest, reason.node).start
            and not (_has_words(forest, reason) and any(_has_words(forest, g) for g in group))
        ):
            group.append(reason)
        else:
            groups.append([reason])
    return groups


def _has_words(forest: CompressionForest, reason: Reason) -> bool:
    return bool(forest.is_word[list(tokens_of(forest, reason.node))].any())


def _of_arcs(forest: DeletionForest, target: Deleted) -> Iterator[_Loss]:
    """Yield the runs of dropped tokens; a position in the forest is a token's position plus one.

    Marks at the ends of a run are no reason to keep part of it.
    """
    words = forest.source.words()
    last = forest.forest.num_nodes - 1
    for before, behind in pairwise([0, *[place + 1 for place in target.positions], last]):
        if behind > before + 1:
            run = range(before, behind - 1)
            score = float(forest.weights[forest.forest.node_ptr[behind] + before])
            inner = [place for place in run if is_word(words[place])] or run
            others = hold_some(forest, range(inner[0], inner[-1] + 1))
            yield _Loss(run, _categories(forest.source, run), None, score, others)


def _categories(tree: Tree, run: range) -> str:
    """Return the labels of the constituents that make up a run of tokens; marks only if alone."""
    found: list[Tree] = []
    stack = [(tree, 0)]
    while stack:
        node, start = stack.pop()
        end = start + len(node.words())
        if run.start <= start and end <= run.stop:
            found.append(node)
        elif start < run.stop and run.start < end:
            for child in reversed(node.children):
                end -= len(child.words())
                stack.append((child, end))
    worded = [node for node in found if any(map(is_word, node.words()))]
    return " ".join([node.label for node in worded or found])


def _share_without(forest: AnyForest, others: AnyForest) -> float:
    """Return the share of a forest's total weight that is outside a part of it."""
    whole, part = (log_partition(each.forest, each.weights) for each in (forest, others))
    return max(0.0, -math.expm1(part - whole))


def _runner_up(
    candidates: Prunings, others: AnyForest, gone: frozenset[int], room: int | None
) -> Version | None:
    """Return the best of the other versions that keeps some of what is gone, and fits."""
    limit = candidates.limit
    search = candidates.objective.search(others)
    scores = search.scores.copy()
    if room is not None:
        # Characters are counted as if there were a space before the first.
        scores[room + 1 + (limit.unit == "characters") :] = -math.inf
    for cost in (-scores).argsort(kind="stable").tolist()[:TRIES]:
        if scores[cost] == -math.inf:
            break
        version = candidates.read(search.target(cost))
        fits = room is None or limit.unit == "words" or limit.measure(version.text) <= room
        if fits and not gone.isdisjoint(version.kept):
            return version
    return None
