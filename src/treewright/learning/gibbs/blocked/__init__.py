"""Blocked moves: all alignments of one pair are drawn at once."""
