"""Tests of the sample documents and of the scripts that make them."""
