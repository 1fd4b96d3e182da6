"""Import for side effects: warms up forked workers that read files to be added."""

import simcompare.cohort.preloaded
import simcompare.library.changes  # noqa: F401
