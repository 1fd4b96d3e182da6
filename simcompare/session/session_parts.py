"""The parts of a session file but its scores: each document, and session.json, to JSON and back."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, replace
from itertools import chain, pairwise, repeat
from pathlib import Path, PurePath
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, structs, to_builtins

from simcompare.fingerprint.simhash import RECIPES
from simcompare.loading.extraction import UNPRINTABLE, PastedText
from simcompare.loading.shared.pictures import is_thumbnail
from simcompare.model import errors
from simcompare.model.document import (
    MOST_COMPARED_PICTURES,
    Anchor,
    Block,
    BlockKind,
    CharacterBoxes,
    Count,
    Document,
    ExtractionReceipt,
    FilePicture,
    Note,
    Span,
)
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.pseudonyms.students import Owner, Student
from simcompare.session.decisions import (
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKey,
    SentenceKey,
)
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.school_class import ClassStudent, DocumentRole, FileRole, Pair, Roster, SchoolClass
from simcompare.session.session_data import SavedLayout, SentenceNumber, Session, SessionDocument
from simcompare.text.sentence_meaning import meanings_in
from simcompare.text.words import are_usable

MOST_DOCUMENTS = 10_000
FACTS, TEXT, BOXES, MEANINGS = "facts.json", "text.txt", "boxes.bin", "meanings.bin"
DAMAGED_MEANINGS = b"damaged"
"""In place of vectors that cannot be read, and can be made again."""
BOX_BYTES = 20
"""Bytes per character in boxes.bin."""

_PAGES, _BOXES = np.dtype("<i4"), np.dtype("<f4")
# arguments of an error that follow from its path
_PLACED_BY_PATH = frozenset({"path", "name"})
_ERRORS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, SimcompareError) and kind.template
}


class _BlockPart(Struct, array_like=True, forbid_unknown_fields=True):
    kind: BlockKind
    start: Count
    end: Count
    paragraph: Count
    page: Count | None


class _ErrorPart(Struct):
    kind: str
    values: dict[str, str | int | tuple[Count, ...] | None]


class _Facts(Struct, kw_only=True):
    path: Path
    whole_page: bool
    pasted: PastedText | None = None
    error: _ErrorPart | None = None


class _FactsOfText(_Facts, kw_only=True):
    title: str
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    size_bytes: Annotated[int, Meta(ge=0, le=1 << 50)]
    receipt: ExtractionReceipt
    blocks: tuple[_BlockPart, ...]
    notes: tuple[tuple[Count, Count, Count], ...] = ()
    pictures: Annotated[tuple[FilePicture, ...], Meta(max_length=MOST_COMPARED_PICTURES)] = ()
    formulas: tuple[tuple[Count, Count], ...] = ()


# --- to members


def members_of(entry: SessionDocument) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each member, in the order of the file."""
    document = entry.document
    facts: dict[str, Any] = {"path": path_as_text(entry.path), "whole_page": entry.whole_page}
    if entry.pasted is not None:
        facts["pasted"] = asdict(entry.pasted)
    if document is None:
        yield FACTS, as_bytes(facts | ({"error": _error_as_json(entry.error)} if entry.error else {}))
        return
    yield FACTS, as_bytes(facts | _document_as_json(document))
    yield TEXT, document.text.encode("utf-8")
    if document.character_boxes is not None:
        yield BOXES, _boxes_as_bytes(document.character_boxes)
    if entry.meanings:
        yield MEANINGS, entry.meanings


def path_as_text(path: PurePath) -> str:
    """Convert a path to text with slashes, so that its last part is the file name on every system."""
    return path.as_posix()


def _document_as_json(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "sha256": document.sha256,
        "size_bytes": document.size_bytes,
        "receipt": asdict(document.receipt),
        "blocks": [
            [b.kind, b.span.start, b.span.end, b.anchor.paragraph, b.anchor.page] for b in document.blocks
        ],
        "notes": [[note.place, note.span.start, note.span.end] for note in document.notes],
        "pictures": to_builtins(document.pictures),
        "formulas": [[span.start, span.end] for span in document.formulas],
    }


def _boxes_as_bytes(boxes: CharacterBoxes) -> bytes:
    # by column: the values of neighbours on a line are alike, and compress to a tenth of the size
    columns = boxes.boxes.T.astype(_BOXES, order="C")
    return boxes.pages.astype(_PAGES).tobytes() + columns.tobytes()


def _error_as_json(error: SimcompareError) -> dict[str, Any]:
    placed = _PLACED_BY_PATH if isinstance(error, FileError) else frozenset()
    values = {name: _plain(value) for name, value in error.values.items() if name not in placed}
    return {"kind": type(error).__name__, "values": values}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int) else str(value)


# --- from members


def entry_of(members: Mapping[str, bytes]) -> SessionDocument:
    """Convert the members of a folder to a document of the list.

    If this version does not know the saved error, the document is one that is still to be read.
    Raises BrokenValueError.
    """
    value = parsed(members[FACTS])
    if TEXT in members:
        read = checked(value, _FactsOfText)
        document, meanings = _document_from(read, members), members.get(MEANINGS, b"")
        if meanings and meanings_in(meanings) is None:
            meanings = DAMAGED_MEANINGS
        return SessionDocument(read.path, read.whole_page, document, pasted=read.pasted, meanings=meanings)
    facts = checked(value, _Facts)
    error = None if facts.error is None else _error_from(facts.path, facts.error)
    return SessionDocument(facts.path, facts.whole_page, error=error, pasted=facts.pasted)


def _document_from(facts: _FactsOfText, members: Mapping[str, bytes]) -> Document:
    try:
        text = members[TEXT].decode("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenValueError(TEXT) from error
    if UNPRINTABLE.search(text):
        raise BrokenValueError(TEXT)
    boxes = _boxes_from(members[BOXES], len(text)) if BOXES in members else None
    blocks = _blocks_from(facts.blocks, text)
    notes = tuple(Note(place, Span(start, end)) for place, start, end in facts.notes)
    if any(max(note.place, note.span.start, note.span.end) > len(text) for note in notes):
        raise BrokenValueError("notes")
    formulas = tuple(Span(*each) for each in facts.formulas)
    if any(not span.start < span.end <= len(text) for span in formulas):
        raise BrokenValueError("formulas")
    return Document(
        facts.path,
        facts.title,
        text,
        blocks,
        facts.receipt,
        facts.sha256,
        facts.size_bytes,
        boxes,
        notes,
        tuple(map(_with_usable_thumbnail, facts.pictures)),
        formulas=formulas,
    )


def _with_usable_thumbnail(picture: FilePicture) -> FilePicture:
    return picture if is_thumbnail(picture.thumbnail) else replace(picture, thumbnail=b"")


def _blocks_from(parts: Iterable[_BlockPart], text: str) -> tuple[Block, ...]:
    blocks = tuple(_block_from(part, text) for part in parts)
    if any(first.span.end > second.span.start for first, second in pairwise(blocks)):
        raise BrokenValueError("blocks")
    return blocks


def _block_from(part: _BlockPart, text: str) -> Block:
    if not part.start < part.end <= len(text) or text.find("\n", part.start, part.end) >= 0:
        raise BrokenValueError("blocks")
    return Block(part.kind, Span(part.start, part.end), Anchor(part.paragraph, part.page))


def _boxes_from(data: bytes, characters: int) -> CharacterBoxes:
    if len(data) != BOX_BYTES * characters:
        raise BrokenValueError(BOXES)
    pages = np.frombuffer(data, _PAGES, characters).astype(np.int32)
    columns = np.frombuffer(data, _BOXES, 4 * characters, offset=_PAGES.itemsize * characters)
    boxes = columns.reshape(4, characters).T.astype(np.float32, order="C")
    # a character has both a page and a box, or neither
    placed = (pages > 0) & np.isfinite(boxes).all(axis=1)
    pages[~placed], boxes[~placed] = 0, np.nan
    return CharacterBoxes(pages, boxes)


def _error_from(path: Path, part: _ErrorPart) -> SimcompareError | None:
    kind = _ERRORS.get(part.kind)
    if kind is None:
        return None
    try:
        error = kind(path, **part.values) if issubclass(kind, FileError) else kind(**part.values)
        str(error)
    except (TypeError, KeyError, ValueError):
        # the message of this version needs other values
        return None
    return error


_DocumentNumber = Annotated[int, Meta(ge=0, lt=MOST_DOCUMENTS)]


class _RolePart(Struct, array_like=True, forbid_unknown_fields=True):
    document: _DocumentNumber
    role: DocumentRole


class _StudentPart(Struct):
    id: str
    name: str
    number: str
    is_listed: bool
    documents: tuple[_DocumentNumber, ...]
    # missing in sessions of earlier programs, in which the first document counts
    roles: tuple[FileRole, ...] = ()


class ClassMember(Struct):
    """The member `class` of session.json."""

    roles: tuple[_RolePart, ...]
    rosters: tuple[Roster, ...]
    limit: Annotated[float, Meta(ge=0, le=1)] | None
    students: tuple[_StudentPart, ...]
    missing: tuple[Student, ...]


def class_as_json(saved: SchoolClass) -> dict[str, Any]:
    return {
        "roles": [[number, saved.roles[number]] for number in sorted(saved.roles)],
        "rosters": [
            {"path": path_as_text(roster.path), "students": list(map(asdict, roster.students))}
            for roster in saved.rosters
        ],
        "limit": saved.limit,
        "students": [
            structs.asdict(
                _StudentPart(s.id, s.name, s.number, s.is_listed, tuple(s.files), tuple(s.files.values()))
            )
            for s in saved.students
        ],
        "missing": list(map(asdict, saved.missing)),
    }


def class_from(part: ClassMember, documents: int) -> SchoolClass:
    """Assemble the class of this number of documents. Raises BrokenValueError."""
    roles = {each.document: each.role for each in part.roles}
    numbers = [number for student in part.students for number in student.documents]
    if len(roles) < len(part.roles) or len(set(numbers)) < len(numbers):
        raise BrokenValueError("class")
    if any(number >= documents for number in (*roles, *numbers)):
        raise BrokenValueError("class")
    if not all(student.documents for student in part.students):
        raise BrokenValueError("class")
    if any(student.roles and len(student.roles) != len(student.documents) for student in part.students):
        raise BrokenValueError("class")
    students = tuple(map(_student_from, part.students))
    return SchoolClass(roles, part.rosters, part.limit, students, part.missing)


def _student_from(part: _StudentPart) -> ClassStudent:
    roles = part.roles or chain([FileRole.CURRENT], repeat(FileRole.DRAFT))
    files = dict(zip(part.documents, roles, strict=False))
    return ClassStudent(part.id, part.name, part.number, part.is_listed, files)


# far above any sensible setting, and harmless
_HIGHEST_SETTING = 1_000_000

_DIGEST = r"\A[0-9a-f]{16}\Z"
_IS_DIGEST = re.compile(_DIGEST).match
_Digest = Annotated[str, Meta(pattern=_DIGEST)]
_Secret = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
_PseudonymNumber = Annotated[int, Meta(ge=1, le=100_000)]


class _NotedPart(Struct):
    """reason: a decision of REASONS, which an earlier version reads as no concern."""

    note: str = ""
    decision: Decision | None = None
    reason: Decision | None = None

    @property
    def noted(self) -> NotedDecision:
        return NotedDecision(self.reason or self.decision, self.note)


class _MatchPart(_NotedPart, kw_only=True):
    match: tuple[_Digest, SentenceNumber, _Digest, SentenceNumber]


_SentencePart = tuple[_Digest, SentenceNumber]


class _PassagePart(_NotedPart, kw_only=True):
    passage: tuple[_SentencePart, _SentencePart, _SentencePart, _SentencePart]


class ReviewPart(Struct):
    left: _DocumentNumber
    right: _DocumentNumber
    overall: _NotedPart
    matches: tuple[_MatchPart, ...]
    # missing in files of format version 1
    passages: tuple[_PassagePart, ...] = ()


class _OwnerPart(Struct):
    number: _PseudonymNumber
    files: tuple[Path, ...]
    student: Student | None = None
    listed: bool = False
    former: tuple[_PseudonymNumber, ...] = ()


class _PseudonymsPart(Struct):
    secret: _Secret
    owners: tuple[_OwnerPart, ...]


class MainPart(Struct):
    """session.json, each member checked by itself."""

    documents: Annotated[int, Meta(ge=0, le=MOST_DOCUMENTS)]
    left: _DocumentNumber | None
    right: _DocumentNumber | None
    settings: ComparisonSettings
    reviews: tuple[ReviewPart, ...]
    layout: SavedLayout
    file: Path | None
    # missing in older files
    pseudonyms: _PseudonymsPart | None = None
    school_class: ClassMember | None = None


# --- to JSON


def session_as_json(session: Session) -> dict[str, Any]:
    """Convert everything but the documents."""
    layout = session.layout
    return {
        "documents": len(session.documents),
        "left": session.left,
        "right": session.right,
        "settings": session.settings.as_dict(),
        "reviews": [review_as_json(pair, session.reviews[pair]) for pair in sorted(session.reviews)],
        "layout": {
            "cell": layout.cell,
            "page": layout.page,
            "splitters": {name: list(layout.splitters[name]) for name in sorted(layout.splitters)},
            "order": layout.order,
            "filter": asdict(layout.filter),
            "library_search": layout.library_search,
        },
        "file": None if session.file is None else path_as_text(session.file),
        "pseudonyms": None if session.pseudonyms is None else _pseudonyms_as_json(session.pseudonyms),
        "school_class": class_as_json(session.school_class),
    }


def review_as_json(pair: Pair, review: PairReview) -> dict[str, Any]:
    """Convert all decisions and notes on a pair."""
    return {
        "left": pair[0],
        "right": pair[1],
        "overall": review.overall.as_json(),
        "matches": [
            {"match": [*astuple(key.left), *astuple(key.right)], **review.matches[key].as_json()}
            for key in sorted(review.matches)
        ],
        "passages": [
            {"passage": astuple(key), **review.passages[key].as_json()} for key in sorted(review.passages)
        ],
    }


def _pseudonyms_as_json(pseudonyms: Pseudonyms) -> dict[str, Any]:
    """Convert the owner of each pseudonym, and the secret that determines their order."""
    return {"secret": pseudonyms.secret, "owners": [_owner_as_json(owner) for owner in pseudonyms.owners]}


def _owner_as_json(owner: Owner) -> dict[str, Any]:
    return {
        "number": owner.number,
        "student": None if owner.student is None else asdict(owner.student),
        "files": [path_as_text(file) for file in owner.files],
        "listed": owner.is_listed,
        "former": list(owner.former),
    }


# --- from JSON


def session_from(main: MainPart, documents: tuple[SessionDocument, ...], prompt: Document | None) -> Session:
    """Assemble the session of these documents and this prompt.

    Raises BrokenValueError if values that are valid by themselves contradict each other.
    """
    _check_pair(main.left, main.right, len(documents))
    return Session(
        documents,
        main.left,
        main.right,
        _checked_settings(main.settings),
        prompt,
        reviews_from(main.reviews, len(documents)),
        main.layout,
        main.file,
        None if main.pseudonyms is None else _pseudonyms_from(main.pseudonyms),
        SchoolClass() if main.school_class is None else class_from(main.school_class, len(documents)),
    )


def _check_pair(left: int | None, right: int | None, documents: int) -> None:
    """Refuse numbers of documents that do not exist, and a document compared with itself."""
    numbers = [number for number in (left, right) if number is not None]
    if len(set(numbers)) < len(numbers) or any(number >= documents for number in numbers):
        raise BrokenValueError(numbers)


def _checked_settings(settings: ComparisonSettings) -> ComparisonSettings:
    """Refuse an unknown recipe, numbers out of bounds and what is no digest of a sentence.

    Missing members have got their defaults.
    """
    passages = settings.passages
    summary = passages.summary if passages else None
    values = (value for group in (settings, passages, summary) if group for value in astuple(group))
    numbers = (value for value in values if isinstance(value, int | float))
    if settings.recipe not in RECIPES or not all(0 <= number <= _HIGHEST_SETTING for number in numbers):
        raise BrokenValueError("settings")
    digests = (*(sentence.digest for sentence in settings.left_out), *settings.counted_common)
    if not all(map(_IS_DIGEST, digests)):
        raise BrokenValueError("digest")
    if settings.user_words is not None and not are_usable(settings.user_words):
        raise BrokenValueError("words")
    return settings


def reviews_from(parts: Iterable[ReviewPart], documents: int) -> Mapping[Pair, PairReview]:
    """Return the decisions by pair. Raises BrokenValueError for a pair that is there twice or cannot be."""
    reviews: dict[Pair, PairReview] = {}
    for part in parts:
        pair = part.left, part.right
        _check_pair(*pair, documents)
        if pair in reviews or pair[::-1] in reviews:
            raise BrokenValueError(pair)
        matches = {_match_key_from(each): each.noted for each in part.matches}
        passages = {
            PassageKey(*(SentenceKey(*sentence) for sentence in each.passage)): each.noted
            for each in part.passages
        }
        reviews[pair] = PairReview(part.overall.noted, matches, passages)
    return reviews


def _match_key_from(part: _MatchPart) -> MatchKey:
    left, left_ordinal, right, right_ordinal = part.match
    return MatchKey(SentenceKey(left, left_ordinal), SentenceKey(right, right_ordinal))


def _pseudonyms_from(part: _PseudonymsPart) -> Pseudonyms:
    owners = tuple(map(_owner_from, part.owners))
    numbers = [owner.number for owner in owners]
    given_ever = {number for owner in owners for number in owner.numbers}
    # files that once belonged to one student may have the same former number
    is_repeated = any(len(set(owner.numbers)) < len(owner.numbers) for owner in owners)
    if numbers != sorted(set(numbers)) or given_ever != set(range(1, len(given_ever) + 1)) or is_repeated:
        raise BrokenValueError("owners")
    return Pseudonyms(part.secret, owners)


def _owner_from(part: _OwnerPart) -> Owner:
    student = part.student
    is_named = student is not None and (student.names or student.numbers)
    if not is_named and (student is not None or len(part.files) != 1):
        raise BrokenValueError("owners")
    return Owner(part.number, student, part.files, is_listed=part.listed, former=part.former)
