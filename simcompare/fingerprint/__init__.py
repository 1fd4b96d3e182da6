"""Words -> term weights -> 64 bits, and the distance between two of them."""
