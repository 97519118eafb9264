"""Prunings of a tree as chains of the tokens that stay, so that neighbours can be scored."""

from treewright.pruning.chains.chain import Chain, ChainSum, Uses, best_chain, sum_chains
from treewright.pruning.chains.joint import Joint

__all__ = ["Chain", "ChainSum", "Joint", "Uses", "best_chain", "sum_chains"]
