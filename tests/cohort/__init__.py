"""Tests of simcompare.cohort."""
