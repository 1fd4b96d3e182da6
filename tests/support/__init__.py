"""Tests of simcompare.support."""
