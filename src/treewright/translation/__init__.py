"""Translation: phrase pairs learned from parallel text, and the search for the best translation."""
