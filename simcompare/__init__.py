"""Compare documents sentence by sentence, and show what they share and why."""

__version__ = "0.1.0"
