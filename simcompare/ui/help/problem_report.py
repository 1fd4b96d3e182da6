"""Report of a problem as a text: versions, settings, counts and the latest errors.

It holds no text, title, name, file name or path of a document, student, session or library: only numbers and
words of the program. tests/gui/test_problem_report.py proves it for a session with known ones.
"""

import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import PySide6
from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from simcompare import __version__
from simcompare.fingerprint.recipes import RECIPES
from simcompare.loading.sniffing import FORMAT_NAMES
from simcompare.support.event_log import EVENTS, Event
from simcompare.support.i18n import current_language
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.workspace import Workspace

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
    yield "text size", f"{preferences.text_percent} %"
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
    yield "students", len(state.students)
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
