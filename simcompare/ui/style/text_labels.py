"""Labels that shorten or wrap their text, shortened names, tool tips, and what screen readers say."""

import html
import math
import re
import unicodedata
from pathlib import PurePath

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from simcompare.ui.style.theme import has_narrow_marks, use_quotes, with_wide_marks


def announce(widget: QWidget, words: str) -> None:
    """Let a screen reader say something about a widget."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


_UNWRAPPED_COLUMNS = 60
"""Longest line of a tooltip that is not wrapped, in Latin letters; a Chinese character takes two."""


def as_tooltip(text: str) -> str:
    """Return a text as rich text, since plain tooltips are not wrapped; markup in it is escaped.

    Short lines are not wrapped, which Qt would do inside a name or before a percent sign.
    """
    if not text:
        return ""
    most = _UNWRAPPED_COLUMNS
    is_short = all(len(line) <= most and _columns(line) <= most for line in text.splitlines())
    return f'<p style="white-space:{"pre" if is_short else "pre-wrap"}">{html.escape(text)}</p>'


def _columns(line: str) -> int:
    return len(line) + sum(unicodedata.east_asian_width(character) in "WF" for character in line)


_ELLIPSIS = "…"
_FEWEST_LETTERS = 4
_NUMBER = re.compile(r"\d{4,}")
_GIVEN = r"(?:[A-ZÀ-Þ][^\W\d_]*[.’'-]?[^\W\d_]*|van|von|de[rn]?|di|da|la|le|bin|al) "
_PERSON = re.compile(rf"(?:{_GIVEN})+[^\W\d_]+[’'-]?[^\W\d_]+")
"""A student such as Emma Clarke, given names first: no file."""
_DETAILED = re.compile(r"(.+?) ?[（(][^（）()]+·.+[）)]")
"""A student with year and class, such as 张三（2026 · 高一5班）: no file."""
_APOSTROPHE = re.compile("[A-Za-z]’[A-Za-z]")
_WIDE_MARKS = re.compile("([，（）]+)")
"""Marks that the feature for narrow quotation marks makes narrow, too."""


def name_font(font: QFont, name: str) -> QFont:
    """Return the font for a name: with a narrow apostrophe in O’Neill, in a Chinese window, too."""
    font = QFont(font)
    if _APOSTROPHE.search(name):
        use_quotes(font, latin=True)
    return font


def draw_name(painter: QPainter, rect: QRect | QRectF, flags: int, name: str) -> None:
    before = painter.font()
    font, runs = name_font(before, name), _WIDE_MARKS.split(name)
    if len(runs) == 1 or "\n" in name or not has_narrow_marks(font):
        painter.setFont(font)
        painter.drawText(rect, flags, name)
    else:
        fonts = font, with_wide_marks(font)
        _draw_runs(painter, QRectF(rect), Qt.AlignmentFlag(flags), runs, fonts)
    painter.setFont(before)


def _draw_runs(
    painter: QPainter, rect: QRectF, flags: Qt.AlignmentFlag, runs: list[str], fonts: tuple[QFont, QFont]
) -> None:
    """Draw the runs of a line, alternating between two fonts."""
    widths = [QFontMetricsF(fonts[place % 2]).horizontalAdvance(run) for place, run in enumerate(runs)]
    free = rect.width() - sum(widths)
    is_centred, is_at_right = flags & Qt.AlignmentFlag.AlignHCenter, flags & Qt.AlignmentFlag.AlignRight
    rect.translate(free / 2 if is_centred else free if is_at_right else 0, 0)
    own = (flags & Qt.AlignmentFlag.AlignVertical_Mask).value | Qt.TextFlag.TextDontClip.value
    for place, (run, width) in enumerate(zip(runs, widths, strict=True)):
        painter.setFont(fonts[place % 2])
        painter.drawText(rect, own, run)
        rect.translate(width, 0)


def cell_font(text: str) -> QFont | None:
    """Return what the font of a text with such marks in a table differs in."""
    return with_wide_marks(QFont()) if _WIDE_MARKS.search(text) else None


def extra_px(font: QFont, text: str) -> int:
    """Return how much wider `draw_name` draws a text than it is measured by its font."""
    marks = "".join(_WIDE_MARKS.findall(text))
    if not marks or not has_narrow_marks(font):
        return 0
    widths = (QFontMetricsF(each).horizontalAdvance(marks) for each in (with_wide_marks(font), font))
    return math.ceil(next(widths) - next(widths))


def surname(name: str) -> str:
    """Return "Clarke" for a student such as Emma Clarke, or all of another name."""
    return name.rpartition(" ")[2] if _PERSON.fullmatch(name) else name


def _with_initials(name: str) -> str:
    if not _PERSON.fullmatch(name):
        return name
    *given, last = name.split(" ")
    return " ".join([*(f"{each[0]}." if each[0].isupper() else each for each in given), last])


def whole_name(name: str) -> str:
    return name


PERSON_FORMS = (whole_name, _with_initials, surname)
"""Forms of a name for less and less space; those of files stay whole."""


def elided_name(metrics: QFontMetrics, name: str, width_px: int, shared: tuple[int, int] = (0, 0)) -> str:
    """Shorten a name of a file, or of a student with year and class, to a width.

    Of a person the given names are shortened, then left out, so that the surname stays whole. Otherwise the
    least distinctive parts are shortened first: the suffix, then the beginning and end of the stem
    shared with most names (`shared`: numbers of characters), then a long number in the rest. If that is not
    enough, the words of the rest are shown, cut once: in their middle, or at the end if few letters fit.
    """
    if metrics.horizontalAdvance(name) <= width_px:
        return name
    if (short := surname(name)) != name:
        forms = (form(name) for form in PERSON_FORMS)
        fitting = (each for each in forms if metrics.horizontalAdvance(each) <= width_px)
        return next(fitting, "") or metrics.elidedText(short, Qt.TextElideMode.ElideRight, width_px)
    if detailed := _DETAILED.fullmatch(name):
        has_space = metrics.horizontalAdvance(detailed[1] + _ELLIPSIS) <= width_px
        cut = metrics.elidedText(name, Qt.TextElideMode.ElideRight, width_px)
        return cut if has_space else elided_name(metrics, detailed[1], width_px)
    stem = name.removesuffix(PurePath(name).suffix)
    first, last = shared[0], len(stem) - shared[1]
    start, own, end = stem[:first], stem[first:last], stem[last:]
    own_px = metrics.horizontalAdvance(own)
    end = _elided_end(metrics, end, width_px - own_px - metrics.horizontalAdvance(start))
    start = _elided_end(metrics, start, width_px - own_px - metrics.horizontalAdvance(end))
    own_width_px = width_px - metrics.horizontalAdvance(start + end)
    shown = _own_part(metrics, own, own_width_px)
    if shown is None:
        words = _NUMBER.sub("", own).strip(" -_") or own
        cut = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, width_px)
        # "2…术" names nobody
        is_short = len(cut) <= _FEWEST_LETTERS
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, width_px) if is_short else cut
    kept = re.sub(f"{_ELLIPSIS}+", _ELLIPSIS, start + shown + end)
    has_space = metrics.horizontalAdvance(kept + _ELLIPSIS) <= width_px  # for a sign that the suffix is cut
    return kept if not has_space or kept.endswith((_ELLIPSIS, name)) else kept + _ELLIPSIS


def _elided_end(metrics: QFontMetrics, text: str, width_px: int) -> str:
    """Elide the end of a text; at least an ellipsis, unless the text is empty."""
    elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(width_px, 0))
    return elided or (_ELLIPSIS if text else "")


def _own_part(metrics: QFontMetrics, own: str, width_px: int) -> str | None:
    """Shorten the longest number from the left; None if that is not enough."""
    if metrics.horizontalAdvance(own) <= width_px:
        return own
    number = max(_NUMBER.finditer(own), key=lambda found: len(found[0]), default=None)
    if number is not None:
        before, after = own[: number.start()], own[number.end() :]
        for left in range(1, len(number[0]) + 1):
            own = before + _ELLIPSIS + number[0][left:] + after
            if metrics.horizontalAdvance(own) <= width_px:
                return own
    return None


class ElidedLabel(QLabel):
    """Label that shortens its text to its width; a tool tip then has all of it, if there is no other one."""

    cut = Qt.TextElideMode.ElideMiddle
    """Position of the ellipsis."""

    def minimumSizeHint(self) -> QSize:
        few = f"{self.text()[:_FEWEST_LETTERS]}{_ELLIPSIS}"
        few_px = self.fontMetrics().horizontalAdvance(few) + 1  # a text of exactly its width is elided
        return QSize(min(few_px, super().sizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_name(QPainter(self), self.rect(), int(self.alignment()), self._shortened())

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(extra_px(self.font(), self.text()), 0)

    @property
    def is_shortened(self) -> bool:
        return self._shortened().replace("\n", "") != self.text().replace("\n", "")

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.is_shortened and not self.toolTip():
            QToolTip.showText(event.globalPos(), as_tooltip(self.text()), self)
            return True
        return super().event(event)

    def _shortened(self) -> str:
        width_px = self.width() - extra_px(self.font(), self.text())
        return self.fontMetrics().elidedText(self.text(), self.cut, width_px)


class TwoLineLabel(ElidedLabel):
    """Label that wraps its text into two lines, and shortens the second one to its width."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 2 * self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def _shortened(self) -> str:
        layout = QTextLayout(self.text(), self.font(), self)
        layout.beginLayout()
        first = layout.createLine()
        if not first.isValid():
            return ""
        first.setLineWidth(self.width())
        layout.endLayout()
        units = self.text().encode("utf-16-le")  # Qt counts UTF-16 code units
        end = 2 * first.textLength()
        rest = units[end:].decode("utf-16-le")
        if not rest:
            return self.text()
        shortened = self.fontMetrics().elidedText(rest, self.cut, self.width())
        return f"{units[:end].decode('utf-16-le')}\n{shortened}"


class ElidedName(ElidedLabel):
    _shared = (0, 0)

    def show_name(self, name: str, shared: tuple[int, int]) -> None:
        """Show a name; `shared`: numbers of characters that most names share at beginning and end."""
        self._shared = shared
        self.setText(name)
        self.update()

    def _shortened(self) -> str:
        width_px = self.width() - extra_px(self.font(), self.text())
        return elided_name(self.fontMetrics(), self.text(), width_px, self._shared)


def fit_height(label: QLabel, width_px: int) -> None:
    """Give a wrapped label of a fixed width the height of its text, which layouts do not compute."""
    label.setMinimumHeight(0)  # or a shorter text would keep the height of the one before
    label.setFixedHeight(label.heightForWidth(width_px))


class WrappedLabel(QLabel):
    """Label for plain text of any length. name: of the object, by which the style sheet finds it."""

    def __init__(self, text: str = "", name: str = "") -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)


class MutedLabel(WrappedLabel):
    def __init__(self, text: str = "") -> None:
        super().__init__(text, "muted")
