"""Builders and references that tests share."""
