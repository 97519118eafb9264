"""Pruning scored by a small neural network: an encoder's states in place of features."""
