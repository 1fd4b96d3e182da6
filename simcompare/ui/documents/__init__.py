"""The list of documents, their receipts, and files that are dropped or pasted."""
