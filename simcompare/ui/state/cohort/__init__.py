"""State of all pairs of the loaded documents. No widgets."""
