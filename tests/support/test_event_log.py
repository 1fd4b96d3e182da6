"""Log of errors and warnings: classes and places in the code, never a message."""

import logging
import sys
import threading
import warnings

import pytest

from simcompare.support.event_log import MOST_EVENTS, EventLog

SECRET = "/home/wang/王芳 作文.docx"


def everything(log: EventLog) -> str:
    return "\n".join(f"{event.kind} {event.origin} {event.places}" for event in log.events)


def read(path: str) -> None:
    raise FileNotFoundError(2, "No such file", path)


def test_that_an_error_is_kept_with_its_cause_and_places_but_without_its_message() -> None:
    log = EventLog()
    try:
        try:
            read(SECRET)
        except OSError as error:
            raise ValueError(SECRET) from error
    except ValueError as error:
        log.add_error(error)
    assert [event.kind for event in log.events] == ["error", "cause"]
    assert [event.origin for event in log.events] == ["ValueError", "FileNotFoundError 2"]
    assert any(".read:" in place for place in log.events[1].places)
    assert "王芳" not in everything(log)
    assert "/" not in everything(log)


def test_that_only_the_latest_events_are_kept() -> None:
    log = EventLog()
    for number in range(MOST_EVENTS + 5):
        log.add("warning", str(number))
    assert len(log.events) == MOST_EVENTS
    assert log.events[-1].origin == str(MOST_EVENTS + 4)


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> EventLog:
    shown: list[object] = []
    for owner, name in ((sys, "excepthook"), (threading, "excepthook"), (warnings, "showwarning")):
        monkeypatch.setattr(owner, name, lambda *arguments: shown.append(arguments))
    handlers = list(logging.getLogger().handlers)
    monkeypatch.setattr(logging.getLogger(), "handlers", handlers)
    log = EventLog()
    log.listen()
    log.listen()
    return log


def test_that_unhandled_errors_of_all_threads_are_kept(listening: EventLog) -> None:
    try:
        read(SECRET)
    except OSError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=read, args=(SECRET,))
    thread.start()
    thread.join()
    assert [event.origin for event in listening.events] == ["FileNotFoundError 2"] * 2
    assert "王芳" not in everything(listening)


def test_that_warnings_and_logged_messages_are_kept_without_their_text(listening: EventLog) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        hook = warnings.showwarning
        hook(UserWarning(SECRET), UserWarning, SECRET, 1)
    logging.getLogger("reader").warning("cannot read %s", SECRET)
    logging.getLogger("reader").info("read %s", SECRET)
    assert [event.kind for event in listening.events] == ["warning", "warning"]
    assert listening.events[0].origin == "UserWarning"
    assert "王芳" not in everything(listening)
