"""Import for side effects: warms up forked workers."""

from simcompare.cohort.preparation import warm_up

warm_up()
