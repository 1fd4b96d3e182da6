"""A PDF before its pages are drawn: open to everybody, and without what no reader of its text looks into."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pikepdf
from pikepdf import Dictionary, Name, Stream

from simcompare.report.annotated.pdf import opened

_Holder: TypeAlias = Dictionary | Stream
# words that stand in for what is drawn, which readers of text take instead of it
_TOLD_INSTEAD, _UNKNOWN_INSTEAD = b"/ActualText", b"/UnknownText"
_CLIPPING_MODE = re.compile(rb"(?<![\d.])[4-7]\s+Tr\b")
_TILING = 1
_NO_CONTENT = frozenset({"/ObjStm", "/XRef", "/Metadata", "/EmbeddedFile", "/CMap"})


@dataclass(frozen=True, slots=True)
class Bare:
    """A PDF without encryption; whether it took a password; whether it draws through holes of letters."""

    data: bytes
    is_locked: bool
    clips_by_text: bool


def bare(path: Path, data: bytes, password: str | None) -> Bare:
    """Return a PDF whose text is all that its pages tell beside pictures, lines and areas.

    Tiles that areas are filled with and masks made of pages draw nothing any more: what is written in them is
    found by no reader of text. Raises FileError for a password, and what pikepdf raises.
    """
    with opened(path, data, password) as pdf:
        clips, is_locked = False, pdf.is_encrypted and _needs_password(data)
        for held in pdf.objects:
            if isinstance(held, Stream):
                clips |= _mend_content(held)
            if isinstance(held, Dictionary | Stream):
                _mend_resources(held)
        saved = io.BytesIO()
        pdf.save(saved, encryption=False)
    return Bare(saved.getvalue(), is_locked, clips)


def _needs_password(data: bytes) -> bool:
    try:
        pikepdf.open(io.BytesIO(data)).close()
    except pikepdf.PasswordError:
        return True
    return False


def _mend_content(held: Stream) -> bool:
    """Mend what a stream draws; return whether it clips by text."""
    if held.get(Name.PatternType) == _TILING:
        held.write(b"")
        return False
    is_font = Name.Length1 in held
    if is_font or held.get(Name.Subtype) == Name.Image or str(held.get(Name.Type)) in _NO_CONTENT:
        return False
    try:
        content = held.read_bytes()
    except pikepdf.PdfError:
        return False
    if _TOLD_INSTEAD in content:
        held.write(content.replace(_TOLD_INSTEAD, _UNKNOWN_INSTEAD))
    return _CLIPPING_MODE.search(content) is not None


def _mend_resources(holder: _Holder) -> None:
    """Take masks and words that stand in for text out of resources: the holder itself, or what it has."""
    for resources in (holder, holder.get(Name.Resources)):
        if isinstance(resources, Dictionary | Stream):
            for state in _values(resources, Name.ExtGState):
                if isinstance(state.get(Name.SMask), Dictionary):
                    state.SMask = Name("/None")
            for marked in _values(resources, Name.Properties):
                if Name.ActualText in marked:
                    del marked[Name.ActualText]


def _values(resources: _Holder, key: Name) -> Iterator[Dictionary]:
    values = resources.get(key)
    if isinstance(values, Dictionary):
        yield from (value for value in values.values() if isinstance(value, Dictionary))
