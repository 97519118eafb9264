"""The decoder by enumeration: every order of every choice of options, scored by definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright.lm import LanguageModel
from treewright.translation.decoding.decoder import Search
from treewright.translation.decoding.options import Options

Path = tuple[int, ...]


def paths(options: Options, num_words: int, search: Search, zone: Sequence[int]) -> Iterator[Path]:
    """Yield every sequence of options that covers each word once, within the limits."""

    def go(path: Path, covered: frozenset[int], end: int) -> Iterator[Path]:
        if len(covered) == num_words:
            yield path
            return
        gap = min(set(range(num_words)) - covered)
        for option in range(len(options)):
            first, last = int(options.start[option]), int(options.end[option])
            span = frozenset(range(first, last))
            if span & covered:
                continue
            if first != gap and last > zone[gap]:
                continue
            if search.distortion >= 0:
                if abs(first - end) > search.distortion:
                    continue
                if first != gap and last - gap > search.distortion:
                    continue
            yield from go((*path, option), covered | span, last)

    return go((), frozenset(), 0)


def words_of(options: Options, path: Path) -> tuple[int, ...]:
    return tuple(
        int(word)
        for option in path
        for word in options.words[options.word_start[option] : options.word_start[option + 1]]
    )


def features_of(
    options: Options,
    num_words: int,
    path: Path,
    models: Sequence[LanguageModel],
    texts: Sequence[str],
) -> np.ndarray:
    """Return the features of a path: local ones, distance, reordering, language models."""
    local = options.features.shape[1]
    features = np.zeros(local + 7 + len(models))
    start, end = -1, 0
    for before, option in zip((None, *path), (*path, None), strict=True):
        first = num_words if option is None else int(options.start[option])
        last = num_words if option is None else int(options.end[option])
        way = 0 if first == end else 1 if last == start else 2
        if option is not None:
            features[:local] += options.features[option]
            features[local] -= abs(first - end)
            features[local + 1 + way] += options.reordering[option, way]
        if before is not None:
            features[local + 4 + way] += options.reordering[before, 3 + way]
        start, end = first, last
    words = [texts[word] for word in words_of(options, path)]
    for number, model in enumerate(models):
        features[local + 7 + number] = sum(model.score(words))
    return features


def bones_of(options: Options, kept: Sequence[bool], path: Path) -> list[tuple[int, list[int]]]:
    """Return the options of a path that translate words of the skeleton, each with those words."""
    chosen = []
    for option in path:
        span = range(int(options.start[option]), int(options.end[option]))
        words = [place for place in span if kept[place]]
        if words:
            chosen.append((option, words))
    return chosen


def slotted(
    options: Options, kept: Sequence[bool], path: Path, texts: Sequence[str], slot: str
) -> list[str]:
    """Return the translation with one `slot` for each stretch that is not of the skeleton."""
    bones = {option for option, _ in bones_of(options, kept, path)}
    words: list[str] = []
    for option in path:
        own = [texts[word] for word in words_of(options, (option,))]
        if option in bones:
            words += own
        elif own and (not words or words[-1] != slot):
            words.append(slot)
    return words


def skeleton_features_of(
    options: Options,
    kept: Sequence[bool],
    path: Path,
    model: LanguageModel,
    texts: Sequence[str],
    slot: str,
) -> np.ndarray:
    """Return the features of the skeleton's derivation, as if it were a sentence of its own."""
    rank = {place: number for number, place in enumerate(np.flatnonzero(kept).tolist())}
    local = options.features.shape[1]
    features = np.zeros(local + 10)
    start, end, before, crossing = -1, 0, None, 0
    for option, words in bones_of(options, kept, path):
        first, last = rank[words[0]], rank[words[-1]] + 1
        way = 0 if first == end else 1 if last == start else 2
        features[:local] += options.features[option]
        features[local] -= abs(first - end)
        features[local + 1 + way] += options.reordering[option, way]
        if before is not None:
            features[local + 4 + way] += options.reordering[before, 3 + way]
        start, end, before = first, last, option
        crossing += len(words) < int(options.end[option] - options.start[option])
    if before is not None:
        way = 0 if end == len(rank) else 1 if start == len(rank) else 2
        features[local + 4 + way] += options.reordering[before, 3 + way]
    features[local + 7] = sum(model.score(slotted(options, kept, path, texts, slot)))
    features[local + 8] = -crossing
    features[local + 9] = -int(crossing > 0)
    return features
