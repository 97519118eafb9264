"""Labelling text: the propositions of each sentence as rows for JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from treewright.engine import Engine
from treewright.errors import Problems
from treewright.propositions.model import PropositionModel
from treewright.propositions.parsing import read_all
from treewright.propositions.reading import Passage


@dataclass(frozen=True)
class Labels:
    """The propositions of a sentence, as written to JSON Lines."""

    id: str
    propositions: list[dict[str, Any]]

    def row(self) -> dict[str, Any]:
        """Return the row."""
        return {"id": self.id, "propositions": self.propositions}


def label_passages(
    model: PropositionModel,
    passages: Iterable[Passage],
    parser: str,
    problems: Problems,
    *,
    number: int = 1,
    full: bool = False,
    engine: Engine | None = None,
) -> Iterator[Labels]:
    """Yield the propositions of each sentence; with `full`, also what and where their parts are."""
    for passage, found in read_all(passages, parser, problems, model.shapes, engine):
        rows = []
        for instance in found.instances:
            best = model.propositions(instance, number)
            row: dict[str, Any] = {
                "instance": list(best[0].words),
                "classes": list(best[0].classes),
                "at": [[first + 1, last + 1] for first, last in instance.at],
                "known": list(best[0].known),
                "logprob": best[0].log_prob,
            }
            if number > 1:
                row["others"] = [
                    {"classes": list(one.classes), "logprob": one.log_prob} for one in best[1:]
                ]
            if full:
                row |= {
                    "shape": instance.shape,
                    "kinds": list(instance.kinds),
                    "characters": [
                        [passage.spans[first][0], passage.spans[last][1]]
                        for first, last in instance.at
                    ],
                    "nodes": list(instance.nodes),
                }
            rows.append(row)
        yield Labels(passage.id, rows)
