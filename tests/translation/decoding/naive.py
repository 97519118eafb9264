"""The decoder by enumeration: every order of every choice of options, scored by definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright.lm import LanguageModel
from treewright.translation.decoding import Options, Search

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
