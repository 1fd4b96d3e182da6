"""session.json: everything in a session but its documents, to JSON and back."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from simcompare.fingerprint.recipes import RECIPES
from simcompare.model.document import Document
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
from simcompare.session.document_parts import path_as_text
from simcompare.session.json_fields import BrokenValueError
from simcompare.session.school_class import ClassStudent, DocumentRole, FileRole, Roster, SchoolClass
from simcompare.session.session_data import (
    Pair,
    SavedLayout,
    SentenceNumber,
    Session,
    SessionDocument,
)
from simcompare.session.session_limits import MOST_DOCUMENTS
from simcompare.text.user_words import are_usable

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
    """Convert the class."""
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
    """All decisions and notes on a pair."""

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
