"""Comparison of two prepared documents: matrix, matches, passages, exclusions, explanation."""
