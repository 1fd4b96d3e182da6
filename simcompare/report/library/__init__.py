"""What is in a library, and what a search found, as text and as JSON."""
