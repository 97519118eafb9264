"""Harvesting from files, by any method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treewright.alignment import align_words
from treewright.corpora import Sentences, Vocabulary, read_links, scan_tokens
from treewright.engine import Engine, map_objects, open_engine
from treewright.errors import DataError, Problems, UsageError
from treewright.paraphrase.harvesting import harvest
from treewright.paraphrase.model import ParaphraseModel
from treewright.paraphrase.pivoting import PivotModel, pivot, typed_phrases
from treewright.paraphrase.reading import Read, Reader, check_not_empty, partitions
from treewright.paraphrase.settings import HarvestSettings, configuration
from treewright.paraphrase.signatures import SignatureIndex
from treewright.progress import SILENT, Progress
from treewright.translation import PhraseSettings, PhraseTable, build_phrases


def harvest_files(
    method: str,
    corpus: Sequence[str | Path],
    *,
    links: Sequence[str | Path] = (),
    named: str | None = None,
    changes: Mapping[str, Any] | None = None,
    engine: str = "embedded",
    jobs: int = 1,
    parser: str = "embedded",
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> ParaphraseModel | PivotModel:
    """Harvest from files by one of `METHODS`; `changes` are to the settings that are `named`."""
    settings = configuration(method, named or "", **(changes or {}))
    if links and method != "pivot":
        raise UsageError(f"--links goes with pivot; {method} reads one language")
    with open_engine(engine, jobs) as opened:
        if method == "pivot":
            return _pivot(
                corpus, links, settings, Reader(parser, settings.needs_trees), opened, progress
            )
        space = harvest(corpus, settings, opened, parser=parser, problems=problems)
    about = {"method": method, "files": [Path(path).name for path in corpus]}
    return ParaphraseModel(space, about, SignatureIndex.of(space) if settings.bits else None)


def _pivot(
    corpus: Sequence[str | Path],
    links: Sequence[str | Path],
    settings: HarvestSettings,
    reader: Reader,
    engine: Engine,
    progress: Progress,
) -> PivotModel:
    if len(corpus) % 2 or (links and len(links) != len(corpus) // 2):
        raise UsageError(
            "pivot takes English text and its translation, and so on in turn, and with --links as "
            f"many files of links as pairs; found {len(corpus)} texts and {len(links)} of links"
        )
    tables, sentences = [], []
    read: dict[str | Path, list[Read]] = {}
    for place in range(0, len(corpus), 2):
        english, other = corpus[place : place + 2]
        if english not in read:
            progress.say(f"{english}: reading")
            read[english] = _sentences(english, reader, engine)
            sentences.extend(read[english])
        progress.say(f"{other}: a phrase table of it")
        given = links[place // 2] if links else None
        tables.append(_table(english, read[english], other, given, progress))
    phrases, types = typed_phrases(sentences, settings)
    check_not_empty(len(phrases), corpus)
    made = pivot(phrases, types, tables, settings)
    return PivotModel(
        made.settings, made.phrases, made.table, {"files": [Path(path).name for path in corpus]}
    )


def _sentences(path: str | Path, reader: Reader, engine: Engine) -> list[Read]:
    """Read a text, all of it or nothing: its lines go with those of a translation."""
    found = []
    for part in map_objects(engine, reader.read, partitions([path])):
        for read in part:
            if isinstance(read, DataError):
                raise read
            found.append(read)
    return found


def _table(
    path: str | Path,
    english: Sequence[Read],
    other: str | Path,
    links: str | Path | None,
    progress: Progress,
) -> PhraseTable:
    """Align, unless links are given, and extract phrase pairs in lower case."""
    foreign = []
    for _, words in scan_tokens(other):
        if isinstance(words, DataError):
            raise words
        foreign.append([word.lower() for word in words])
    if len(foreign) != len(english):
        raise DataError(
            f"{len(foreign)} lines, but {path} has {len(english)} sentences; line n of one must be "
            "the translation of line n of the other",
            where=str(other),
        )
    spoken = [[word.lower() for word in read.words] for read in english]
    source, target = Vocabulary(), Vocabulary()
    one = Sentences.encode(spoken, source)
    two = Sentences.encode(foreign, target)
    if links is None:
        linked = align_words(spoken, foreign, progress=progress)
    else:
        sizes = zip(one.lengths.tolist(), two.lengths.tolist(), strict=True)
        linked = read_links(links, list(sizes))
    settings = PhraseSettings(max_length=5, smoothing="none", limit=0)
    return build_phrases(one, two, linked, source, target, settings=settings, progress=progress)
