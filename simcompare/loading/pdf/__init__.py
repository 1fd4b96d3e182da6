"""PDF: characters to lines, lines to paragraphs, margins left out."""
