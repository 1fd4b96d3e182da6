"""Search: candidates by terms and fingerprints, the best of which are compared in full."""
