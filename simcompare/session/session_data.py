"""A session: the documents with their texts, what is compared and how, and what a teacher decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta

from simcompare.loading.archive import SESSION_SUFFIX
from simcompare.loading.extraction import PastedText
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.session.decisions import PairReview

FILE_SUFFIX = SESSION_SUFFIX
FORMAT_NAME = "simcompare session"
FORMAT_VERSION = 1

SentenceNumber = Annotated[int, Meta(ge=0, le=10_000_000)]
_SizePx = Annotated[int, Meta(ge=0, le=1_000_000)]

Pair = tuple[int, int]
"""Two documents by their places in `Session.documents`, left and right."""


@dataclass(frozen=True, slots=True)
class SessionDocument:
    """A file of the list. It was read, or could not be (`error`); with neither it had not been read yet.

    `whole_page` is how a person wanted it to be read. A text that was `pasted` is in no file: its path is the
    name it goes by. Passwords are not kept.
    """

    path: Path
    whole_page: bool = False
    document: Document | None = None
    error: SimcompareError | None = None
    pasted: PastedText | None = None


@dataclass(frozen=True, slots=True)
class SavedLayout:
    """What the window showed.

    cell: the selected sentences, left and right; page: the shown view's machine word; splitters: the sizes in
    pixels of the parts that a person gave other sizes than they have by themselves; order: how the table of
    pairs was sorted, a machine word, empty where nobody says.
    """

    cell: tuple[SentenceNumber, SentenceNumber] | None = None
    page: str = ""
    splitters: Mapping[str, tuple[_SizePx, ...]] = field(default_factory=lambda: MappingProxyType({}))
    order: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that a `.simcompare` file keeps.

    left, right: which documents stand side by side; prompt: the text that settings.prompt names, also while
    its exclusion is switched off; file: the file that the work belongs to, in a copy kept against a crash;
    pseudonyms: who stands behind the names of anonymous reports, None where none were made.
    """

    documents: tuple[SessionDocument, ...] = ()
    left: int | None = None
    right: int | None = None
    settings: ComparisonSettings = field(default_factory=ComparisonSettings)
    prompt: Document | None = None
    reviews: Mapping[Pair, PairReview] = field(default_factory=lambda: MappingProxyType({}))
    layout: SavedLayout = field(default_factory=SavedLayout)
    file: Path | None = None
    pseudonyms: Pseudonyms | None = None
