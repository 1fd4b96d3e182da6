"""Import for side effects: warms up forked workers that read, and perhaps compare, a few files."""

from simcompare.cohort.document_preparation import preload_readers
from simcompare.cohort.pair_scores import load_thesaurus_or_none
from simcompare.text.thesaurus import STARTER

preload_readers()
load_thesaurus_or_none(STARTER)
