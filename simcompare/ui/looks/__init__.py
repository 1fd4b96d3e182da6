"""Themes, icons and the small parts that give the window its look."""
