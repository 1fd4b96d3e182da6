"""Pictures of PDF pages without names."""
