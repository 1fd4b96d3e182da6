"""State of all pairs of the loaded documents, without widgets."""
