"""Cohorts: a set of documents compared with each other, their pairs, scores and groups. No Qt."""
