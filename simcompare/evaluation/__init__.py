"""Evaluation: the papers' experiments, batches in the format of PAN, and the shingle baseline."""
