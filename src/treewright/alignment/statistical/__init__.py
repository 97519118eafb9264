"""Statistical word alignment: which words of two languages translate each other."""
