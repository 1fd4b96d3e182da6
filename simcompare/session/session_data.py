"""Session: the documents with their texts, the settings, the teacher's decisions and the window's layout."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from simcompare.comparison.figures import SUMMARY_DTYPES
from simcompare.loading.extraction import PastedText
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.session.decisions import PairReview
from simcompare.session.school_class import CommonSentence, Pair, SchoolClass

FIGURES = np.dtype([*SUMMARY_DTYPES, ("is_known", "u1")])
"""Figures of a pair; NaN if no unit counts. All others are meaningless unless is_known."""


@dataclass(frozen=True, slots=True, eq=False)
class SavedScores:
    """Scores and figures of n pairs of d documents, in columns.

    stamp, figures_stamp  digests of all that scores and figures depend on besides the texts
    texts                 digest of each prepared text, "" for a document without one
    common                the sentences common to the class
    pairs                 (n, 2) numbers of the documents, the lower one first
    cell_counts           (n,)   cells of each pair
    passage_counts        (n,)   passages of each pair, -1 if they are made of matched sentences
    cells                 (c, 3) of all pairs one after the other: row, column, LCS
    weights               (c, 2) P and w of each cell
    spans                 (p, 4) spans of the passages, left and right
    summaries             (p,)   which side of a passage is a summary: 0 none, 1 left, 2 right
    evidence              (p,)   of a passage that it is rewritten, otherwise 0
    figures               (n,)   FIGURES
    sentence_counts       (d,)   sentences of each document for which `common_numbers` has a number
    common_numbers        (s,)   index in `common` of each sentence, -1 if it is not common
    """

    stamp: str
    figures_stamp: str
    texts: tuple[str, ...]
    common: tuple[CommonSentence, ...]
    pairs: NDArray[np.int32]
    cell_counts: NDArray[np.int32]
    passage_counts: NDArray[np.int32]
    cells: NDArray[np.int32]
    weights: NDArray[np.float64]
    spans: NDArray[np.int32]
    summaries: NDArray[np.int8]
    evidence: NDArray[np.float32]
    figures: NDArray[np.void]
    sentence_counts: NDArray[np.int32]
    common_numbers: NDArray[np.int32]


FILE_SUFFIX = SESSION_SUFFIX
FORMAT_NAME = "simcompare session"
FORMAT_VERSION = 2

SentenceNumber = Annotated[int, Meta(ge=0, le=10_000_000)]
_SizePx = Annotated[int, Meta(ge=0, le=1_000_000)]


@dataclass(frozen=True, slots=True)
class SessionDocument:
    """A file of the list: with its `document`, with the `error` of reading it, or not read yet.

    whole_page: whether all of a web page is to be read, a choice of the user; pasted: a text without a file,
    whose path is its label; meanings: vectors of the sentences of its document (`kept_meanings`). Passwords
    are not saved.
    """

    path: Path
    whole_page: bool = False
    document: Document | None = None
    error: SimcompareError | None = None
    pasted: PastedText | None = None
    meanings: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """Filter of the pairs of a class.

    documents: their numbers; shares: the least larger share of a pair, and the one it is below, if any; name:
    text that either name contains.
    """

    documents: tuple[int, ...] = ()
    shares: tuple[float, float | None] | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class SavedLayout:
    """The state of the window.

    cell: numbers of the selected sentences, left and right; page: identifier of the view shown; splitters:
    sizes in pixels by the splitter's name, of those that the user moved; order: identifier of the order of
    the table of pairs, or ""; filter, library_search (how the class was searched in the library, or ""):
    missing in older files.
    """

    cell: tuple[SentenceNumber, SentenceNumber] | None = None
    page: str = ""
    splitters: Mapping[str, tuple[_SizePx, ...]] = field(default_factory=lambda: MappingProxyType({}))
    order: str = ""
    filter: SavedFilter = SavedFilter()
    library_search: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that a `.simcompare` file holds.

    left, right: numbers of the two documents side by side; prompt: the text of the file settings.prompt, also
    while its exclusion is switched off; file: in a recovery copy, the session file that the work belongs to;
    pseudonyms: the students' pseudonyms in anonymous reports, if any were assigned; scores: of the pairs, if
    they were known, which the documents alone determine.
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
    school_class: SchoolClass = field(default_factory=SchoolClass)
    scores: SavedScores | None = field(default=None, compare=False)
