"""Journal of decisions beside a recovery copy: appended, applied, cut off and damaged."""

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from simcompare.model.errors import SessionNotSavedError
from simcompare.session.decisions import NO_REVIEW, Decision, NotedDecision, PairReview
from simcompare.session.review_journal import (
    Shown,
    append_reviews,
    journal_of,
    start_journal,
    with_journal,
)
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session

COPIED = PairReview(NotedDecision(Decision.COPIED, "第三段 \ud800"))
FINE = PairReview(NotedDecision(Decision.FINE))


@pytest.fixture
def copy(session: Session, path: Path) -> Path:
    """A recovery copy with a journal that changes one pair twice, removes one and adds one."""
    write_session(session, path)
    start_journal(path)
    append_reviews(path, {(2, 0): FINE})
    append_reviews(path, {(2, 0): COPIED, (0, 1): NO_REVIEW})
    append_reviews(path, {(1, 2): FINE})
    return path


def test_that_the_latest_decisions_of_a_journal_replace_those_of_its_copy(copy: Path) -> None:
    session = read_session(copy)
    applied, is_complete = with_journal(session, copy)
    assert (applied.reviews, is_complete) == ({(2, 0): COPIED, (1, 2): FINE}, True)
    assert replace(applied, reviews=session.reviews) == session


def test_that_the_pair_and_page_shown_last_are_those_of_the_session(copy: Path) -> None:
    append_reviews(copy, {}, Shown(2, 1, "pairs"))
    append_reviews(copy, {(0, 1): FINE}, Shown(1, 0, "compare"))
    applied, is_complete = with_journal(read_session(copy), copy)
    assert (applied.left, applied.right, applied.layout.page, is_complete) == (1, 0, "compare", True)
    assert len(applied.reviews) == 3
    append_reviews(copy, {}, Shown(99, 0, "compare"))
    assert not with_journal(read_session(copy), copy)[1]


def test_that_the_journal_of_an_earlier_copy_and_a_missing_one_change_nothing(
    session: Session, copy: Path
) -> None:
    later = replace(session, reviews={(0, 1): COPIED})
    write_session(later, copy)
    assert with_journal(later, copy) == (later, True)
    journal_of(copy).unlink()
    assert with_journal(later, copy) == (later, True)


def test_that_a_decision_is_on_the_disk_when_it_is_appended(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_ino))
    append_reviews(copy, {(0, 1): FINE})
    assert synced == [journal_of(copy).stat().st_ino]


def test_that_a_journal_cut_off_anywhere_loses_no_complete_line(session: Session, copy: Path) -> None:
    journal = journal_of(copy)
    whole = journal.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    states = [session.reviews]
    for end in ends[1:]:
        journal.write_bytes(whole[:end])
        states.append(with_journal(session, copy)[0].reviews)
    for length in range(ends[0], len(whole)):
        journal.write_bytes(whole[:length])
        applied, is_complete = with_journal(session, copy)
        assert is_complete == (length in ends)
        assert applied.reviews == states[sum(end <= length for end in ends) - 1]


def test_that_a_damaged_journal_never_raises_and_its_undamaged_beginning_is_applied(
    session: Session, copy: Path
) -> None:
    journal, random = journal_of(copy), Random(5)
    whole = journal.read_bytes()
    for _turn in range(300):
        place = random.randrange(len(whole))
        byte = bytes([whole[place] ^ 1 << random.randrange(8)])
        journal.write_bytes(whole[:place] + byte + whole[place + 1 :])
        applied, is_complete = with_journal(session, copy)
        assert not is_complete
        lines_before = whole[:place].count(b"\n")
        assert (applied.reviews == session.reviews) == (lines_before <= 1)
    journal.write_bytes(b"")
    assert with_journal(session, copy) == (session, False)


@pytest.mark.parametrize("pair", [(0, 2), (0, 0), (0, 99)])
def test_that_a_pair_which_the_copy_cannot_have_counts_as_damage(
    session: Session, copy: Path, pair: tuple[int, int]
) -> None:
    append_reviews(copy, {pair: FINE, (3, 4): FINE})
    applied, is_complete = with_journal(session, copy)
    assert (applied.reviews, is_complete) == ({(2, 0): COPIED, (1, 2): FINE}, False)


def test_that_a_journal_that_cannot_be_written_is_reported(copy: Path) -> None:
    journal_of(copy).unlink()
    with pytest.raises(SessionNotSavedError):
        append_reviews(copy, {(0, 1): FINE})
    assert not journal_of(copy).exists()
