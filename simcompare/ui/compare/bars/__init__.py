"""Bars of the Compare view: pair header, thresholds, exclusions, comparison method."""
