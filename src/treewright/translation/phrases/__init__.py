"""The phrase model: translations of phrases, extracted from aligned text."""
