"""Students' names found in file names, lists and texts, and the pseudonyms that replace them."""
