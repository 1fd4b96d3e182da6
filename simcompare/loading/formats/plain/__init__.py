"""Readers of plain text and Markdown, and detection of encodings."""
