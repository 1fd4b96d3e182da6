"""Backends: what SQLite and PostgreSQL do differently, and the errors of a server."""
