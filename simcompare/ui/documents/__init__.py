"""List of documents, their receipts, passwords and notices, and drop and paste."""
