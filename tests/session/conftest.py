"""A session that uses every feature, and a path to save it to."""

from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.loading import load_document
from simcompare.loading.extraction import PastedText
from simcompare.model.errors import DamagedFileError, PasswordNeededError
from simcompare.model.settings import PRESETS, LeftOutSentence
from simcompare.session.decisions import (
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKey,
    SentenceKey,
)
from simcompare.session.session_data import SavedFilter, SavedLayout, Session, SessionDocument
from simcompare.support.resources import resource_path
from tests.helpers.documents import make_document

SAMPLES = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf")


@pytest.fixture(scope="session")
def session() -> Session:
    """A session of the samples that uses every feature."""
    loaded = [load_document(resource_path("samples", name)) for name in SAMPLES]
    documents = [SessionDocument(document.path, document=document) for document in loaded]
    broken, locked = Path("class") / "broken.docx", Path("class") / "locked.pdf"
    documents += [
        SessionDocument(broken, error=DamagedFileError(broken, cause="a part of it is broken")),
        SessionDocument(locked, error=PasswordNeededError(locked)),
        SessionDocument(Path("class") / "waiting.html", whole_page=True),
        SessionDocument(Path("Pasted text 1"), pasted=PastedText("<p>写一座桥。", is_html=True)),
    ]
    first, second = SentenceKey("0" * 16, 0), SentenceKey("89ab" * 4, 3)
    review = PairReview(
        NotedDecision(Decision.COPIED, "问过他了 \ud800"),
        {
            MatchKey(first, second): NotedDecision(Decision.FINE),
            MatchKey(second, first): NotedDecision(note="a quotation"),
        },
        {PassageKey(first, second, second, first): NotedDecision(Decision.FINE, "the question sheet")},
    )
    return Session(
        tuple(documents),
        left=2,
        right=0,
        settings=replace(
            PRESETS["sensitive"],
            minimum_units=8,
            prompt="prompt.docx",
            left_out=(LeftOutSentence("0123456789abcdef", "石桥很老。"),),
        ),
        prompt=make_document("写一座桥。", title="prompt"),
        reviews={(2, 0): review, (0, 1): PairReview(NotedDecision(note="..."))},
        layout=SavedLayout(
            (4, 7),
            "compare",
            {"texts": (300, 400, 300), "body": (0, 900)},
            filter=SavedFilter((0, 2), (0.1, None), "桥"),
        ),
        file=Path("work") / "class.simcompare",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "四班.simcompare"
