"""Reports of a cohort: the table of its pairs, and bundles of reports."""
