"""Script of the bundled program `simcompare`."""

from simcompare.__main__ import run_command

run_command()
