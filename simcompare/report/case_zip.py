"""The zip of a case file: documents, figures, compared files, and a session that proves the figures."""

import hashlib
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.json import encode as to_json

from simcompare import __version__
from simcompare.cohort.shared_facts import Kinship, SharedFormulas, SharedMistakes, SharedTables
from simcompare.cohort.shared_pictures import Likeness
from simcompare.comparison.comparison_result import Cells, ExclusionCandidates
from simcompare.loading.archive import bytes_of
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.pseudonyms.file_names import opening_of, propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.report.case_file import case_passages, case_title, committee_sheet, talk_sheet
from simcompare.report.comparison_json import as_json, evidence_as_dict
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import page_view
from simcompare.report.pdf_report import MOST_FACING_CHARACTERS, MOST_ROWS, render_case
from simcompare.report.word_report import render_docx, render_sheet
from simcompare.report.wording import named
from simcompare.session.school_class import DocumentRole, SchoolClass
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import CASE_PARTS, write_session, zip_entry
from simcompare.support.display_text import display_name, file_name
from simcompare.support.i18n import _, current_language

(MANIFEST, FIGURES), SESSION = CASE_PARTS, "case.simcompare"
FORMAT, VERSION = "simcompare-case", 1
_NO_SECRET = "0" * 32
"""Equal case files hide names alike; who is who is said on the sheet anyway."""


def render_case_file(evidence: Evidence) -> bytes:
    """Return the zip of a case file, in the current language.

    Names are those of the evidence; an anonymous one has no compared files and no session, which name them.
    """
    members = dict(documents_of(evidence))
    originals: list[str | None] = [None, None]
    if not evidence.is_anonymous:
        for place, (path, document) in enumerate(_session_paths(evidence).items()):
            if (data := _original(document)) is not None:
                name = _("files") + f"/{path.as_posix()}"
                originals[place], members[name] = name, data
        members[SESSION] = _session(evidence)
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    members[MANIFEST] = to_json(_manifest(evidence, tuple(originals), digests))
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            entry = zip_entry(name)
            entry.date_time = evidence.made_at.timetuple()[:6]
            archive.writestr(entry, data)
    return packed.getvalue()


def documents_of(evidence: Evidence) -> Mapping[str, bytes]:
    """Render all that is computed, by file name, in the current language."""
    page = page_view(evidence, MOST_ROWS, MOST_FACING_CHARACTERS)
    passages = case_passages(evidence, page)
    sheet = committee_sheet(evidence, page, passages)
    rendered = {
        f"{case_title()}.pdf": render_case(evidence, page, sheet),
        f"{case_title()}.docx": render_docx(evidence, sheet),
    }
    hidden = _hiding(evidence)
    for side, view in enumerate(page.sides):
        if any(evidence.comparison.copying) and not evidence.comparison.copying[side]:
            continue  # a source, of which nobody is asked
        title = _("Meeting record {number}").format(number=side + 1)
        titled = named(title, display_name(view.name))
        talk = talk_sheet(evidence, page, passages, side, hidden)
        rendered[f"{title}.docx"] = render_sheet(evidence, titled, talk)
    figures = as_json(evidence_as_dict(evidence)).encode("utf-8", "backslashreplace")
    return rendered | {FIGURES: figures}


def _hiding(evidence: Evidence) -> Callable[[str], str]:
    """Return what replaces the names that both files give, and personal data, in a text."""
    if evidence.is_anonymous:
        return str
    openings = {path: opening_of(document) for path, document in _session_paths(evidence).items()}
    recognised = propose(list(openings), (), openings)
    names = make_pseudonyms((), secret=_NO_SECRET).extended(recognised, ()).including_texts(openings)
    return names.replaced


def _original(document: Document) -> bytes | None:
    """Return the bytes of a compared file, or None if it is gone, has changed, or was pasted."""
    if not document.sha256:
        return None
    try:
        data = bytes_of(document.path)
    except SimcompareError:
        return None
    return data if hashlib.sha256(data).hexdigest() == document.sha256 else None


def _session_paths(evidence: Evidence) -> dict[Path, Document]:
    sides = evidence.comparison.left.document, evidence.comparison.right.document
    return {Path(f"{place}/{_member_name(each)}"): each for place, each in enumerate(sides, start=1)}


def _session(evidence: Evidence) -> bytes:
    comparison = evidence.comparison
    sides = zip(_session_paths(evidence).items(), (comparison.left, comparison.right), strict=True)
    documents = tuple(
        SessionDocument(path, document=replace(document, path=path), meanings=side.kept_meanings)
        for (path, document), side in sides
    )
    sources = [n for n, each in enumerate((comparison.left, comparison.right)) if each.prepared.is_source]
    # the task is in the manifest as what it excludes
    settings = replace(comparison.settings, prompt=None)
    session = Session(
        documents,
        left=0,
        right=1,
        settings=settings,
        school_class=SchoolClass(roles=dict.fromkeys(sources, DocumentRole.OLD)),
        reviews={} if evidence.review.is_empty else {(0, 1): evidence.review},
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / SESSION
        write_session(session, path, saved=evidence.made_at)
        return path.read_bytes()


class CaseManifest(Struct, kw_only=True):
    """What a case file is computed from besides its session.

    originals: members with the compared files, None for one that was gone; sha256: of the other members;
    meaning: whether the meaning of sentences was compared; exclusions: of each side, as `_excluded`.
    """

    format: str = FORMAT
    version: int = VERSION
    program: str = __version__
    language: str
    made_at: datetime
    anonymous: bool
    originals: tuple[str | None, str | None] = (None, None)
    sha256: dict[str, str]
    kinship: Kinship | None = None
    pictures: tuple[tuple[int, int], ...] = ()
    parts: tuple[tuple[int, int], ...] = ()
    mistakes: SharedMistakes = ()
    tables: SharedTables = ()
    formulas: SharedFormulas = ()
    meaning: bool = False
    prompt: str | None = None
    names: tuple[str, str] | None = None
    students: tuple[str, str] | None = None
    copying: tuple[bool, bool]
    course: str = ""
    teacher: str = ""
    exclusions: tuple[dict[str, Any], ...] = ()


def _manifest(evidence: Evidence, originals: tuple[str | None, ...], digests: dict[str, str]) -> CaseManifest:
    comparison, facts = evidence.comparison, evidence.facts
    prompt, is_anonymous = comparison.settings.prompt, evidence.is_anonymous
    left, right = originals
    return CaseManifest(
        language=current_language(),
        made_at=evidence.made_at,
        anonymous=is_anonymous,
        originals=(left, right),
        sha256=digests,
        kinship=facts.kinship,
        pictures=tuple((each.left.number, each.right.number) for each in facts.pictures),
        parts=tuple(
            (each.left.number, each.right.number) for each in facts.pictures if each.kind is Likeness.PART
        ),
        mistakes=facts.mistakes,
        tables=facts.tables,
        formulas=facts.formulas,
        meaning=comparison.by_meaning,
        course=evidence.course,
        teacher=evidence.teacher,
        prompt=None if prompt is None else file_name(prompt),
        names=comparison.cohort_labels,
        students=comparison.student_labels,
        copying=comparison.copying,
        exclusions=() if is_anonymous else tuple(map(_excluded, comparison.exclusion_candidates)),
    )


def _member_name(document: Document) -> str:
    """Return the file name, which may have bytes that are no text."""
    return file_name(document.path.name).encode("utf-8", "replace").decode()


_CELLS = {"rows": np.int32, "columns": np.int32, "lcs": np.int32, "p": np.float64, "w": np.float64}


def _excluded(candidates: ExclusionCandidates) -> dict[str, Any]:
    """Return what the two texts do not determine: sentences of the task, and those common to the class."""
    cells, common = candidates.prompt, candidates.common
    return {
        "prompt": None if cells is None else {name: getattr(cells, name).tolist() for name in _CELLS},
        "common": None if common is None else common.tolist(),
    }


def excluded_from(value: Mapping[str, Any], candidates: ExclusionCandidates) -> ExclusionCandidates:
    """Return candidates with what a manifest says of the task and the class."""
    cells, common = value["prompt"], value["common"]
    columns = {name: np.array(cells[name], kind) for name, kind in _CELLS.items()} if cells else {}
    return replace(
        candidates,
        prompt=Cells(**columns) if cells else None,
        common=None if common is None else np.array(common, np.str_),
    )
