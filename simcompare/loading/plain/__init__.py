"""Plain text and Markdown, in any encoding that essays come in."""
