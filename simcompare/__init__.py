"""Compare documents sentence by sentence, and show what they share and why."""

__version__ = "0.1.0"
PROJECT_PAGE = ""
"""Address to which problems are reported; empty: to whoever handed out the program."""
