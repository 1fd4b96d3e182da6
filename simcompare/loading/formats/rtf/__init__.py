"""Reader of Rich Text documents (.rtf)."""
