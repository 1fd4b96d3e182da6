"""Code shared by the readers of several formats."""
