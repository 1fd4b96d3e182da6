"""The bars around the texts: commands, settings, the pair, notices, state."""
