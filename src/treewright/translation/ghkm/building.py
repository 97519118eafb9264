"""Rules that translate trees, from pairs with word links (Galley et al. 2004, 2006)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from treewright.corpora import Pair
from treewright.engine import Engine
from treewright.errors import DataError, Problems, UsageError, check_least, choose
from treewright.grammar import Grammar
from treewright.progress import SILENT, Progress
from treewright.translation.ghkm._kernels import Limits
from treewright.translation.ghkm.counting import CountedRuns, count_rules
from treewright.translation.ghkm.occurrences import Runs, extraction
from treewright.translation.ghkm.packing import Packer
from treewright.translation.ghkm.scoring import Scorer
from treewright.translation.phrases.smoothing import SMOOTHINGS

KINDS = ("strings", "trees")
"""What trees are translated into."""
UNALIGNED = ("within", "next", "every")
"""Where unlinked target words go, in the order of the kernels' numbers."""


@dataclass(frozen=True)
class RuleSettings:
    """Which rules are extracted from pairs.

    A node is a frontier node if no word outside it is linked into the span of target words that its
    own words are linked to; with trees as targets, a target node must have that span, but for
    unlinked words. A minimal rule reaches from a frontier node down to the next ones; a composed
    rule is up to `parts` of them put together, with at most `size` source productions, `depth` of
    them on a path, and `variables`. With `phrases`, each phrase of so many source words also gives
    a rule with these words, of any number of parts. Unlinked source words stay inside rules.

    Unlinked target words go, with `within`, to the lowest node whose linked words surround them (at
    both ends of a sentence, the root); with `next`, to the linked word that follows (at the end,
    precedes) and so to every node that this is an edge of; with `every`, to each of these places in
    turn, in at most `places` ways per source fragment. Target trees say themselves where words
    belong; there nodes that share their links are paired from the top down, or, with `every`,
    each with each.

    Rules that are only ever composed must occur `min_count` times. Of one source side, `limit`
    rules are kept (0: all). Probabilities of a side given the other are smoothed as `smoothing`
    says. Occurrences beyond `memory` megabytes are sorted in files.
    """

    kind: str = "strings"
    parts: int = 3
    size: int = 15
    depth: int = 5
    variables: int = 4
    phrases: int = 0
    unaligned: str = "next"
    places: int = 16
    min_count: int = 1
    limit: int = 30
    smoothing: str = "none"
    memory: int = 1024

    def __post_init__(self) -> None:
        choose(self.kind, KINDS, "kind of target")
        choose(self.smoothing, SMOOTHINGS, "smoothing")
        choose(self.unaligned, UNALIGNED, "place for unaligned words")
        check_least(self, "parts", "size", "depth", "places", "min_count", "memory")
        for name in ("variables", "phrases", "limit"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} must be 0 or more, found {getattr(self, name)}")

    @property
    def limits(self) -> Limits:
        """The settings that kernels read."""
        return Limits(
            self.parts,
            self.size,
            self.depth,
            self.variables,
            self.phrases,
            self.places,
            UNALIGNED.index(self.unaligned),
            self.kind == "trees",
        )


def build_rules(
    pairs: Iterable[Pair],
    *,
    settings: RuleSettings | None = None,
    folder: str | Path | None = None,
    engine: Engine | None = None,
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> Grammar:
    """Extract, count and score the rules of aligned pairs; bad pairs go to `problems`.

    Pairs are read once; a pair without links gives no rules. Temporary files are in `folder`, or
    where the system has them. An `engine` extracts and counts instead, by batches of pairs.
    """
    settings = settings or RuleSettings()
    problems = problems or Problems(strict=True)
    packer = Packer(settings.kind == "trees")
    batches = packer.batches(progress.track(pairs, "Extracting rules"), problems)
    with ExitStack() as stack:
        runs: Runs | CountedRuns
        if engine is None:
            memory = settings.memory << 20
            found = extraction(batches, settings.limits, memory=memory, folder=folder)
            runs = stack.enter_context(found)
        else:
            runs = count_rules(batches, settings.limits, engine, problems)
        if not packer.has_pairs:
            raise DataError("no pairs to extract rules from")
        scorer = Scorer(
            packer.labels,
            packer.words,
            packer.productions(),
            packer.lexicon(),
            settings.min_count,
            settings.limit,
            settings.smoothing,
        )
        for chunk in progress.track(runs.chunks(), "Scoring rules"):
            scorer.add(chunk)
    return scorer.finish()
