"""Compare documents sentence by sentence, and show what they share and why.

As a library: `from simcompare import load, compare` (docs/library-api.md). The names are imported when they
are first used, as each worker process and `simcompare --help` import this module.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcompare.api import ComparedPair, ExplainedPassage, compare, fingerprint_of, load, load_text
    from simcompare.fingerprint.simhash import Fingerprint, hamming_distance_bits
    from simcompare.model.document import Document
    from simcompare.model.errors import SimcompareError
    from simcompare.model.settings import PRESETS, ComparisonSettings
    from simcompare.support.i18n import set_language

__version__ = "0.1.0"
PROJECT_PAGE = ""
"""Address to which problems are reported; empty: to whoever handed out the program."""

__all__ = [
    "PRESETS",
    "ComparedPair",
    "ComparisonSettings",
    "Document",
    "ExplainedPassage",
    "Fingerprint",
    "SimcompareError",
    "__version__",
    "compare",
    "fingerprint_of",
    "hamming_distance_bits",
    "load",
    "load_text",
    "set_language",
]

_PLACES = {
    "simcompare.api": (
        "ComparedPair",
        "ExplainedPassage",
        "compare",
        "fingerprint_of",
        "load",
        "load_text",
    ),
    "simcompare.fingerprint.simhash": ("Fingerprint", "hamming_distance_bits"),
    "simcompare.model.document": ("Document",),
    "simcompare.model.errors": ("SimcompareError",),
    "simcompare.model.settings": ("PRESETS", "ComparisonSettings"),
    "simcompare.support.i18n": ("set_language",),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
