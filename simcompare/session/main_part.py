"""What a session keeps beside its documents, as JSON, and back."""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from simcompare.fingerprint.recipes import RECIPES
from simcompare.model.document import Document
from simcompare.model.errors import SettingsError
from simcompare.model.settings import ComparisonSettings, PassageSettings, SummarySettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.pseudonyms.students import Owner, Student
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, SentenceKey
from simcompare.session.document_parts import path_as_text, path_from
from simcompare.session.json_fields import (
    BrokenValueError,
    Fields,
    checked_list,
    checked_number,
    checked_text,
    checked_truth,
    checked_whole,
)
from simcompare.session.session_data import Layout, Pair, Session, SessionDocument

_SECRET = re.compile("[0-9a-f]{32}")
_MOST_OWNERS = 100_000


def pseudonyms_as_json(pseudonyms: Pseudonyms) -> dict[str, Any]:
    """Return who stands behind each pseudonym, and the secret by which they are in order."""
    return {"secret": pseudonyms.secret, "owners": [_owner_as_json(owner) for owner in pseudonyms.owners]}


def _owner_as_json(owner: Owner) -> dict[str, Any]:
    student = owner.student
    return {
        "number": owner.number,
        "student": None
        if student is None
        else {"names": list(student.names), "numbers": list(student.numbers)},
        "files": [path_as_text(file) for file in owner.files],
        "listed": owner.is_listed,
        "former": list(owner.former),
    }


def pseudonyms_from(given: Fields) -> Pseudonyms:
    """Return the pseudonyms; raises BrokenValueError."""
    secret = given.text("secret")
    if not _SECRET.fullmatch(secret):
        raise BrokenValueError("secret")
    owners = tuple(_owner_from(Fields(value)) for value in given.items("owners"))
    numbers = [owner.number for owner in owners]
    given_ever = {number for owner in owners for number in owner.numbers}
    # files that were one student's may have the same former number
    is_twofold = any(len(set(owner.numbers)) < len(owner.numbers) for owner in owners)
    if numbers != sorted(set(numbers)) or given_ever != set(range(1, len(given_ever) + 1)) or is_twofold:
        raise BrokenValueError("owners")
    return Pseudonyms(secret, owners)


def _owner_from(given: Fields) -> Owner:
    files = tuple(path_from(checked_text(file)) for file in given.items("files"))
    student = _student_from(given.fields("student")) if given.has("student") else None
    if student is None and len(files) != 1:
        raise BrokenValueError("files")
    return Owner(
        given.whole("number", 1, _MOST_OWNERS),
        student,
        files,
        is_listed=given.has("listed") and given.truth("listed"),
        former=_former_from(given) if given.has("former") else (),
    )


def _former_from(given: Fields) -> tuple[int, ...]:
    return tuple(checked_whole(number, 1, _MOST_OWNERS) for number in given.items("former"))


def _student_from(given: Fields) -> Student:
    names, numbers = (tuple(map(checked_text, given.items(name))) for name in ("names", "numbers"))
    if not names and not numbers:
        raise BrokenValueError("student")
    return Student(names, numbers)


Settings = TypeVar("Settings", ComparisonSettings, PassageSettings, SummarySettings)

_MOST_SENTENCES = 10_000_000
_LARGEST_SIZE_PX = 1_000_000
# beyond any sense, and harmless
_HIGHEST_SETTING = 1_000_000
_DIGEST = re.compile("[0-9a-f]{16}")


# --- to JSON


def session_as_json(session: Session) -> dict[str, Any]:
    """Return everything but the documents."""
    layout = session.layout
    return {
        "documents": len(session.documents),
        "left": session.left,
        "right": session.right,
        "settings": asdict(session.settings),
        "reviews": [_review_as_json(pair, session.reviews[pair]) for pair in sorted(session.reviews)],
        "layout": {
            "cell": layout.cell,
            "page": layout.page,
            "splitters": {name: list(layout.splitters[name]) for name in sorted(layout.splitters)},
            "order": layout.order,
        },
        "file": None if session.file is None else path_as_text(session.file),
        "pseudonyms": None if session.pseudonyms is None else pseudonyms_as_json(session.pseudonyms),
    }


def _review_as_json(pair: Pair, review: PairReview) -> dict[str, Any]:
    return {
        "left": pair[0],
        "right": pair[1],
        "overall": _noted_decision_as_json(review.overall),
        "matches": [
            {"match": _key_as_json(key), **_noted_decision_as_json(review.matches[key])}
            for key in sorted(review.matches)
        ],
    }


def _noted_decision_as_json(noted_decision: NotedDecision) -> dict[str, Any]:
    return {"decision": noted_decision.decision, "note": noted_decision.note}


def _key_as_json(key: MatchKey) -> list[Any]:
    return [key.left.digest, key.left.ordinal, key.right.digest, key.right.ordinal]


# --- from JSON


def settings_from(main: Fields) -> ComparisonSettings:
    """Return the settings; one that came later than the file is as it is by default.

    Raises BrokenValueError.
    """
    given = main.fields("settings")
    passages = ComparisonSettings().passages
    if "passages" in given:
        passages = _passages_from(given.fields("passages")) if given.has("passages") else None
    prompt = given.optional_text("prompt") if "prompt" in given else None
    values = _values_like(ComparisonSettings(), given)
    if values.get("recipe", "improved") not in RECIPES:
        raise BrokenValueError("recipe")
    try:
        return ComparisonSettings(**values, prompt=prompt, passages=passages)
    except SettingsError as error:
        raise BrokenValueError("settings") from error


def _passages_from(given: Fields) -> PassageSettings:
    summary = PassageSettings().summary
    if "summary" in given:
        summary = _summary_from(given.fields("summary")) if given.has("summary") else None
    return PassageSettings(**_values_like(PassageSettings(), given), summary=summary)


def _summary_from(given: Fields) -> SummarySettings:
    return SummarySettings(**_values_like(SummarySettings(), given))


def _values_like(default: Settings, given: Fields) -> dict[str, Any]:
    """Return those values of simple types that are given, each of the type its default has."""
    values = {}
    for field in fields(default):
        like = getattr(default, field.name)
        if field.name in given and isinstance(like, bool | int | float | str):
            values[field.name] = _checked_like(like, given.value(field.name))
    return values


def _checked_like(like: object, value: object) -> object:
    if isinstance(like, bool):
        return checked_truth(value)
    if isinstance(like, int):
        return checked_whole(value, 0, _HIGHEST_SETTING)
    if isinstance(like, float):
        return checked_number(value, 0, _HIGHEST_SETTING)
    return checked_text(value)


def sides_from(main: Fields, documents: int) -> tuple[int | None, int | None]:
    """Return which documents stand left and right."""
    last = documents - 1
    left, right = main.optional_whole("left", 0, last), main.optional_whole("right", 0, last)
    if left is not None and left == right:
        raise BrokenValueError("right")
    return left, right


def reviews_from(main: Fields, documents: int) -> Mapping[Pair, PairReview]:
    """Return what was decided on pairs of documents."""
    reviews: dict[Pair, PairReview] = {}
    for value in main.items("reviews"):
        review = Fields(value)
        pair = (review.whole("left", 0, documents - 1), review.whole("right", 0, documents - 1))
        if pair[0] == pair[1] or pair in reviews or pair[::-1] in reviews:
            raise BrokenValueError(pair)
        matches = dict(_match_from(Fields(match)) for match in review.items("matches"))
        reviews[pair] = PairReview(_noted_decision_from(review.fields("overall")), matches)
    return reviews


def _match_from(match: Fields) -> tuple[MatchKey, NotedDecision]:
    left, left_ordinal, right, right_ordinal = match.items("match", 4)
    return MatchKey(_key_from(left, left_ordinal), _key_from(right, right_ordinal)), _noted_decision_from(
        match
    )


def _key_from(digest: object, ordinal: object) -> SentenceKey:
    digest = checked_text(digest)
    if not _DIGEST.fullmatch(digest):
        raise BrokenValueError(digest)
    return SentenceKey(digest, checked_whole(ordinal, 0, _MOST_SENTENCES))


def _noted_decision_from(judged: Fields) -> NotedDecision:
    decision = judged.word("decision", Decision) if judged.has("decision") else None
    return NotedDecision(decision, judged.text("note"))


def layout_from(main: Fields) -> Layout:
    """Return what the window showed."""
    layout = main.fields("layout")
    cell = None
    if layout.has("cell"):
        left, right = layout.items("cell", 2)
        cell = (checked_whole(left, 0, _MOST_SENTENCES), checked_whole(right, 0, _MOST_SENTENCES))
    splitters = layout.fields("splitters")
    sizes = {name: _sizes_from(splitters.value(name)) for name in splitters}
    order = layout.text("order") if "order" in layout else ""  # older files have none
    return Layout(cell, layout.text("page"), sizes, order)


def _sizes_from(value: object) -> tuple[int, ...]:
    return tuple(checked_whole(size, 0, _LARGEST_SIZE_PX) for size in checked_list(value))


def session_from(main: Fields, documents: tuple[SessionDocument, ...], prompt: Document | None) -> Session:
    """Return the session of these documents and this prompt with all that JSON says of them.

    Raises BrokenValueError.
    """
    left, right = sides_from(main, len(documents))
    file = main.optional_text("file")
    return Session(
        documents,
        left,
        right,
        settings_from(main),
        prompt,
        reviews_from(main, len(documents)),
        layout_from(main),
        None if file is None else path_from(file),
        pseudonyms_from(main.fields("pseudonyms")) if main.has("pseudonyms") else None,
    )
