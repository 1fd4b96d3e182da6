"""Import for side effects: warms up forked workers that read and score many files, with all patterns."""

import simcompare.cohort.preloaded_readers
import simcompare.pseudonyms.roster  # noqa: F401
from simcompare.support.lazy import LazyPattern

for pattern in LazyPattern.all:
    _ = pattern.compiled
