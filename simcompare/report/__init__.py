"""What a comparison says, for people and for machines: HTML page, plain text, JSON."""
