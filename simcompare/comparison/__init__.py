"""Two documents -> matrix -> matches -> Comparison, and why a match matched."""
