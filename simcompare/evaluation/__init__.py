"""Evaluation: the papers' experiments, batches in PAN's format, and the shingle baseline."""
