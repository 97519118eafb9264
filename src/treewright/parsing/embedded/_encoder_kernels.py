"""Kernels of the encoder: products of codes, and the recurrence of an LSTM.

A code is a whole number that stands for a multiple of a fixed step. `Factor` says how a matrix
is laid out.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import LARGEST, greatest, laid_out, lanes, least, multiply_codes, njit


@njit(nogil=True)
def multiply(codes, weights, out):
    """Put the products of rows of codes with a matrix into `out`."""
    multiply_codes(codes, laid_out(weights.packed), weights.scales, out)


@njit(nogil=True, inline="always")
def _tanh(x):
    # Lambert's continued fraction for tanh, cut off where it is closest to 1: exact to 6e-6.
    x = least(greatest(x, np.float32(-6.2)), np.float32(6.2))
    y = x * x
    above = np.float32(34459425.0) + y * (
        np.float32(4729725.0) + y * (np.float32(135135.0) + y * (np.float32(990.0) + y))
    )
    below = np.float32(34459425.0) + y * (
        np.float32(16216200.0)
        + y * (np.float32(945945.0) + y * (np.float32(13860.0) + y * np.float32(45.0)))
    )
    return x * above / below


@njit(nogil=True, inline="always")
def _sigmoid(x):
    half = np.float32(0.5)
    return half * _tanh(half * x) + half


@njit(nogil=True)
def run_both(inputs, index, forward, backward, batch, states):
    """Put the codes of hidden states of both directions into `states`, side by side."""
    run_lstm(inputs, index, forward, batch.first, 1, batch.active, states, 0)
    run_lstm(inputs, index, backward, batch.last, -1, batch.active, states, states.shape[1] // 2)


@njit(nogil=True, error_model="numpy")
def run_lstm(inputs, index, weights, first, step, active, states, column):
    """Put the codes of hidden states into `states`, from `column` on, sentence by sentence.

    `inputs[index[token]]`, from four times that column on, is what a token contributes to the
    input, forget, cell and output gates, beside their bias; what the hidden state before it
    contributes is its product with `weights`. Sentences have their `first` tokens and go on in a
    `step`. They are ordered by length: `active` says how many of them have a token at each place.
    """
    bias = weights.bias
    size = len(bias) // 4
    recurrent = laid_out(weights.packed)
    one = np.float32(LARGEST)
    cells = np.zeros((active[0], size), np.float32)
    hidden = np.zeros((active[0], 2 * weights.packed.shape[1]), np.int16)
    gates = np.zeros((active[0], len(weights.scales)), np.float32)
    sums = np.empty(4 * size, np.float32)
    entering, keeping = sums[:size], sums[size : 2 * size]
    adding, leaving = sums[2 * size : 3 * size], sums[3 * size :]
    for place in range(len(active)):
        count = active[place]
        if place:
            multiply_codes(hidden[:count], recurrent, weights.scales, gates[:count])
        for sentence in range(count):
            token = first[sentence] + place * step
            gate = gates[sentence]
            given = inputs[index[token], 4 * column : 4 * (column + size)]
            cell = cells[sentence]
            state = hidden[sentence]
            for k in lanes(4 * size):
                sums[k] = gate[k] + (given[k] + bias[k])
            for k in lanes(size):
                kept = _sigmoid(keeping[k]) * cell[k]
                value = kept + _sigmoid(entering[k]) * _tanh(adding[k])
                cell[k] = value
                state[k] = np.int16(np.rint(one * (_sigmoid(leaving[k]) * _tanh(value))))
            states[token, column : column + size] = state[:size]
