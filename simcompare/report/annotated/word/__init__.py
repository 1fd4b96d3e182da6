"""Word files with their matched sentences shaded and commented."""
