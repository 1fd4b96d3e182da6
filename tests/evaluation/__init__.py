"""Tests of simcompare.evaluation."""
