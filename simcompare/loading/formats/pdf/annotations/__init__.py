"""Form fields and annotations of PDF pages."""
