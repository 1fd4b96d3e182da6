"""Import for side effects: warms up forked workers that read a few files."""

from simcompare.cohort.document_preparation import preload_readers

preload_readers()
