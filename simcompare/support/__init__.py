"""Helpers without knowledge of the subject: translation, resources, atomic files, display text."""
