"""Theme, style sheet, icons and common labels."""
