"""Inside sums over all derivations of one pair."""
