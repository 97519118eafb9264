"""Pruning priced by a small neural network: an encoder's states instead of features."""
