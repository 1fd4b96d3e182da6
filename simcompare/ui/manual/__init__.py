"""The manual in a window of its own, opened with F1 at the page of the place where the user is."""
