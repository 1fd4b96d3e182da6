"""The list of documents at the left, and what is told of each."""
