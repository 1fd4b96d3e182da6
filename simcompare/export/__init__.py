"""Export jobs: which files to write, the worker processes that make them, and output paths. No Qt."""
