"""Loads, by being imported, what reading needs; workers that are copies of this process have it at once."""

from simcompare.comparison.prepared_document import load_for_reading

load_for_reading()
