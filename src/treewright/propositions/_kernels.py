"""Expected counts of a hidden Markov model over many short sequences."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit


@njit(nogil=True)
def expected_counts(paths, initial, transitions, first, moves):
    """Add up how often states begin sequences (`first`) and follow one another (`moves`), weighted;
    return the log-likelihood.
    """
    starts, offsets, states, emissions, edges, pairs, weights = paths
    total = 0.0
    widest = 1
    for position in range(len(offsets) - 1):
        widest = max(widest, offsets[position + 1] - offsets[position])
    longest = 1
    for sequence in range(len(starts) - 1):
        longest = max(longest, starts[sequence + 1] - starts[sequence])
    forward = np.zeros((longest, widest))
    backward = np.zeros((longest, widest))
    for sequence in range(len(starts) - 1):
        begin, end = starts[sequence], starts[sequence + 1]
        last = end - begin - 1
        for here in range(offsets[begin], offsets[begin + 1]):
            forward[0, here - offsets[begin]] = initial[states[here]] * emissions[here]
        for step in range(1, last + 1):
            before, at = begin + step - 1, begin + step
            size = offsets[at + 1] - offsets[at]
            for b in range(size):
                forward[step, b] = 0.0
            edge = edges[at]
            for a in range(offsets[before + 1] - offsets[before]):
                for b in range(size):
                    forward[step, b] += forward[step - 1, a] * transitions[pairs[edge]]
                    edge += 1
            for b in range(size):
                forward[step, b] *= emissions[offsets[at] + b]
        likelihood = 0.0
        for b in range(offsets[end] - offsets[end - 1]):
            likelihood += forward[last, b]
            backward[last, b] = 1.0
        if likelihood <= 0.0:
            continue
        weight = weights[sequence]
        total += weight * np.log(likelihood)
        share = weight / likelihood
        for step in range(last, 0, -1):
            before, at = begin + step - 1, begin + step
            size = offsets[at + 1] - offsets[at]
            edge = edges[at]
            for a in range(offsets[before + 1] - offsets[before]):
                inside = 0.0
                for b in range(size):
                    onward = (
                        transitions[pairs[edge]] * emissions[offsets[at] + b] * backward[step, b]
                    )
                    moves[pairs[edge]] += share * forward[step - 1, a] * onward
                    inside += onward
                    edge += 1
                backward[step - 1, a] = inside
        for b in range(offsets[begin + 1] - offsets[begin]):
            first[states[offsets[begin] + b]] += share * forward[0, b] * backward[0, b]
    return total
