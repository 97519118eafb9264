"""Translation span alignment: links improved by derivations (Zhu, Xiao and Zhang 2012)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import expect_work
from treewright.corpora import Alignment, Links, Sentences, Vocabulary
from treewright.errors import UsageError
from treewright.progress import SILENT, Progress
from treewright.translation.forcing.decoder import Forced, ForcedDecoder, Forcing
from treewright.translation.phrases import PhraseSettings, build_phrases
from treewright.translation.threads import in_order

NO_SPAN = -1


@dataclass(frozen=True)
class Refinement:
    """How links are refined: which of them go and come, how often the text is gone through.

    Links are added from one-to-one span pairs whose confidence, the geometric mean of p(e|f) and
    p(f|e), is at least `confidence`; that of pairs seen only here is 0.
    """

    forcing: Forcing = field(default_factory=Forcing)
    delete: bool = True
    add: bool = True
    confidence: float = 0.05
    iterations: int = 1
    jobs: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise UsageError(f"confidence is between 0 and 1; found {self.confidence}")
        if self.iterations < 1 or self.jobs < 1:
            raise UsageError(
                f"iterations and jobs are at least 1; found {self.iterations}, {self.jobs}"
            )


@dataclass(frozen=True)
class RefinementReport:
    """What an iteration did: pairs by the relaxation that reached them, derivations that are sure
    to be the best, span pairs, links.
    """

    pairs: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    spans: int = 0
    deleted: int = 0
    added: int = 0


@dataclass(frozen=True, eq=False)
class Refined:
    """Refined links, and a report of each iteration."""

    links: Links
    reports: tuple[RefinementReport, ...]


def refine_alignment(
    links: Alignment,
    spans: NDArray[np.int32],
    sizes: tuple[int, int],
    *,
    confident: Iterable[tuple[int, int]] = (),
    delete: bool = True,
) -> Alignment:
    """Delete the links that are inconsistent with span pairs, and add those that are confident.

    A link is inconsistent if one of its words is in a span pair that the other is not in. Spans are
    rows of source start and end, target start and end.
    """
    of_source, of_target = np.full(sizes[0], NO_SPAN), np.full(sizes[1], NO_SPAN)
    for number, (i1, i2, j1, j2) in enumerate(spans.tolist()):
        of_source[i1:i2] = number
        of_target[j1:j2] = number
    kept = {(i, j) for i, j in links if not delete or of_source[i] == of_target[j]}
    return tuple(sorted(kept.union(confident)))


def refine_links(
    source: Sentences,
    target: Sentences,
    links: Links,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    settings: Refinement | None = None,
    progress: Progress = SILENT,
) -> Refined:
    """Refine the links of a text with the phrases that these links give.

    Each iteration extracts phrases anew. A pair with an empty side keeps its place, without links.
    """
    settings = settings or Refinement()
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
        forced = derivations(decoder, source, target, links, jobs=settings.jobs)
        tracked = progress.track(forced, f"deriving pairs, iteration {number}")
        links, report = _refined(source, target, links, tracked, settings)
        reports.append(report)
    return Refined(links, tuple(reports))


def derivations(
    decoder: ForcedDecoder, source: Sentences, target: Sentences, links: Links, *, jobs: int = 1
) -> Iterator[Forced | None]:
    """Yield the best derivation of each pair of the text that a table was made from; none of a pair
    with an empty side.
    """

    def derive(number: int) -> Forced | None:
        f, e = source[number], target[number]
        if not f.size or not e.size:
            return None
        own = slice(links.start[number], links.start[number + 1])
        return decoder.decode(f, e, (links.source[own], links.target[own]))

    return in_order(derive, range(len(source)), jobs)


def _refined(
    source: Sentences,
    target: Sentences,
    links: Links,
    derivations: Iterator[Forced | None],
    settings: Refinement,
) -> tuple[Links, RefinementReport]:
    alignments: list[Alignment] = []
    report = RefinementReport()
    for number, forced in enumerate(derivations):
        old = links[number]
        if forced is None:
            alignments.append(())
            continue
        spans = forced.spans
        sizes = int(source.lengths[number]), int(target.lengths[number])
        confident = forced.confident_links(settings.confidence) if settings.add else ()
        new = refine_alignment(old, spans, sizes, confident=confident, delete=settings.delete)
        alignments.append(new)
        report.reached[forced.relaxation] += 1
        report = replace(
            report,
            pairs=report.pairs + 1,
            exact=report.exact + forced.exact,
            spans=report.spans + len(spans),
            deleted=report.deleted + len(set(old) - set(new)),
            added=report.added + len(set(new) - set(old)),
        )
    return Links.of(alignments), report
