"""Learning what readers accept: verdicts about versions, and what people leave of sentences.

This module imports the learners, so the room does not import it for those who only compress.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treewright.compression.compressor import Compressor
from treewright.compression.limits import Limit
from treewright.corpora import Pair, count_words, read_object
from treewright.errors import DataError, Problems, UsageError
from treewright.files import open_text
from treewright.learning.acceptance import AcceptanceLearner, Example, Verdict, describe
from treewright.learning.neural import (
    ReaderLearner,
    Seam,
    SurpriseLearner,
    Surprises,
    without_layers,
)
from treewright.parsing import Parser, parse_each
from treewright.progress import SILENT, Progress
from treewright.pruning import CompressionForest, Model
from treewright.pruning.acceptance import Neighbours, staying_nodes
from treewright.pruning.encoded import EncodedPruning
from treewright.pruning.guards import essential
from treewright.text import split_sentences
from treewright.trees import Tree, TreeTable

Tagged = tuple[Sequence[str], Sequence[str]]
"""The words of a sentence, and their parts of speech."""

_SCHEMA = '{"tokens": "the dog", "tags": "DT NN"}'
_BATCH = 256
_REMEMBERED = 64
"""Sentences whose versions are read one after another: each is parsed once."""
_TAUGHT: Mapping[str, Any] = {"width": 128, "dropout": 0.3}
"""Settings of layers that learn from a teacher's opinions: there are many."""
_FEWEST = 10
"""Occasions that a need must have to get a price of its own."""


def with_acceptance(
    compressor: Compressor,
    verdicts: Iterable[Verdict | DataError],
    neighbours: Neighbours,
    grammar: Mapping[str, float],
    *,
    layers: bool = False,
    taught: bool = False,
    problems: Problems,
    progress: Progress = SILENT,
) -> Model:
    """Return the compressor's model with an estimate learned from verdicts, in place of the one
    before; with `layers`, two layers of its network learn from them as well, wider ones if most of
    the verdicts are opinions that a `taught` reader has of many versions.
    """
    model = compressor.model
    if not isinstance(model, Model) or len(model.grammar):
        raise UsageError("acceptance is estimated for models without rules, such as news")
    pruning = model.pruning
    if isinstance(pruning, EncodedPruning):
        pruning = without_layers(pruning)
        model = replace(model, pruning=pruning)
    elif layers:
        raise UsageError("layers are those of a network, and the model has none")
    compressor = Compressor(model, parser=compressor.parser, remember=_REMEMBERED)
    examples = list(described_versions(compressor, verdicts, neighbours, problems, progress))
    if not examples:
        raise DataError("there is no verdict to learn from")
    if layers and isinstance(pruning, EncodedPruning):
        reader = ReaderLearner(**_TAUGHT) if taught else ReaderLearner()
        reader.fit(pruning, examples, neighbours, grammar)
        return replace(model, pruning=reader.pruning_, acceptance=reader.acceptance_)
    learner = AcceptanceLearner().fit(examples, neighbours, grammar)
    return replace(model, acceptance=learner.acceptance_)


def with_surprises(
    compressor: Compressor,
    surprises: Iterable[Surprises | DataError],
    *,
    problems: Problems,
    progress: Progress = SILENT,
) -> Model:
    """Return the compressor's model with what it learned of a language model's surprises."""
    model = compressor.model
    if not isinstance(model, Model) or not isinstance(model.pruning, EncodedPruning):
        raise UsageError("surprises are learned by models with a network, such as news")
    read: list[tuple[TreeTable, list[Seam]]] = []
    for found in progress.track(surprises, "reading surprises"):
        if isinstance(found, DataError):
            problems.add(found)
            continue
        sentences = [sentence.words for sentence in split_sentences(found.text)]
        size = sum(map(len, sentences))
        if max((right for _, right, _ in found.seams), default=0) >= size:
            shown = f"{found.text:.40}"
            problems.add(DataError(f"a seam is beyond the {size} tokens of its text: {shown}"))
            continue
        for tree, seams in zip(
            parse_each(compressor.parser, sentences), _by_sentence(sentences, found), strict=True
        ):
            if isinstance(tree, Tree):
                read.append((TreeTable(tree), seams))
    learner = SurpriseLearner().fit(model.pruning, read)
    return replace(model, pruning=learner.pruning_)


def _by_sentence(sentences: Sequence[Sequence[str]], found: Surprises) -> list[list[Seam]]:
    """Number tokens in each sentence; a seam between two sentences says nothing."""
    divided: list[list[Seam]] = []
    start = 0
    for words in sentences:
        end = start + len(words)
        inside = [seam for seam in found.seams if start <= seam[0] and seam[1] < end]
        divided.append([(left - start, right - start, rise) for left, right, rise in inside])
        start = end
    return divided


def described_versions(
    compressor: Compressor,
    verdicts: Iterable[Verdict | DataError],
    neighbours: Neighbours,
    problems: Problems,
    progress: Progress = SILENT,
) -> Iterator[Example]:
    """Yield what the estimate sees of each version that has a verdict.

    The versions of a text should come one after another: only its own forests are kept.
    """
    text = ""
    known: dict[float, list[CompressionForest]] = {}
    for verdict in progress.track(verdicts, "reading verdicts"):
        if isinstance(verdict, DataError):
            problems.add(verdict)
            continue
        words = [word for s in split_sentences(verdict.text) for word in s.words]
        if max(verdict.kept, default=0) >= len(words):
            shown = f"{verdict.text:.40}"
            problems.add(
                DataError(f"a version keeps tokens beyond the {len(words)} of its text: {shown}")
            )
            continue
        # As if the limit had asked for a version of just this length.
        limit = Limit(max_words=max(1, count_words([words[place] for place in verdict.kept])))
        share = limit.share_of(count_words(words))
        if verdict.text != text:
            known, text = {}, verdict.text
        forests = known.get(share)
        if forests is None:
            forests = known[share] = compressor.forests(text, share)
        yield describe(forests, verdict.kept, neighbours, verdict.accepted)


def tagged_sentences(path: str | Path, parser: Parser) -> Iterator[Tagged]:
    """Yield the sentences of a text, tagged by a parser.

    Lines of JSON objects have their tags already: `{"tokens": "…", "tags": "…"}`, with spaces.
    """
    with open_text(path) as handle:
        if ".jsonl" in Path(path).suffixes:
            for number, line in enumerate(handle, start=1):
                yield _read_tagged(line, f"{path}:{number}")
            return
        waiting: list[Sequence[str]] = []
        for line in handle:
            waiting += [sentence.words for sentence in split_sentences(line)]
            if len(waiting) >= _BATCH:
                yield from _tag(waiting, parser)
                waiting = []
        yield from _tag(waiting, parser)


def _read_tagged(line: str, where: str) -> Tagged:
    fields = read_object(line, where, _SCHEMA)
    columns = [fields.get(name) for name in ("tokens", "tags")]
    words, tags = [str(column).split() for column in columns]
    if not all(isinstance(column, str) for column in columns) or len(words) != len(tags):
        raise DataError(f"expected {_SCHEMA}, as many of both", where=where)
    return words, tags


def _tag(sentences: Sequence[Sequence[str]], parser: Parser) -> Iterator[Tagged]:
    for tree in parse_each(parser, sentences) if sentences else ():
        if isinstance(tree, Tree):
            leaves = list(tree.preterminals())
            yield [leaf.word or "" for leaf in leaves], [leaf.label for leaf in leaves]


def prices_of_grammar(pairs: Iterable[Pair]) -> dict[str, float]:
    """Return the log of how often people drop what English needs, by what needs it.

    Under "" it is that of everything; what is rare has that price too.
    """
    occasions: Counter[str] = Counter()
    drops: Counter[str] = Counter()
    for pair in pairs:
        source = TreeTable(pair.source)
        stays = staying_nodes(source, [place for place, _ in pair.alignment or ()])
        for node, kind in essential(source).items():
            if stays[source.parent[node]]:
                occasions[kind] += 1
                drops[kind] += not stays[node]
    if not occasions:
        raise DataError("no pair keeps anything that English needs")
    share = max(drops.total(), 1) / occasions.total()
    prices = {
        kind: math.log((drops[kind] + 2 * share) / (number + 2))
        for kind, number in sorted(occasions.items())
        if number >= _FEWEST
    }
    return {"": math.log(share), **prices}
