"""Many documents compared with each other: the table of their pairs, and bundles of reports."""
