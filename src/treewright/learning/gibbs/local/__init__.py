"""Local moves: one node's alignment is drawn anew given all the others."""
