"""Import for side effects: warms up forked workers."""

from simcompare.cohort.document_preparation import preload_readers

preload_readers()
