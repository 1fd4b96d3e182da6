"""Theme, style sheet, icons and labels that shorten their text."""
