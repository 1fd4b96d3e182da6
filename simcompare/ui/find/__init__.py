"""Finding words in both texts: the search, its bar, and what ties it to the texts."""
