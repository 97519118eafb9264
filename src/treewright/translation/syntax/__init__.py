"""Translation of trees by rules: the forest of translations, and the search in it."""
