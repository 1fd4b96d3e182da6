"""Writers of the sample documents, one module per format."""
