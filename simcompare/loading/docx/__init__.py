"""Word documents: a walk of our own over the package, so that no text of any element is lost."""
