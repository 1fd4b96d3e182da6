"""Tests of simcompare.model."""
