"""What a process that reads files loads before its first file."""

import os
from pathlib import Path

from simcompare.comparison.subject import make_subject
from simcompare.loading.load import load_pasted
from simcompare.loading.pasted import PastedText

PRELOADED = "simcompare.comparison.preloaded"
"""The module that a ReaderPool is to preload."""

_LESS_URGENT_THAN_THE_WINDOW = 5
"""Before the pairs, which are scored meanwhile, and behind what a person does."""
_IN_BOTH_LANGUAGES = PastedText("雾漫过河。\nFog covers the river.")


def load_for_reading() -> None:
    """Load all that reading any text needs: modules, the lists of words and how rare they are."""
    make_subject(load_pasted(Path("text"), _IN_BOTH_LANGUAGES), "improved")


def give_way_to_the_window() -> None:
    """Let the thread of a window come first, as the first thing a reading process does."""
    if hasattr(os, "nice"):
        os.nice(_LESS_URGENT_THAN_THE_WINDOW)
