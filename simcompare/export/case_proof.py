"""Compute a case file again from its contents, and report what is equal and what differs."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from msgspec.json import decode as from_json

from simcompare import __version__
from simcompare.cohort.pair_facts import PairFacts, facts_of_comparison
from simcompare.cohort.session_preparation import prepare_session_documents
from simcompare.cohort.shared_pictures import Likeness, SharedPicture
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import Comparison
from simcompare.model.document import Document
from simcompare.model.errors import (
    FileError,
    PasswordNeededError,
    SessionError,
    SimcompareError,
    WrongPasswordError,
    os_errors_as,
)
from simcompare.model.progress import no_tick
from simcompare.report.case_zip import (
    FIGURES,
    FORMAT,
    MANIFEST,
    SESSION,
    VERSION,
    CaseManifest,
    documents_of,
    excluded_from,
)
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.report.wording import first_of
from simcompare.session.decisions import NO_REVIEW
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import UNPACKING_ERRORS, case_folder, opened_zip, read_session
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import LANGUAGES, N_, _, using_language
from simcompare.text.thesaurus import load_thesaurus

ReadFile = Callable[[Path, bool], Document | SimcompareError]
_MOST_BYTES, _ENCRYPTED_BIT = 1024**3, 0x1
_MOST_DIFFERENCES, _MOST_CHARACTERS, _AROUND = 20, 120, 12


class NoCaseFileError(FileError):
    template = N_("{name} cannot be verified: {cause}.")


_NO_CASE = N_("it is not a case file of simcompare, or is damaged; ask for it again")
_BUNDLE = N_("it holds case files; unpack it, and verify each of them")
_ANONYMOUS = N_("it is anonymous and does not contain the essays; verify the case file with names")
_LOCKED = N_("it is protected by a password; unpack it, and pack all that it holds again without one")
_NEWER = N_("it was made by a newer version of simcompare; verify it with that one")


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, in words, and how it differs; equal if it does not.

    is_locked: a password is needed to check it, other than one that was tried.
    """

    subject: str
    differences: tuple[str, ...] = ()
    is_checked: bool = True
    is_locked: bool = False

    @property
    def lines(self) -> list[str]:
        """The subject with the result, and the differences below it, in the current language."""
        words = _("differs") if self.differences else _("unchanged") if self.is_checked else _("not checked")
        lines = [_("{subject}: {result}").format(subject=self.subject, result=words)]
        return list(map(escape_invisible, [*lines, *(f"  {each}" for each in self.differences)]))


def outcome_in_words(checks: Sequence[Check]) -> str:
    if any(each.differences for each in checks):
        return _("Something differs.")
    if all(each.is_checked for each in checks):
        return _("Nothing has been changed.")
    return _("Everything that could be checked is unchanged.")


def verify_case(path: Path, read: ReadFile) -> Iterator[Check]:
    """Yield a check for each part of a case file, in the current language.

    read: reads a file, all of a web page if the flag is set. Raises NoCaseFileError, and the errors of
    reading a session.
    """
    with os_errors_as(NoCaseFileError, path), TemporaryDirectory() as temporary:
        members = _members(path)
        manifest = _manifest(path, members)
        place = Path(temporary)
        (place / SESSION).write_bytes(members[SESSION])
        try:
            session = read_session(place / SESSION)
        except SessionError as error:
            raise NoCaseFileError(path, cause=_(_NO_CASE)) from error
        if len(session.documents) != 2:
            raise NoCaseFileError(path, cause=_(_NO_CASE))
        if manifest.program != __version__:
            words = _("Version of simcompare ({made}; this is {own}, which may compute other figures)")
            yield Check(words.format(made=manifest.program, own=__version__), is_checked=False)
        for number, listed in enumerate(manifest.originals):
            folder = place / str(number)
            folder.mkdir()
            yield _original(session.documents[number], listed, members, folder, read)
        evidence = _computed(path, session, manifest)
        with using_language(manifest.language):
            computed = documents_of(evidence)
        yield Check(_("Figures"), tuple(_different_figures(members.get(FIGURES, b""), computed[FIGURES])))
        for name in sorted(computed.keys() - {FIGURES}):
            made = manifest.sha256.get(name, "")
            yield Check(name, tuple(_different_document(members.get(name), computed[name], name, made)))
        known = {*computed, *filter(None, manifest.originals), MANIFEST, SESSION}
        if extra := sorted(members.keys() - known):
            yield Check(_("Other files"), tuple(extra))


def _members(path: Path) -> Mapping[str, bytes]:
    """Read all members, each name once. Raises NoCaseFileError."""
    broken = NoCaseFileError(path, cause=_(_NO_CASE))
    with opened_zip(path, broken) as (archive, _size):
        folder = case_folder(archive.namelist()) or ""
        listed = (entry for entry in archive.infolist() if entry.filename.startswith(folder))
        entries = [entry for entry in listed if not entry.is_dir()]
        names = {entry.filename.casefold() for entry in entries}
        if len(names) < len(entries) or sum(entry.file_size for entry in entries) > _MOST_BYTES:
            raise broken
        if any(entry.flag_bits & _ENCRYPTED_BIT for entry in entries):
            raise NoCaseFileError(path, cause=_(_LOCKED))
        members = {}
        try:
            for entry in entries:
                with archive.open(entry) as member:
                    # no more than is declared
                    members[entry.filename.removeprefix(folder)] = member.read(entry.file_size)
        except UNPACKING_ERRORS as error:
            raise broken from error
        return members


def _manifest(path: Path, members: Mapping[str, bytes]) -> CaseManifest:
    try:
        manifest = from_json(members[MANIFEST], type=CaseManifest)
    except (KeyError, ValueError, RecursionError) as error:  # a ValidationError is a ValueError
        is_bundle = MANIFEST not in members and any(name.endswith(CASE_SUFFIX) for name in members)
        raise NoCaseFileError(path, cause=_(_BUNDLE if is_bundle else _NO_CASE)) from error
    causes = (
        (manifest.format != FORMAT, _NO_CASE),
        (manifest.version > VERSION, _NEWER),
        (manifest.anonymous, _ANONYMOUS),
        (SESSION not in members or manifest.language not in LANGUAGES, _NO_CASE),
        (len(manifest.exclusions) != len(manifest.originals), _NO_CASE),
    )
    for is_true, cause in causes:
        if is_true:
            raise NoCaseFileError(path, cause=_(cause))
    return manifest


def _original(
    held: SessionDocument, listed: str | None, members: Mapping[str, bytes], folder: Path, read: ReadFile
) -> Check:
    """Read a compared file again, and compare its text with the one that the figures rest on.

    listed: the member, None if the file was gone when the case file was made.
    """
    name = held.path.name
    if listed is None or held.document is None:
        words = _("{name}: the file is not in the case file, only its text").format(name=name)
        return Check(words, is_checked=False)
    if (data := members.get(listed)) is None:
        return Check(name, (_("it is missing"),))
    file = folder / name
    file.write_bytes(data)
    outcome = read(file, False)
    if isinstance(outcome, Document) and outcome.text != held.document.text:
        outcome = read(file, True)
    differences = []
    if hashlib.sha256(data).hexdigest() != held.document.sha256:
        differences.append(_("it is not the file that was compared"))
    if isinstance(outcome, PasswordNeededError) and not differences:
        words = _("{name}: the file is the one that was compared, but its text is protected by a password")
        if isinstance(outcome, WrongPasswordError):
            words = _("{name}: the file is the one that was compared, but this password does not open it")
        return Check(words.format(name=name), is_checked=False, is_locked=True)
    if isinstance(outcome, SimcompareError):
        differences.append(outcome.beside_name)
    elif outcome.text != held.document.text:
        differences.append(_first_difference(held.document.text, outcome.text))
    return Check(name, tuple(differences))


def _computed(path: Path, session: Session, manifest: CaseManifest) -> Evidence:
    settings = session.settings
    thesaurus = load_thesaurus(settings.thesaurus)
    # which pairs of a class are compared by meaning depends on the others
    computing = replace(settings, meaning=manifest.meaning)
    documents = prepare_session_documents(session, computing, (0, 1), no_tick, Event())
    for unread in documents.unread:
        raise unread.error or NoCaseFileError(path, cause=_(_NO_CASE))
    left, right = documents.prepared_documents
    comparison = compare(left, right, computing, thesaurus)
    settings = replace(settings, prompt=manifest.prompt)
    pairs = zip(manifest.exclusions, comparison.exclusion_candidates, strict=True)
    try:
        kept = [excluded_from(*each) for each in pairs]
        comparison = reclassify(comparison, settings, (kept[0], kept[1]))
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise NoCaseFileError(path, cause=_(_NO_CASE)) from error
    files, students, copying = manifest.names, manifest.students, manifest.copying
    return Evidence(
        replace(comparison, cohort_labels=files, student_labels=students, copying=copying),
        thesaurus,
        manifest.made_at,
        documents.reviews.get((0, 1), NO_REVIEW),
        _facts(comparison, manifest),
        course=manifest.course,
        teacher=manifest.teacher,
    )


def _facts(comparison: Comparison, manifest: CaseManifest) -> PairFacts:
    """Return the facts; what is rare in the class is taken from the manifest."""
    found = {(each.left.number, each.right.number): each for each in facts_of_comparison(comparison).pictures}
    left, right = (
        {each.number: each for each in side.document.pictures} for side in (comparison.left, comparison.right)
    )
    for numbers in manifest.parts:
        # they are found only with OpenCV
        if numbers[0] in left and numbers[1] in right:
            part = SharedPicture(left[numbers[0]], right[numbers[1]], Likeness.PART)
            found.setdefault(numbers, part)
    # others belong to the class
    pictures = tuple(found[numbers] for numbers in manifest.pictures if numbers in found)
    return PairFacts(manifest.kinship, pictures, manifest.mistakes, manifest.tables, manifest.formulas)


def _different_figures(held: bytes, computed: bytes) -> Iterator[str]:
    try:
        written = json.loads(held)
    except (ValueError, RecursionError):
        yield _("damaged or missing")
        return
    yield from first_of(list(_different_values("", written, json.loads(computed))), _MOST_DIFFERENCES)


def _different_values(place: str, held: Any, computed: Any) -> Iterator[str]:
    if isinstance(held, dict) and isinstance(computed, dict):
        for key in dict.fromkeys([*held, *computed]):
            yield from _different_values(f"{place}.{key}".lstrip("."), held.get(key), computed.get(key))
    elif isinstance(held, list) and isinstance(computed, list) and len(held) == len(computed):
        for number, pair in enumerate(zip(held, computed, strict=True), start=1):
            yield from _different_values(f"{place}[{number}]", *pair)
    elif held != computed:
        values = (json.dumps(value, ensure_ascii=False)[:_MOST_CHARACTERS] for value in (held, computed))
        yield _("{place}: {held} in the case file, computed {computed}").format(
            place=place, **dict(zip(("held", "computed"), values, strict=True))
        )


def _different_document(held: bytes | None, computed: bytes, name: str, made: str) -> Iterator[str]:
    """Compare bytes; of a PDF, which depends on the fonts of the computer, also text and digest as made."""
    if held is None:
        yield _("it is missing")
    elif held != computed:
        if not name.endswith(".pdf"):
            yield _("it does not agree with the figures")
        elif (before := _pdf_text(held)) != (after := _pdf_text(computed)):
            yield _first_difference(before, after)
        elif hashlib.sha256(held).hexdigest() != made:
            yield _("it was changed after it was made")


def _pdf_text(data: bytes) -> str:
    import pypdfium2  # noqa: PLC0415 - takes long to load

    try:
        with pypdfium2.PdfDocument(data) as document:
            return "".join("".join(page.get_textpage().get_text_bounded().split()) for page in document)
    except pypdfium2.PdfiumError:
        return ""


def _first_difference(held: str, computed: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(held, computed, strict=False)) if a != b), 0)
    excerpts = (text[max(at - _AROUND, 0) : at + _AROUND] for text in (held, computed))
    return _("“{held}” in the case file, computed “{computed}”").format(
        **dict(zip(("held", "computed"), excerpts, strict=True))
    )
