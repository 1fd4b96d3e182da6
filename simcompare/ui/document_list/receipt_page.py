"""What was read of a file, as a page to be shown: what was kept, what was left out and why, what to check."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QLocale

from simcompare.document import Document
from simcompare.i18n import _, current_language
from simcompare.receipt import Dropped, Flag
from simcompare.report.phrases import quoted
from simcompare.report.receipts import (
    dropped_in_words,
    flag_in_words,
    origin_lines,
    places_in_words,
    receipt_in_words,
    technical_in_words,
)
from simcompare.ui.looks.theme import GRID_PX, Theme
from simcompare.visible import visible

_OPENING_CHARACTERS = 400
_Fact = tuple[str, str]


def receipt_page(document: Document, theme: Theme) -> str:
    """Return the receipt of a document as rich text in the language of the moment."""
    receipt = document.receipt
    doubts = [flag for flag in receipt.flags if flag.doubtful]
    notes = [flag for flag in receipt.flags if not flag.doubtful]
    return "".join(
        [
            _section(_("To be checked"), map(_flag_lines, doubts), theme, theme.caution),
            _section(_("Kept"), [(receipt_in_words(receipt), "")], theme),
            _facts(document, theme),
            _section(_("Left out"), map(_dropped_lines, receipt.dropped), theme),
            _section(_("Worth knowing"), map(_flag_lines, notes), theme),
            _section(_("How the text begins"), [("", opening(document.text))], theme),
        ]
    )


def reason_page(reason: str, tried: Sequence[str], theme: Theme) -> str:
    """Return why a file could not be read, and what was tried, as rich text."""
    why = f'<p style="margin:0; color:{theme.ink}">{_shown(reason)}</p>'
    return why + _section(_("What was tried"), [(words, "") for words in tried], theme)


def opening(text: str) -> str:
    """Return the first lines of a text."""
    if len(text) <= _OPENING_CHARACTERS:
        return text
    return text[:_OPENING_CHARACTERS].rstrip() + "…"


def _flag_lines(flag: Flag) -> _Fact:
    shown = [places_in_words(flag.places), quoted(flag.excerpt) if flag.excerpt else ""]
    return flag_in_words(replace(flag, places=(), excerpt="")), "\n".join(filter(None, shown))


def _dropped_lines(dropped: Dropped) -> _Fact:
    words = dropped_in_words(replace(dropped, excerpt=""))
    return words, quoted(dropped.excerpt) if dropped.excerpt else ""


def _section(title: str, entries: Iterable[_Fact], theme: Theme, colour: str = "") -> str:
    """Return a heading and its entries, each with a quieter line below; nothing without entries."""
    parts = [_entry(words, detail, theme) for words, detail in entries]
    if not parts:
        return ""
    style = f"margin:{4 * GRID_PX}px 0 {GRID_PX}px 0; font-weight:600; color:{colour or theme.muted}"
    return f'<p style="{style}">{escape(title)}</p>{"".join(parts)}'


def _entry(words: str, detail: str, theme: Theme) -> str:
    lines = [f'<p style="margin:0; color:{theme.ink}">{_shown(words)}</p>'] if words else []
    if detail:
        style = f"margin:0 0 {GRID_PX}px 0; color:{theme.ink if not words else theme.muted}"
        lines.append(f'<p style="{style}">{_shown(detail)}</p>')
    return "".join(lines)


def _facts(document: Document, theme: Theme) -> str:
    facts = [
        (_("Folder"), _folder(document)),
        (_("Title"), document.title),
        (_("Size"), _size(document)),
        *origin_lines(document.receipt.origin),
        ("SHA-256", document.sha256),
        (_("Technical"), technical_in_words(document.receipt)),
    ]
    rows = "".join(_fact_row(name, value, theme) for name, value in facts if value)
    return f'<table cellspacing="0" cellpadding="0" style="margin-top:{GRID_PX}px">{rows}</table>'


def _folder(document: Document) -> str:
    """Return where the file is; nothing of a pasted text, which is nowhere."""
    return visible(str(document.path.parent)) if document.path.is_absolute() else ""


def _fact_row(name: str, value: str, theme: Theme) -> str:
    quiet = f"color:{theme.muted}; padding-right:{3 * GRID_PX}px; white-space:pre"
    return (
        f'<tr><td style="{quiet}">{escape(name)}</td><td style="color:{theme.ink}">{_shown(value)}</td></tr>'
    )


def _size(document: Document) -> str:
    """Return how large the file is; nothing where it is gone."""
    try:
        size_bytes = document.path.stat().st_size
    except OSError:
        return ""
    return QLocale(current_language()).formattedDataSize(
        size_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat
    )


def _shown(text: str) -> str:
    return escape(visible(text)).replace("\n", "<br>")
