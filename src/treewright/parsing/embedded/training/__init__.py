"""Training of the embedded parser's weights; needs torch, which running it does not."""
