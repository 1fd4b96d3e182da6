"""Stamps of saved scores and figures: equal if these would be the same for the same texts."""

import json
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path

from simcompare import __version__
from simcompare.cohort.pair_scores import scored_text_digest
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import CILIN, NONE, STARTER

_SCORES_VERSION = 2
"""Rises when the same texts get other scores or figures within a version of the program."""
_STAMP_BYTES = 16


def scores_stamp(settings: ComparisonSettings) -> str:
    """Return a stamp of the program and the settings that scores depend on; reads a thesaurus file."""
    passages = None if settings.passages is None else asdict(settings.passages)
    return _digest([_SCORES_VERSION, __version__, _thesaurus(settings.thesaurus), passages])


def figures_stamp(settings: ComparisonSettings, prompt: PreparedText | None) -> str:
    """Return a stamp of the settings and the prompt that classification depends on."""
    values = asdict(settings) | {"recipe": "", "prompt": settings.prompt is not None}
    return _digest([values, "" if prompt is None else scored_text_digest(prompt).hex()])


def _thesaurus(source: str) -> str:
    if source in {STARTER, CILIN, NONE}:
        return source
    try:
        return blake2b(Path(source).read_bytes(), digest_size=_STAMP_BYTES).hexdigest()
    except OSError:
        return ""


def _digest(values: object) -> str:
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=_STAMP_BYTES).hexdigest()
