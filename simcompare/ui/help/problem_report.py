"""Report of a problem as a text, and the dialog that shows it and writes it to a file.

It has versions, settings, counts and the latest errors, and no text, title, name, file name or path of a
document, student, session or library: only numbers and words of the program. tests/gui/test_problem_report.py
proves it for a session with known ones.
"""

import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import PySide6
from PySide6.QtCore import QLocale, Qt, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from simcompare import PROJECT_PAGE, __version__
from simcompare.fingerprint.simhash import RECIPES
from simcompare.loading.sniffing import FORMAT_NAMES
from simcompare.support.event_log import EVENTS, Event
from simcompare.support.i18n import _, current_language
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.ui.file_dialogs import ask_where_to_write, saved_in_words
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import FocusFrame, column_of, default_button, other_button, row_of
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX

_LIBRARIES = ("numpy", "rapidfuzz", "rjieba", "lxml", "pypdfium2", "pikepdf", "python-docx", "SQLAlchemy")
_KNOWN_WORDS = frozenset({STARTER, CILIN, NONE, *RECIPES})
_FORMATS = frozenset({"docx", "pdf", "html", "text", *FORMAT_NAMES})
Facts = Iterable[tuple[str, object]]


def problem_report(workspace: Workspace, preferences: Preferences, window: QWidget) -> str:
    """Write the whole report, in English for those who read it."""
    sections: Mapping[str, Facts] = {
        "Program": _program(),
        "Screens": _screens(window),
        "Preferences": _preferences(preferences),
        "Settings of the comparison": _settings("", workspace.settings),
        "Documents": _documents(list(workspace.documents.entries.values())),
        "Class and comparison": _class(workspace),
        "Time": _times(workspace),
        "Latest errors and warnings": _events(EVENTS.events),
    }
    blocks = ["simcompare: report of a problem"]
    for title, facts in sections.items():
        lines = [f"{name}: {value}".rstrip(": ") for name, value in facts]
        blocks.append("\n".join([title, "-" * len(title), *(lines or ["none"])]))
    return "\n\n".join(blocks) + "\n"


def _program() -> Facts:
    yield "simcompare", f"{__version__}{' (bundle)' if getattr(sys, 'frozen', False) else ''}"
    yield "Python", f"{platform.python_version()}, {platform.python_implementation()}"
    yield "Qt", f"{qVersion()}, PySide6 {PySide6.__version__}"
    yield "system", platform.platform()
    yield "processor", f"{platform.machine()}, {os.cpu_count()} cores"
    yield "display", QGuiApplication.platformName()
    yield "language", f"{current_language()}, system {QLocale.system().name()}"
    yield "libraries", ", ".join(f"{name} {_version_of(name)}" for name in _LIBRARIES)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a bundle may leave out the metadata of packages
        return "?"


def _screens(window: QWidget) -> Facts:
    for number, screen in enumerate(QGuiApplication.screens(), 1):
        size, free = screen.size(), screen.availableSize()
        is_own = " (window)" if screen is window.screen() else ""
        yield (
            f"screen {number}{is_own}",
            f"{size.width()} x {size.height()}, free {free.width()} x {free.height()}, "
            f"scale {screen.devicePixelRatio():g}, {screen.logicalDotsPerInch():.0f} dpi",
        )
    yield "window", f"{window.width()} x {window.height()}"
    yield "font", f"{QApplication.font().pointSizeF():g} pt"


def _preferences(preferences: Preferences) -> Facts:
    yield "theme", preferences.theme
    yield "text size", f"{preferences.text_percent}%"
    yield "heatmap", {True: "shown", False: "folded", None: "automatic"}[preferences.shows_heatmap]
    yield "reasons", "shown" if preferences.shows_reasons else "folded"
    yield "hints", "shown" if preferences.shows_hints else "hidden"
    yield "further columns", len(preferences.pair_columns)
    yield "last sessions", len(preferences.recent_files)
    yield "library", "file" if isinstance(preferences.library_place, Path) else "server"


def _settings(prefix: str, settings: object) -> Iterator[tuple[str, object]]:
    """Numbers, switches and words of the program; of all else only how much there is."""
    assert is_dataclass(settings), "settings consist of data classes"
    for part in fields(settings):
        value, name = getattr(settings, part.name), f"{prefix}{part.name}"
        if is_dataclass(value):
            yield from _settings(f"{name}.", value)
        elif value is None or isinstance(value, (bool, int, float)):
            yield name, value
        elif isinstance(value, str):
            yield name, value if value in _KNOWN_WORDS else "a file"
        else:
            yield name, f"{len(value)} entries"


def _documents(entries: list[DocumentEntry]) -> Facts:
    yield "documents", len(entries)
    yield "read", sum(entry.document is not None for entry in entries)
    yield "pasted", sum(entry.pasted is not None for entry in entries)
    yield "being read", sum(entry.pending_options is not None for entry in entries)
    formats: dict[str, list[DocumentEntry]] = {}
    for entry in entries:
        if entry.document is not None:
            name = entry.document.receipt.format
            formats.setdefault(name if name in _FORMATS else "other", []).append(entry)
    for name, read in sorted(formats.items()):
        documents = [entry.document for entry in read if entry.document is not None]
        sizes = _spread(document.size_bytes for document in documents)
        texts = _spread(len(document.text) for document in documents)
        yield f"format {name}", f"{len(read)} files; bytes {sizes}; characters {texts}"
    errors = Counter(type(entry.error).__name__ for entry in entries if entry.error is not None)
    yield from ((f"not read, {name}", count) for name, count in sorted(errors.items()))
    flags = Counter(flag.name for e in entries if e.document for flag in e.document.receipt.flags)
    yield from ((f"flag {name}", count) for name, count in sorted(flags.items()))


def _spread(values: Iterable[int]) -> str:
    listed = sorted(values)
    return f"{listed[0]:,} / {median(listed):,.0f} / {listed[-1]:,} (least, median, most)"


def _class(workspace: Workspace) -> Facts:
    state, comparison = workspace.class_state, workspace.comparison
    yield "students", len(state.school.students)
    yield "class lists", len(state.rosters)
    yield "pairs", len(workspace.pairs.table)
    yield "limit", f"{state.limit:.4f}"
    yield "pairs decided", len(workspace.review.pairs())
    if comparison is not None:
        sides = (comparison.left.prepared, comparison.right.prepared)
        yield "sentences compared", " x ".join(f"{side.sentence_count:,}" for side in sides)
        yield "matches", len(comparison.matches)
        yield "passages", len(workspace.passages or ())


def _times(workspace: Workspace) -> Facts:
    yield "running", f"{EVENTS.seconds:.0f} s"
    entries = workspace.documents.entries.values()
    seconds = [entry.reading_seconds for entry in entries if entry.reading_seconds is not None]
    if seconds:
        yield "reading", f"{sum(seconds):.1f} s in total, {max(seconds):.1f} s the longest"
    comparing, pairs = workspace.pairs.time_spent
    yield "comparing a class", f"{comparing:.1f} s for {pairs:,} pairs"


def _events(events: Iterable[Event]) -> Facts:
    for event in events:
        yield f"{event.seconds:.0f} s", f"{event.kind}: {event.origin}"
        yield from ((f"    {place}", "") for place in event.places)


_SIZE_PX = (680, 560)


class ProblemDialog(Dialog):
    """Shows all that the file will contain before it is written. Nothing is sent."""

    def __init__(self, workspace: Workspace, preferences: Preferences, window: QWidget) -> None:
        super().__init__(_("Report a problem"), window)
        self.resize(*_SIZE_PX)
        self.explanation = WrappedLabel(
            _(
                "Save this report and send it {recipient}, with a few words about what happened. simcompare "
                "sends nothing itself. The file contains exactly what you see here, and nothing of your "
                "documents: no texts, names, file names or folders."
            ).format(recipient=_recipient())
        )
        self.explanation.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = QPlainTextEdit(problem_report(workspace, preferences, window))
        self.text.document().setDocumentMargin(2 * GRID_PX)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        FocusFrame(self.text)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(_("Content of the report"))
        self.message = MutedLabel()
        self.save_button = default_button(_("Save the report…"), self.ask_where_to_save)
        self.close_button = other_button(_("Close"), self.reject)
        buttons = row_of(None, (self.message, 1), self.close_button, self.save_button, spacing_px=2 * GRID_PX)
        parts = (self.explanation, (self.text, 1), buttons)
        column_of(self, *parts, spacing_px=3 * GRID_PX, margins_px=5 * GRID_PX)
        self.save_button.setFocus()

    def ask_where_to_save(self) -> None:
        name = f"simcompare-problem-{datetime.now():%Y-%m-%d-%H%M}.txt"
        ask_where_to_write(self, _("Save the report"), name, self.save)

    def save(self, path: Path) -> None:
        self.message.setText(saved_in_words(path, self.text.toPlainText().encode()))


def _recipient() -> str:
    if PROJECT_PAGE:
        return _("by the page of the project, {page}").format(page=PROJECT_PAGE)
    return _("to the person who gave you simcompare")
