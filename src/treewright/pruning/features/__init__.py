"""Features of nodes, gaps and tokens that may be dropped, and prices that are linear in them."""
