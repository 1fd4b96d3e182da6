"""One essay of a class with all its sources: its data, its page and its PDF."""
