"""The list of matches, and one match explained."""
