"""The table of all pairs, and the switch between it and Compare."""
