"""Comparison as an editable Word document."""
