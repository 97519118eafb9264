"""The phrase-based decoder: options for the spans of a sentence, and the search over them."""
