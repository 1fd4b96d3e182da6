"""Tests of the sample documents and of what makes them."""
