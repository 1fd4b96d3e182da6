"""Sessions for tests of `simcompare report`, and its tables."""

import csv
import io
from dataclasses import replace
from pathlib import Path

from simcompare.model.document import Document
from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.session.session_data import Session, SessionDocument
from tests.report.cohort.class_of_essays import ESSAYS, essays

SESSION = Path("class.simcompare")
BRIDGE, HEART, STORY, BUS = ESSAYS
COPIED = PairReview(NotedDecision(Decision.COPIED, "see page 2"))


def session_document(document: Document, path: str) -> SessionDocument:
    return SessionDocument(Path(path), document=replace(document, path=Path(path)))


def session_of(*paths: str, **fields) -> Session:
    """Session whose files do not exist."""
    files = [
        session_document(prepared_document.document, path)
        for prepared_document, path in zip(essays(), paths, strict=False)
    ]
    return Session(tuple(files), **fields)


def table(path):
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def column(rows, title):
    """Cells of a column of a table, without its title."""
    return [row[rows[0].index(title)] for row in rows[1:]]
