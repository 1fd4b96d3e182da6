"""Word 97-2003 documents: a piece-table reader of our own over the compound file."""
