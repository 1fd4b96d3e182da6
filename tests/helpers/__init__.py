"""Builders and reference implementations shared by tests."""
