"""Fixtures that run the command line in this process."""

from tests.cli.conftest import processes_kept_between_tests, run

__all__ = ["processes_kept_between_tests", "run"]
