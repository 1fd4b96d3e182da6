"""Import for side effects: warms up forked workers, those that read and those that score."""

import simcompare.cohort.preloaded_readers  # noqa: F401
from simcompare.cohort.pair_scores import load_thesaurus_or_none
from simcompare.support.lazy import LazyPattern
from simcompare.text.thesaurus import STARTER

load_thesaurus_or_none(STARTER)
for pattern in LazyPattern.all:
    _ = pattern.compiled
