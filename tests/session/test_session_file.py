"""Sessions as files: what is saved is what is opened, and what nobody saved is refused in one sentence."""

import errno
import json
import os
import subprocess
import sys
import textwrap
import zipfile
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcompare import errors
from simcompare.document import Anchor, BlockKind, CharacterBoxes, Document, lay_out
from simcompare.errors import (
    DamagedFileError,
    DamagedSessionError,
    FileNotReadableError,
    FolderGivenError,
    NewerSessionError,
    NoUnitsError,
    PasswordNeededError,
    SessionNotSavedError,
    SimcompareError,
)
from simcompare.i18n import set_language
from simcompare.loading import load_document
from simcompare.loading.extraction import clean
from simcompare.loading.pasted import PastedText
from simcompare.passage_settings import PassageSettings, SummarySettings
from simcompare.receipt import Dropped, DropReason, ExtractionReceipt, Flag, FlagName, Place
from simcompare.resources import resource_path
from simcompare.session.reading import read_session
from simcompare.session.review import Decision, Judgement, MatchKey, PairReview, SentenceKey
from simcompare.session.values import Layout, Session, SessionDocument
from simcompare.session.writing import write_session
from simcompare.settings import PRESETS, ComparisonSettings
from tests.helpers.documents import make_document

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SAMPLES = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf")


def same_boxes(left: CharacterBoxes | None, right: CharacterBoxes | None) -> bool:
    if left is None or right is None:
        return left is right
    return np.array_equal(left.pages, right.pages) and np.array_equal(left.boxes, right.boxes, equal_nan=True)


def assert_same(left: Session, right: Session) -> None:
    """Compare all that equality looks at, and boxes and errors, at which it does not."""
    assert [replace(entry, error=None) for entry in left.documents] == [
        replace(entry, error=None) for entry in right.documents
    ]
    for one, other in zip(left.documents, right.documents, strict=True):
        assert (type(one.error), str(one.error)) == (type(other.error), str(other.error))
        if one.document is not None and other.document is not None:
            assert same_boxes(one.document.character_boxes, other.document.character_boxes)
    assert replace(left, documents=()) == replace(right, documents=())


@pytest.fixture(scope="module")
def session() -> Session:
    """A session of samples in which everything is in use."""
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
        Judgement(Decision.COPIED, "问过他了 \ud800"),
        {
            MatchKey(first, second): Judgement(Decision.FINE),
            MatchKey(second, first): Judgement(note="a quotation"),
        },
    )
    return Session(
        tuple(documents),
        left=2,
        right=0,
        settings=replace(PRESETS["sensitive"], minimum_units=8, prompt="prompt.docx"),
        prompt=make_document("写一座桥。", title="prompt"),
        reviews={(2, 0): review, (0, 1): PairReview(Judgement(note="..."))},
        layout=Layout((4, 7), "compare", {"texts": (300, 400, 300), "body": (0, 900)}),
        file=Path("work") / "class.simcompare",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "四班.simcompare"


def rewritten(path: Path, changed: dict[str, bytes | None]) -> Path:
    """Write the file again with other members; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | changed
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def opened_or_refused(path: Path) -> Session | None:
    """Open a file; an error must be one that a person can read, and name the file."""
    try:
        return read_session(path)
    except SimcompareError as error:
        if path.name not in str(error):
            raise
        return None


def member(path: Path, name: str) -> dict:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(name))


# --- what is saved is what is opened


def test_that_a_session_is_opened_as_it_was_saved(session, path):
    write_session(session, path)
    assert_same(read_session(path), session)
    assert read_session(path).documents[2].document.character_boxes is not None


def test_that_an_empty_session_is_one_too(path):
    write_session(Session(), path)
    assert_same(read_session(path), Session())


def test_that_the_same_session_gives_the_same_bytes_at_the_same_time(session, tmp_path):
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
    said = str(session.documents[3].error)
    set_language("zh")
    error = read_session(path).documents[3].error
    assert "broken.docx" in str(error)
    assert str(error) != said


def test_that_a_path_of_another_system_still_ends_with_the_name(path):
    entry = SessionDocument(Path("C:/Users/李/桥.docx"), error=NoUnitsError(name="桥.docx"))
    write_session(Session((entry,)), path)
    assert read_session(path).documents[0].path.name == "桥.docx"
    assert member(path, "documents/0001/facts.json")["path"] == "C:/Users/李/桥.docx"


def test_that_a_file_name_that_is_no_text_is_kept(path):
    entry = SessionDocument(Path(os.fsdecode(b"/home/\xff\xfe.txt")))
    write_session(Session((entry,)), path)
    assert read_session(path).documents == (entry,)


def test_that_an_error_of_an_unknown_kind_leaves_a_file_still_to_be_read(session, path):
    write_session(session, path)
    name = "documents/0004/facts.json"
    facts = member(path, name) | {"error": {"kind": "TooOldError", "values": {"year": 1999}}}
    read = read_session(rewritten(path, {name: json.dumps(facts).encode()}))
    assert read.documents[3].error is None
    assert read.documents[3].document is None


def test_that_settings_which_came_later_have_their_default(session, path):
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
_judgements = st.builds(Judgement, st.none() | st.sampled_from(Decision), st.text(max_size=30))
_reviews = st.builds(
    PairReview,
    _judgements,
    st.dictionaries(st.builds(MatchKey, _sentence_keys, _sentence_keys), _judgements, max_size=3),
)


def _settings_like(kind: type, **given: st.SearchStrategy) -> st.SearchStrategy:
    """Return values of a settings class, every field of a simple type drawn."""
    by_type = {bool: st.booleans(), int: st.integers(0, 999), float: st.floats(0, 99)}
    drawn = {f.name: by_type[type(f.default)] for f in fields(kind) if type(f.default) in by_type}
    return st.builds(kind, **(drawn | given))


_passages = _settings_like(PassageSettings, summary=st.none() | _settings_like(SummarySettings))
_comparison_settings = _settings_like(
    ComparisonSettings,
    similar_weight=st.floats(0.3, 0.6),
    right_weight=st.floats(0.61, 1),
    thesaurus=st.text(max_size=20),
    prompt=st.none() | st.text(max_size=20),
    passages=st.none() | _passages,
)


@st.composite
def _documents(draw):
    lines = draw(_lines)
    pieces = [
        (draw(st.sampled_from(BlockKind)), line, Anchor(number, draw(st.none() | _counts)))
        for number, line in enumerate(lines, 1)
    ]
    text, blocks = lay_out(pieces)
    boxes = None
    if draw(st.booleans()):
        pages = np.array(draw(st.lists(st.integers(0, 3), min_size=len(text), max_size=len(text))), np.int32)
        places = np.linspace(-7, 900, 4 * len(text), dtype=np.float32).reshape(-1, 4)
        places[pages == 0] = np.nan
        boxes = CharacterBoxes(pages, places)
    title, receipt = draw(st.text(max_size=20)), draw(_receipts)
    path, size_bytes = Path("folder") / draw(_names), draw(_counts)
    return Document(path, title, text, blocks, receipt, "0a" * 32, size_bytes, boxes)


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
                Layout,
                st.none() | st.tuples(_counts, _counts),
                st.text(max_size=9),
                st.dictionaries(st.text(max_size=9), st.lists(_counts).map(tuple), max_size=3),
            )
        ),
        draw(st.none() | _names.map(Path)),
    )


@given(_sessions())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_whatever_is_saved_is_opened_the_same(tmp_path, session):
    path = tmp_path / "any.simcompare"
    write_session(session, path)
    assert_same(read_session(path), session)


# --- what nobody saved


@given(st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_a_damaged_file_gives_one_clear_error_or_its_session(tmp_path, session, data):
    path = tmp_path / "damaged.simcompare"
    write_session(session, path, saved=NOON)
    sound = path.read_bytes()
    if data.draw(st.booleans()):
        damaged = bytearray(sound[: data.draw(st.integers(0, len(sound) - 1))])
    else:
        damaged = bytearray(sound)
        for place in data.draw(st.lists(st.integers(0, len(sound) - 1), min_size=1, max_size=6)):
            damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(damaged)
    read = opened_or_refused(path)
    assert read is None or len(read.documents) in {0, len(session.documents)}


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_any_value_in_any_place_gives_one_clear_error_or_a_session(tmp_path, session, data):
    path = tmp_path / "hostile.simcompare"
    write_session(session, path, saved=NOON)
    name = data.draw(
        st.sampled_from(["session.json", *(f"documents/{i:04}/facts.json" for i in (1, 3, 4, 6))])
    )
    facts = member(path, name)
    place: dict | list = facts
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        deeper = place[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.integers(0, 3)) == 0:
            place[key] = data.draw(_junk)
            break
        place = deeper
    rewritten(path, {name: json.dumps(facts).encode()})
    opened_or_refused(path)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("session.json", b"[" * 100_000),
        ("session.json", b'{"format": NaN}'),
        ("session.json", b'{"format": 1' + b"0" * 5000 + b"}"),
        ("session.json", b"\xff\xfe"),
        ("session.json", b"[]"),
        ("documents/0001/facts.json", None),
        ("documents/0001/text.txt", b"\xff"),
        ("documents/0001/text.txt", b"short"),
        ("documents/0001/text.txt", b""),
        ("documents/0003/boxes.bin", b"\0" * 19),
        ("prompt/facts.json", b"{}"),
        ("prompt/facts.json", None),
    ],
)
def test_that_a_broken_member_is_a_damaged_session(session, path, name, data):
    write_session(session, path)
    with pytest.raises(
        DamagedSessionError, match=r"四班\.simcompare cannot be opened as a session: .*broken"
    ):
        read_session(rewritten(path, {name: data}))


@pytest.mark.parametrize("content", [b"", b"an essay", b"PK\x03\x04", b"\0" * 1000])
def test_that_another_file_is_said_to_be_no_session(path, content):
    path.write_bytes(content)
    with pytest.raises(DamagedSessionError, match="not saved by simcompare"):
        read_session(path)


def test_that_a_word_document_is_said_to_be_no_session():
    with pytest.raises(DamagedSessionError, match="not saved by simcompare"):
        read_session(resource_path("samples", SAMPLES[0]))


def test_that_a_session_of_a_newer_program_is_said_to_be_one(session, path):
    write_session(session, path)
    main = member(path, "session.json") | {"format_version": 7}
    with pytest.raises(NewerSessionError, match=r"newer simcompare \(format 7; this one knows up to 1\)"):
        read_session(rewritten(path, {"session.json": json.dumps(main).encode()}))


def test_that_a_small_file_that_unpacks_to_much_is_refused_before_it_is_unpacked(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1, 8):
            archive.writestr(f"documents/{number:04}/text.txt", b" " * 19_000_000)
    with pytest.raises(DamagedSessionError, match="unpacks to more"):
        read_session(path)


def test_that_nothing_is_saved_that_would_be_refused_when_it_is_opened(path):
    blank = SessionDocument(Path("blank.txt"), document=make_document("啊" * 6_500_000))
    with pytest.raises(SessionNotSavedError, match="more in it than a session can hold"):
        write_session(Session((blank,) * 6), path)
    assert not path.exists()


def test_that_too_many_members_are_refused(path):
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(31_000):
            archive.writestr(str(number), b"")
    with pytest.raises(DamagedSessionError, match="unpacks to more"):
        read_session(path)


def test_that_a_locked_archive_is_refused(session, path):
    write_session(session, path)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02", 0, data.index(b"PK\x01\x02") + 4)
    data[at + 8] |= 1
    data[6] |= 1
    path.write_bytes(data)
    with pytest.raises(DamagedSessionError):
        read_session(path)


def test_that_what_is_no_file_is_told(tmp_path):
    with pytest.raises(FileNotReadableError, match="it is not there"):
        read_session(tmp_path / "gone.simcompare")
    with pytest.raises(FolderGivenError):
        read_session(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes among its files")
def test_that_a_pipe_is_not_waited_for(path):
    os.mkfifo(path)
    with pytest.raises(FileNotReadableError, match="a device or a pipe"):
        read_session(path)


# --- whole, or as it was


def test_that_no_password_is_written(session, path):
    assert not any("password" in field.name for field in fields(SessionDocument))
    write_session(session, path)
    with zipfile.ZipFile(path) as archive:
        assert not any(b'"password"' in archive.read(name) for name in archive.namelist())


def test_that_saving_leaves_one_file(session, path):
    write_session(Session(), path)
    write_session(session, path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_that_a_place_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SessionNotSavedError, match=r"a\.simcompare cannot be saved: its folder is not there"):
        write_session(Session(), tmp_path / "gone" / "a.simcompare")


def test_that_a_name_that_cannot_be_is_told(tmp_path):
    with pytest.raises(SessionNotSavedError, match="a sign that no name may hold"):
        write_session(Session(), Path(f"{tmp_path}/a\0.simcompare"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such limit")
def test_that_a_disk_that_is_full_leaves_the_earlier_file_whole(session, path):
    write_session(Session(left=None), path, saved=NOON)
    before = path.read_bytes()
    other = path.with_name("large.simcompare")
    write_session(session, other)
    # the system refuses the bytes beyond a limit as a full disk does
    script = f"""
        import resource, signal, sys
        from pathlib import Path
        from simcompare.errors import SessionNotSavedError
        from simcompare.session.reading import read_session
        from simcompare.session.writing import write_session
        session = read_session(Path({str(other)!r}))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        try:
            write_session(session, Path({str(path)!r}))
        except SessionNotSavedError as error:
            sys.exit("cannot be saved" not in str(error))
        sys.exit(2)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    assert done.returncode == 0
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == sorted([path.name, other.name])


def test_that_the_cause_of_a_full_disk_is_in_words(path, monkeypatch):
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SessionNotSavedError, match="the disk is full"):
        write_session(Session(), path)
    assert not list(path.parent.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_that_permissions_stay_and_a_private_file_is_the_owners_alone(path):
    write_session(Session(), path)
    path.chmod(0o640)
    write_session(Session(), path)
    assert path.stat().st_mode & 0o777 == 0o640
    write_session(Session(), path, private=True)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="links need permission there")
def test_that_the_file_a_link_leads_to_is_written(session, path):
    link = path.with_name("link.simcompare")
    write_session(Session(), path)
    link.symlink_to(path)
    write_session(session, link)
    assert link.is_symlink()
    assert_same(read_session(path), session)


def test_that_every_kind_of_error_comes_back(path):
    here = Path("folder") / "a.docx"
    made = [
        errors.NoTextError(here, pages=3),
        errors.RecognitionNeededError(here, pages=3, numbers=(1, 2)),
        errors.UnseenTextError(here, cause="white", characters=5, excerpt="abc"),
        errors.ReadingTimeoutError(here, seconds="20"),
        NoUnitsError(name="a.docx"),
    ]
    write_session(Session(tuple(SessionDocument(here, error=error) for error in made)), path)
    read = [entry.error for entry in read_session(path).documents]
    assert [(type(e), str(e), e.values) for e in read] == [(type(e), str(e), e.values) for e in made]
