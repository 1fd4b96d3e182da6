"""Tools of dev.py: set up, check and translate. Those that dev.py imports need only the standard library."""
