"""Training of the embedded parser's weights. This needs torch; running the parser does not."""
