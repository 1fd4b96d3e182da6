"""Words -> term weights -> 64-bit fingerprint, and the Hamming distance between two fingerprints."""
