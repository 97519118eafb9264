"""Rules from trees to strings or trees, extracted from word-aligned pairs."""
