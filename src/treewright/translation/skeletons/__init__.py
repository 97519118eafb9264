"""Skeletons: the tokens without which a sentence would not say what it says, for translation."""
