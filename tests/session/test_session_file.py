"""Sessions are read as they were written."""

import json
import os
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.loading.extraction import clean
from simcompare.model import errors
from simcompare.model.document import (
    Anchor,
    BlockKind,
    CharacterBoxes,
    Document,
    Dropped,
    DropReason,
    ExtractionReceipt,
    Flag,
    FlagName,
    Note,
    Place,
    Span,
    join_blocks,
)
from simcompare.model.errors import NoUnitsError
from simcompare.model.settings import ComparisonSettings, LeftOutSentence, PassageSettings, SummarySettings
from simcompare.session.decisions import (
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKey,
    SentenceKey,
)
from simcompare.session.session_data import SavedLayout, Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.support.i18n import set_language
from tests.session.session_files import NOON, assert_same, member, rewritten

# --- round trips


def test_that_a_session_is_read_as_it_was_written(session, path):
    write_session(session, path)
    assert_same(read_session(path), session)
    assert read_session(path).documents[2].document.character_boxes is not None
    assert [sentence.text for sentence in read_session(path).settings.left_out] == ["石桥很老。"]


def test_that_an_empty_session_is_read_as_it_was_written(path):
    write_session(Session(), path)
    assert_same(read_session(path), Session())


def test_that_files_of_the_same_session_differ_only_in_the_time(session, tmp_path):
    first, second = tmp_path / "a.simcompare", tmp_path / "b.simcompare"
    write_session(session, first, saved=NOON)
    write_session(read_session(first), second, saved=NOON)
    assert first.read_bytes() == second.read_bytes()
    write_session(session, second)
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        assert one.namelist() == other.namelist()
        different = [name for name in one.namelist() if one.read(name) != other.read(name)]
    assert different == ["session.json"]


def test_that_a_session_opens_in_another_language(session, path):
    write_session(session, path)
    message = str(session.documents[3].error)
    set_language("zh")
    error = read_session(path).documents[3].error
    assert "broken.docx" in str(error)
    assert str(error) != message


def test_that_the_path_of_another_system_ends_with_the_file_name(path):
    entry = SessionDocument(Path("C:/Users/李/桥.docx"), error=NoUnitsError(name="桥.docx"))
    write_session(Session((entry,)), path)
    assert read_session(path).documents[0].path.name == "桥.docx"
    assert member(path, "documents/0001/facts.json")["path"] == "C:/Users/李/桥.docx"


@pytest.mark.skipif(os.name != "posix", reason="file names of Windows are Unicode")
def test_that_a_file_name_that_is_not_valid_unicode_is_kept(path):
    entry = SessionDocument(Path(os.fsdecode(b"/home/\xff\xfe.txt")))
    write_session(Session((entry,)), path)
    assert read_session(path).documents == (entry,)


def test_that_a_document_with_an_unknown_error_is_still_to_be_read(session, path):
    write_session(session, path)
    name = "documents/0004/facts.json"
    facts = member(path, name) | {"error": {"kind": "TooOldError", "values": {"year": 1999}}}
    read = read_session(rewritten(path, {name: json.dumps(facts).encode()}))
    assert read.documents[3].error is None
    assert read.documents[3].document is None


def test_that_missing_settings_get_their_defaults_and_unknown_ones_are_ignored(session, path):
    write_session(session, path)
    main = member(path, "session.json")
    del main["settings"]["exclude_quotations"]
    del main["settings"]["passages"]
    main["settings"]["later"] = 1
    read = read_session(rewritten(path, {"session.json": json.dumps(main).encode()}))
    assert read.settings == replace(session.settings, passages=ComparisonSettings().passages)


_words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40).map(clean)
_lines = st.lists(_words.filter(bool), min_size=1, max_size=8)
_counts = st.integers(0, 10**6)
_places = st.builds(Place, st.none() | _counts, st.none() | _counts)
_receipts = st.builds(
    ExtractionReceipt,
    reader=st.text(max_size=9),
    format=st.text(max_size=9),
    characters_kept=_counts,
    paragraphs=_counts,
    pages=st.none() | _counts,
    encoding=st.none() | st.text(max_size=9),
    dropped=st.lists(st.builds(Dropped, st.sampled_from(DropReason), _counts, st.text(max_size=20))).map(
        tuple
    ),
    flags=st.lists(
        st.builds(
            Flag,
            st.sampled_from(FlagName),
            _counts,
            st.lists(_places, max_size=3).map(tuple),
            st.text(max_size=20),
            st.booleans(),
        ),
        max_size=3,
    ).map(tuple),
)
_digests = st.text("0123456789abcdef", min_size=16, max_size=16)
_sentence_keys = st.builds(SentenceKey, _digests, _counts)
_judgements = st.builds(NotedDecision, st.none() | st.sampled_from(Decision), st.text(max_size=30))
_reviews = st.builds(
    PairReview,
    _judgements,
    st.dictionaries(st.builds(MatchKey, _sentence_keys, _sentence_keys), _judgements, max_size=3),
    st.dictionaries(st.builds(PassageKey, *[_sentence_keys] * 4), _judgements, max_size=3),
)


def _settings_like(kind: type, **chosen: st.SearchStrategy) -> st.SearchStrategy:
    """Draw a settings value with every field of a simple type drawn."""
    by_type = {bool: st.booleans(), int: st.integers(0, 999), float: st.floats(0, 99)}
    drawn = {f.name: by_type[type(f.default)] for f in fields(kind) if type(f.default) in by_type}
    return st.builds(kind, **(drawn | chosen))


_passages = _settings_like(PassageSettings, summary=st.none() | _settings_like(SummarySettings))
_comparison_settings = _settings_like(
    ComparisonSettings,
    similar_weight=st.floats(0.3, 0.6),
    right_weight=st.floats(0.61, 1),
    thesaurus=st.text(max_size=20),
    prompt=st.none() | st.text(max_size=20),
    left_out=st.lists(st.builds(LeftOutSentence, _digests, st.text(max_size=20)), max_size=3).map(tuple),
    passages=st.none() | _passages,
)


@st.composite
def _documents(draw):
    lines = draw(_lines)
    pieces = [
        (draw(st.sampled_from(BlockKind)), line, Anchor(number, draw(st.none() | _counts)))
        for number, line in enumerate(lines, 1)
    ]
    text, blocks = join_blocks(pieces)
    boxes = None
    if draw(st.booleans()):
        chance = np.random.default_rng(draw(_counts))  # a draw for each character would take long
        pages = chance.integers(0, 4, len(text), dtype=np.int32)
        places = np.linspace(-7, 900, 4 * len(text), dtype=np.float32).reshape(-1, 4)
        places[pages == 0] = np.nan
        boxes = CharacterBoxes(pages, places)
    title, receipt = draw(st.text(max_size=20)), draw(_receipts)
    path, size_bytes = Path("folder") / draw(_names), draw(_counts)
    places = st.integers(0, len(text))
    notes = draw(st.lists(st.builds(Note, places, st.builds(Span, places, places)), max_size=3).map(tuple))
    return Document(path, title, text, blocks, receipt, "0a" * 32, size_bytes, boxes, notes)


_names = st.from_regex(r"[a-z桥]{1,9}\.docx", fullmatch=True)


@st.composite
def _sessions(draw):
    read = draw(st.lists(_documents(), min_size=2, max_size=4))
    documents = [SessionDocument(document.path, draw(st.booleans()), document) for document in read]
    waiting = draw(st.lists(st.builds(SessionDocument, _names.map(Path), st.booleans()), max_size=2))
    return Session(
        (*documents, *waiting),
        *draw(st.sampled_from([(0, 1), (1, 0), (None, 1), (None, None)])),
        draw(_comparison_settings),
        draw(st.none() | _documents()),
        draw(st.dictionaries(st.sampled_from([(0, 1)]), _reviews)),
        draw(
            st.builds(
                SavedLayout,
                st.none() | st.tuples(_counts, _counts),
                st.text(max_size=9),
                st.dictionaries(st.text(max_size=9), st.lists(_counts).map(tuple), max_size=3),
            )
        ),
        draw(st.none() | _names.map(Path)),
    )


@given(_sessions())
@settings(max_examples=settings.default.max_examples // 2)  # of many parts each
def test_that_any_session_is_read_as_it_was_written(tmp_path, session):
    path = tmp_path / "any.simcompare"
    write_session(session, path)
    assert_same(read_session(path), session)


def test_that_every_kind_of_error_comes_back(path):
    here = Path("folder") / "a.docx"
    made = [
        errors.NoTextError(here, pages=3),
        errors.RecognitionNeededError(here, pages=3, numbers=(1, 2)),
        errors.HiddenTextError(here, cause="white", characters=5, excerpt="abc"),
        errors.ReadingTimeoutError(here, seconds="20"),
        NoUnitsError(name="a.docx"),
    ]
    write_session(Session(tuple(SessionDocument(here, error=error) for error in made)), path)
    read = [entry.error for entry in read_session(path).documents]
    assert [(type(e), str(e), e.values) for e in read] == [(type(e), str(e), e.values) for e in made]
