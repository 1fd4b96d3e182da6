"""Code that the readers of several formats share."""
