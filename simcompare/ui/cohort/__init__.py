"""Table of all pairs of the loaded documents."""
