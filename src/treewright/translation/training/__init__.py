"""Training of models that translate: the parts one by one, then the weights."""
