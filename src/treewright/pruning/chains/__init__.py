"""Prunings of a tree as chains of the tokens that stay, so that neighbours can be scored."""

from treewright.pruning.chains.chain import Chain, ChainSum, best_chain, sum_chains

__all__ = ["Chain", "ChainSum", "best_chain", "sum_chains"]
