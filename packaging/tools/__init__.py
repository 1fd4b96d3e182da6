"""Tools of dev.py: set up, check and translate. They need the standard library alone."""
