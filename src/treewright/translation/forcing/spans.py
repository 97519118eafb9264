"""Translation span alignment: links improved by derivations (Zhu, Xiao and Zhang 2012)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints
from treewright.compiling import expect_work
from treewright.corpora import Alignment, Links, Sentences, Vocabulary
from treewright.errors import UsageError
from treewright.progress import SILENT, Progress
from treewright.randomness import generator
from treewright.threads import in_order
from treewright.translation.forcing.decoder import Forced, ForcedDecoder, Forcing
from treewright.translation.phrases.building import PhraseSettings, build_phrases

NO_SPAN = -1
KEPT_BY, ADDED_BY = 0.5, 0.75
"""The shares of derivations that must agree with a link for it to stay, and to be added."""


@dataclass(frozen=True)
class LinkRefinement:
    """How links are refined: which of them go and come, how often the text is gone through.

    Links are added from one-to-one span pairs whose confidence, the geometric mean of p(e|f) and
    p(f|e), is at least `confidence`; that of pairs seen only here is 0. Several `derivations` of a
    pair vote: the best, and others by the scores of phrases with some noise, drawn by `seed`.
    """

    forcing: Forcing = field(default_factory=Forcing)
    delete: bool = True
    add: bool = True
    confidence: float = 0.05
    derivations: int = 8
    iterations: int = 1
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise UsageError(f"confidence is between 0 and 1; found {self.confidence}")
        if self.derivations < 1 or self.iterations < 1 or self.jobs < 1:
            raise UsageError(
                "derivations, iterations and jobs are at least 1; found "
                f"{self.derivations}, {self.iterations}, {self.jobs}"
            )


@dataclass(frozen=True)
class RefinementReport:
    """What an iteration did: pairs by the relaxation that reached them, best derivations that are
    sure to be so, span pairs of these, links.
    """

    pairs: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    spans: int = 0
    deleted: int = 0
    added: int = 0


@dataclass(frozen=True, eq=False)
class RefinedLinks:
    """Refined links, and a report of each iteration."""

    links: Links
    reports: tuple[RefinementReport, ...]


class Vote(NamedTuple):
    """What a derivation says: its span pairs (rows of source start and end, target start and end),
    and the links that it would add.
    """

    spans: Ints
    added: Collection[tuple[int, int]] = ()

    @classmethod
    def of(cls, forced: Forced, settings: LinkRefinement) -> Vote:
        """Let a derivation vote."""
        confident = forced.confident_links(settings.confidence) if settings.add else ()
        return cls(forced.spans, confident)

    def consistent(self, links: Alignment, sizes: tuple[int, int]) -> Alignment:
        """Return the links that are consistent with the span pairs: no word of one is in a span
        pair that the other is not in.
        """
        of_source, of_target = np.full(sizes[0], NO_SPAN), np.full(sizes[1], NO_SPAN)
        for number, (i1, i2, j1, j2) in enumerate(self.spans.tolist()):
            of_source[i1:i2] = number
            of_target[j1:j2] = number
        return tuple((i, j) for i, j in links if of_source[i] == of_target[j])


def refine_alignment(
    links: Alignment, votes: Sequence[Vote], sizes: tuple[int, int], *, delete: bool = True
) -> Alignment:
    """Delete the links that too few derivations are consistent with; add those that most add."""
    stay, come = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for vote in votes:
        stay.update(vote.consistent(links, sizes))
        come.update(vote.added)
    kept = {link for link in links if not delete or stay[link] >= KEPT_BY * len(votes)}
    return tuple(sorted(kept | {link for link in come if come[link] >= ADDED_BY * len(votes)}))


def refine_links(
    source: Sentences,
    target: Sentences,
    links: Links,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    settings: LinkRefinement | None = None,
    progress: Progress = SILENT,
) -> RefinedLinks:
    """Refine the links of a text with the phrases that these links give.

    Each iteration extracts phrases anew. A pair with an empty side keeps its place, without links.
    """
    settings = settings or LinkRefinement()
    expect_work(len(source))
    reports = []
    for number in range(1, settings.iterations + 1):
        table = build_phrases(
            source,
            target,
            links,
            source_vocabulary,
            target_vocabulary,
            settings=PhraseSettings(limit=0, smoothing="none"),
            progress=progress,
        )
        decoder = ForcedDecoder(table, settings.forcing)
        forced = sampled(
            decoder,
            source,
            target,
            links,
            number=settings.derivations,
            seed=settings.seed,
            jobs=settings.jobs,
        )
        tracked = progress.track(forced, f"deriving pairs, iteration {number}")
        links, report = _refined(source, target, links, tracked, settings)
        reports.append(report)
    return RefinedLinks(links, tuple(reports))


def derivations(
    decoder: ForcedDecoder, source: Sentences, target: Sentences, links: Links, *, jobs: int = 1
) -> Iterator[Forced | None]:
    """Yield the best derivation of each pair of the text that a table was made from; none of a pair
    with an empty side.
    """
    found = sampled(decoder, source, target, links, number=1, jobs=jobs)
    return (each[0] if each else None for each in found)


def sampled(
    decoder: ForcedDecoder,
    source: Sentences,
    target: Sentences,
    links: Links,
    *,
    number: int,
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[list[Forced]]:
    """Yield the best derivation of each pair and others, `number` in all."""

    def derive(pair: int) -> list[Forced]:
        f, e = source[pair], target[pair]
        if not f.size or not e.size:
            return []
        own = slice(links.start[pair], links.start[pair + 1])
        rng = generator(seed, pair)
        return list(decoder.sample(f, e, (links.source[own], links.target[own]), number, rng))

    return in_order(derive, range(len(source)), jobs)


def _refined(
    source: Sentences,
    target: Sentences,
    links: Links,
    derivations: Iterator[list[Forced]],
    settings: LinkRefinement,
) -> tuple[Links, RefinementReport]:
    alignments: list[Alignment] = []
    report = RefinementReport()
    for number, found in enumerate(derivations):
        old = links[number]
        if not found:
            alignments.append(())
            continue
        sizes = int(source.lengths[number]), int(target.lengths[number])
        votes = [Vote.of(forced, settings) for forced in found]
        new = refine_alignment(old, votes, sizes, delete=settings.delete)
        alignments.append(new)
        best = found[0]
        report.reached[best.relaxation] += 1
        report = replace(
            report,
            pairs=report.pairs + 1,
            exact=report.exact + best.exact,
            spans=report.spans + len(best.spans),
            deleted=report.deleted + len(set(old) - set(new)),
            added=report.added + len(set(new) - set(old)),
        )
    return Links.of(alignments), report
