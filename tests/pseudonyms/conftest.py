"""Fixture that runs the command line in this process."""

from tests.cli.conftest import run

__all__ = ["run"]
