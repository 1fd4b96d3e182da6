"""What a process that reads files loads before its first file."""

from pathlib import Path

from simcompare.comparison.subject import make_subject
from simcompare.loading.load import load_pasted
from simcompare.loading.pasted import PastedText

PRELOADED = "simcompare.comparison.preloaded"
"""The module that a ReaderPool is to preload."""

_IN_BOTH_LANGUAGES = PastedText("雾漫过河。\nFog covers the river.")


def load_for_reading() -> None:
    """Load all that reading any text needs: modules, the lists of words and how rare they are."""
    make_subject(load_pasted(Path("text"), _IN_BOTH_LANGUAGES), "improved")
