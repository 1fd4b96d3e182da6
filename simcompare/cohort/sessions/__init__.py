"""Sessions of a class: its documents and roles, and the scores of its pairs."""
