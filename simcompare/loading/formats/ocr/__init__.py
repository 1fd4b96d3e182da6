"""Text recognition in pictures and scanned pages."""
