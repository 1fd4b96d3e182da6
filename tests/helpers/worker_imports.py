"""Import for side effects in the fork server: all that workers need, whatever they do."""

import simcompare.cohort.preloaded
import simcompare.evaluation.batch_worker
import simcompare.export.export_tasks
import simcompare.export.previews
import simcompare.report.report_forms  # noqa: F401
from simcompare.text.thesaurus import STARTER, load_thesaurus

load_thesaurus(STARTER)
