"""OpenDocument texts: a walk of our own over the package, as over Word documents."""
