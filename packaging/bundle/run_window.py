"""Script of the bundled program `simcompare-gui`."""

from simcompare.__main__ import run_window

run_window()
