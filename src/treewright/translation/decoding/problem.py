"""From the options of a sentence to what the search works on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.corpora import is_word
from treewright.translation.decoding import _kernels
from treewright.translation.decoding.features import Features, SkeletonColumns
from treewright.translation.decoding.options import Options
from treewright.translation.decoding.scorers import Scorers
from treewright.translation.decoding.skeleton import Places, Scored, bones
from treewright.translation.rows import rank_in, starts_of


@dataclass(frozen=True, eq=False)
class Posed:
    """A problem, its options in the order of the search, and the features of their classes.

    `places` are those of the options in the skeleton, `scored` what the search knows about it.
    """

    problem: _kernels.Problem
    options: Options
    following: Floats
    features: Features
    places: Places
    scored: Scored


def pose(
    options: Options,
    num_words: int,
    weights: Floats,
    features: Features,
    scorers: Scorers,
    *,
    per_span: int,
    boundary: Longs,
    kept: Bools | None,
    scored: Scored,
) -> Posed:
    """Score the options of a sentence, keep the best of each span, and prepare the search.

    `kept` marks the words of the skeleton, if there is one. The scorers have its language model
    as their last only if it is scored.
    """
    reordering = weights[features.moves]
    lm_weights = np.ascontiguousarray(weights[features.lm])
    lm_words = scorers.numbers(options.words)
    places = Places.of(options, kept)
    local = options.features @ weights[: features.local]
    bone_weights = features.skeleton_weights(weights)
    if kept is not None:
        local = local + _of_skeleton(options, places, bone_weights, features.columns)
    estimate = local + _kernels.no_context(scorers.arrays, options.word_start, lm_words, lm_weights)
    if scored.lm:
        bone_lm = bone_weights[[features.columns.lm]]
        alone = _kernels.no_context(scorers.last.arrays, options.word_start, lm_words[-1:], bone_lm)
        estimate = estimate + np.where(places.touched, alone, 0.0)
        lm_weights = np.concatenate([lm_weights, bone_lm])
    span = options.start.astype(np.int64) * (num_words + 1) + options.end
    order = np.lexsort((-estimate, span))
    order = order[rank_in(starts_of(span[order]), order.size) < per_span]
    options, local, estimate = options.take(order), local[order], estimate[order]
    places = places.take(order)
    span_of, span_option = _spans(options, num_words)
    following, option_class = _classes(options.reordering[:, 3:])
    problem = _kernels.Problem(
        span_of=span_of,
        span_option=span_option,
        local=local,
        estimate=estimate,
        previous=options.reordering[:, :3] * reordering[:3],
        following=following * reordering[3:],
        option_class=option_class,
        word_start=options.word_start,
        lm_words=scorers.numbers(options.words),
        lm_weights=lm_weights,
        lm_start=scorers.start,
        lm_end=scorers.end,
        future=_kernels.future_table(num_words, span_of, span_option, estimate),
        boundary=boundary,
        bones=bones(
            places,
            options,
            following,
            bone_weights,
            scored,
            features.models,
            scorers.slot,
        ),
    )
    return Posed(problem, options, following, features, places, scored)


def _of_skeleton(
    options: Options, places: Places, weights: Floats, columns: SkeletonColumns
) -> Floats:
    """Return what each option adds to the score of the skeleton by itself."""
    crosses = places.kind == _kernels.CROSSING
    inside = np.where(places.touched, options.features @ weights[: columns.local], 0.0)
    total: Floats = inside - weights[columns.crossing] * crosses
    return total


def _spans(options: Options, num_words: int) -> tuple[Ints, Longs]:
    """Number the spans that have options."""
    size = options.end - options.start
    first = starts_of(options.start, options.end)
    span_of = np.full((num_words, int(size.max()) + 1), -1, np.int32)
    span_of[options.start[first], size[first]] = np.arange(first.size)
    return span_of, np.append(first, size.size).astype(np.int64)


def _classes(following: Floats) -> tuple[Floats, Ints]:
    """Number the distinct rows from 1; class 0, of the beginning, has none of these features."""
    rows = np.ascontiguousarray(following)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    table = np.concatenate([np.zeros((1, rows.shape[1])), rows[first]])
    return table, (number + 1).astype(np.int32)


def zones(sentence: Sequence[str], *, monotone_at_punctuation: bool) -> Longs:
    """Return where the zone of each word ends: nothing behind it is translated earlier.

    Zones are separated by punctuation, if that is asked for, which is a zone of its own.
    """
    ends = np.full(len(sentence) + 1, len(sentence), np.int64)
    if not monotone_at_punctuation:
        return ends
    for place in range(len(sentence) - 1, -1, -1):
        alone = not is_word(sentence[place])
        parted = place + 1 == len(sentence) or alone or not is_word(sentence[place + 1])
        ends[place] = place + 1 if parted else ends[place + 1]
    return ends
