"""Forced decoding: derivations of given translations, and the links they improve."""
