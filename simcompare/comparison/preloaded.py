"""Import for side effects: load in the fork server what every reader process needs."""

from simcompare.comparison.prepared_document import preload_readers

preload_readers()
