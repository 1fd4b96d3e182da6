"""Compare sessions, and rewrite members of session files."""

import json
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from simcompare.model.document import CharacterBoxes
from simcompare.session.session_data import Session

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def same_boxes(left: CharacterBoxes | None, right: CharacterBoxes | None) -> bool:
    if left is None or right is None:
        return left is right
    return np.array_equal(left.pages, right.pages) and np.array_equal(left.boxes, right.boxes, equal_nan=True)


def assert_same(left: Session, right: Session) -> None:
    """Compare sessions, including boxes and errors, which equality of documents ignores."""
    assert [replace(entry, error=None) for entry in left.documents] == [
        replace(entry, error=None) for entry in right.documents
    ]
    for first, second in zip(left.documents, right.documents, strict=True):
        assert (type(first.error), str(first.error)) == (type(second.error), str(second.error))
        if first.document is not None and second.document is not None:
            assert same_boxes(first.document.character_boxes, second.document.character_boxes)
    assert replace(left, documents=()) == replace(right, documents=())


def rewritten(path: Path, changed: dict[str, bytes | None]) -> Path:
    """Replace members of a session file; None removes one."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | changed
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def member(path: Path, name: str) -> dict:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(name))
