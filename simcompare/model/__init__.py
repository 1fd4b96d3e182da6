"""Immutable data types shared by all packages: documents, receipts, settings, errors, progress."""
