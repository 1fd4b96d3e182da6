"""The text of a document with its matches highlighted."""
