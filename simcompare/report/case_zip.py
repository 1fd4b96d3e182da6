"""The zip of a case file: documents, figures, compared files, and a session that proves the figures."""

import hashlib
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from simcompare import __version__
from simcompare.comparison.comparison_result import Cells, ExclusionCandidates
from simcompare.loading.archive import bytes_of
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.report.case_file import case_title, committee_sheet, talk_sheet
from simcompare.report.comparison_json import as_json, evidence_as_dict
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import page_view
from simcompare.report.pdf.report import MOST_FACING_CHARACTERS, MOST_ROWS, render_case
from simcompare.report.word.word_report import render_docx, render_sheet
from simcompare.report.wording import named
from simcompare.session.school_class import DocumentRole, SchoolClass
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import write_session, zip_entry
from simcompare.support.display_text import display_name, file_name
from simcompare.support.i18n import _, current_language

MANIFEST, FIGURES, SESSION = "case.json", "figures.json", "case.simcompare"
FORMAT, VERSION = "simcompare-case", 1


def render_case_file(evidence: Evidence) -> bytes:
    """Return the zip of a case file, in the current language.

    Names are those of the evidence; an anonymous one has no compared files and no session, which name them.
    """
    members = dict(documents_of(evidence))
    originals: list[str | None] = [None, None]
    if not evidence.is_anonymous:
        sides = evidence.comparison.left.document, evidence.comparison.right.document
        for place, document in enumerate(sides):
            if (data := _original(document)) is not None:
                originals[place] = f"files/{place + 1}/{file_name(document.path.name)}"
                members[originals[place] or ""] = data
        members[SESSION] = _session(evidence)
    members[MANIFEST] = as_json(_manifest(evidence, originals)).encode("utf-8", "backslashreplace")
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
    rendered = {
        f"{case_title()}.pdf": render_case(evidence, page),
        f"{case_title()}.docx": render_docx(evidence, committee_sheet(evidence, page)),
    }
    for side, view in enumerate(page.sides):
        title = _("Sheet for the talk {number}").format(number=side + 1)
        titled = named(title, display_name(view.name))
        rendered[f"{title}.docx"] = render_sheet(evidence, titled, talk_sheet(evidence, page, side))
    figures = as_json(evidence_as_dict(evidence)).encode("utf-8", "backslashreplace")
    return rendered | {FIGURES: figures}


def _original(document: Document) -> bytes | None:
    """Return the bytes of a compared file, or None if it is gone, has changed, or was pasted."""
    if not document.sha256:
        return None
    try:
        data = bytes_of(document.path)
    except SimcompareError:
        return None
    return data if hashlib.sha256(data).hexdigest() == document.sha256 else None


def _session(evidence: Evidence) -> bytes:
    comparison = evidence.comparison
    sides = comparison.left.document, comparison.right.document
    names = [f"{place + 1}/{file_name(document.path.name)}" for place, document in enumerate(sides)]
    documents = tuple(
        SessionDocument(Path(name), document=replace(document, path=Path(name)))
        for name, document in zip(names, sides, strict=True)
    )
    # a named source is compared by meaning
    sources = [
        place for place, side in enumerate((comparison.left, comparison.right)) if side.prepared.is_source
    ]
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


def _manifest(evidence: Evidence, originals: list[str | None]) -> dict[str, Any]:
    comparison, facts = evidence.comparison, evidence.facts
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "language": current_language(),
        "made_at": evidence.made_at.isoformat(),
        "anonymous": evidence.is_anonymous,
        "originals": originals,
        "kinship": facts.kinship and asdict(facts.kinship),
        "pictures": [[each.left.number, each.right.number] for each in facts.pictures],
        "mistakes": list(map(asdict, facts.mistakes)),
        "prompt": comparison.settings.prompt,
        "names": comparison.cohort_labels,
        "students": comparison.student_labels,
        "copying": comparison.copying,
        "exclusions": [] if evidence.is_anonymous else list(map(_excluded, comparison.exclusion_candidates)),
    }


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
