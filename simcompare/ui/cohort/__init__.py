"""The table of all pairs of the loaded documents."""
