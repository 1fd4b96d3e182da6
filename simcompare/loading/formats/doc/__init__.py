"""Reader of Word 97-2003 documents (.doc)."""
