"""How the sample documents are made from their sources, a file a format."""
