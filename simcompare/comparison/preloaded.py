"""Loads, by being imported, what reading needs; workers that are copies of this process have it at once."""

from simcompare.comparison.prepared_document import preload_readers

preload_readers()
