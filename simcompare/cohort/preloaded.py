"""Import for side effects: warms up forked workers."""

from simcompare.cohort.document_preparation import warm_up

warm_up()
