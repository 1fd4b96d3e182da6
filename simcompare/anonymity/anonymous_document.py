"""A document under a pseudonym: nothing that it says or is called names a student."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from simcompare.anonymity.moved_text import MovedText, Replacement
from simcompare.document import Document
from simcompare.receipt import UNKNOWN_ORIGIN, ExtractionReceipt, Flag, FlagName
from simcompare.text.prepared import PreparedText

_NAMED_SIGN = re.compile(r"\[U\+[0-9A-F]{4,6}\]|[\u2400-\u2421]")
_SAME_TITLE = re.compile(r"[\W_]+")


class Replacer(Protocol):
    """What knows the names and what is to stand for them."""

    def replacements(self, text: str, file: Path | None = None) -> Sequence[Replacement]:
        """Return where a text names students, and what is to stand there."""

    def replaced(self, text: str, file: Path | None = None) -> str:
        """Return a text that names nobody."""

    def path_of(self, file: Path) -> Path:
        """Return the name a file goes by."""

    def without_torn_names(self, text: str) -> str:
        """Return a text cut out of a longer one without what may be left of a name at its ends."""


def anonymous_document(
    names: Replacer, document: Document, prepared: PreparedText
) -> tuple[Document, MovedText]:
    """Return the document without names, and the way from its old text to the new.

    Its digest, its size and what it says of its origin are left out, as whoever has the file could tell it
    by them; so are the places of its characters, by which only the file itself can be marked.
    """
    file, text = document.path, document.text
    borders = [edge for block in document.blocks for edge in (block.span.start, block.span.end)]
    moved = MovedText(
        text, names.replacements(text, file), [*borders, *prepared.sentence_spans.ravel().tolist()]
    )
    new = replace(
        document,
        path=names.path_of(file),
        title=_title(names, document),
        text=moved.text,
        blocks=moved.blocks(document.blocks),
        receipt=_receipt(names, document.receipt, file, len(moved)),
        sha256="",
        size_bytes=0,
        character_boxes=None,
    )
    return new, moved


def _title(names: Replacer, document: Document) -> str:
    """Return the title; one that is the name of the file is its new name."""
    title, stem = (_SAME_TITLE.sub("", text) for text in (document.title, document.path.stem))
    if title == stem:
        return names.path_of(document.path).stem
    return names.replaced(document.title, document.path)


def anonymous_excerpt(names: Replacer, excerpt: str, file: Path) -> str:
    """Return what was cut out of the text of a file without names, whole or torn."""
    replaced = names.replaced(excerpt, file)
    # signs that are named in an excerpt may stand within a name
    plain = _NAMED_SIGN.sub("", replaced)
    return names.without_torn_names(names.replaced(plain, file) if names.replacements(plain) else replaced)


def _receipt(names: Replacer, receipt: ExtractionReceipt, file: Path, count: int) -> ExtractionReceipt:
    def anonymous(excerpt: str) -> str:
        return anonymous_excerpt(names, excerpt, file)

    return replace(
        receipt,
        dropped=tuple(replace(one, excerpt=anonymous(one.excerpt)) for one in receipt.dropped),
        flags=(
            *(replace(one, excerpt=anonymous(one.excerpt)) for one in receipt.flags),
            Flag(FlagName.NAMES_REPLACED, count, doubtful=False),
        ),
        origin=UNKNOWN_ORIGIN,  # who made it is a student, or has taken it from one
    )
