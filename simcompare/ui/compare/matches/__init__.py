"""The list of matches, the explanation of a match and its decision."""
