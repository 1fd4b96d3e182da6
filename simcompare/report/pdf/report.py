"""What stands in the PDF of a comparison, and where."""

from contextlib import suppress

from simcompare import __version__
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import PageView, page_view
from simcompare.report.pdf.binding import Binder, FileTitle
from simcompare.report.pdf.canvas import Canvas
from simcompare.report.pdf.figures import HEAT_PICTURE, add_png
from simcompare.report.pdf.file import PdfFile, dictionary, reference
from simcompare.report.pdf.flow import (
    BOTTOM_PT,
    CONTENT_WIDTH_PT,
    MARGIN_PT,
    SMALL,
    SMALL_LEADING_PT,
    Flow,
    Sheet,
)
from simcompare.report.pdf.fonts import FontBook, ensure_fonts
from simcompare.report.pdf.runs import Measure, run
from simcompare.report.pdf.sections import put_sections
from simcompare.report.pdf.typesetting import TextLine, Typesetter
from simcompare.report.wording import named
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _, current_language

_LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}
_FOOT_BELOW_PT = 18
_NUMBER_ROOM_PT = 110


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a comparison, in the language of the moment.

    The same evidence gives the same bytes, and a date of `made_at` the same pages but for that date. May be
    called from any thread; where no application of Qt is, it makes one that shows nothing.
    """
    return _render(evidence, is_whole=True)


def render_first_page(evidence: Evidence) -> bytes:
    """Return a PDF of the first page alone, whose foot does not say how many there are.

    Takes a fraction of a second, as hundreds of pages do not.
    """
    return _render(evidence, is_whole=False)


class _FirstPageFull(Exception):  # noqa: N818 - nothing went wrong
    """The first page is drawn, and no other is wanted."""


def _render(evidence: Evidence, *, is_whole: bool) -> bytes:
    ensure_fonts()
    page, file, book = page_view(evidence), PdfFile(), FontBook()
    setter = Typesetter(book)
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    binder = Binder(file, _Foot(setter, names, is_whole=is_whole).draw)
    flow = Flow(binder.take if is_whole else lambda canvas: _take_alone(binder, canvas))
    sheet = Sheet(flow, setter)
    with suppress(_FirstPageFull):
        put_sections(sheet, evidence, page)
        flow.end()
    title = FileTitle(
        named(_("Comparison of two texts"), names),
        f"simcompare {__version__}",
        _LANGUAGE_TAGS[current_language()],
        evidence.made_at,
    )
    bookmarks = [mark for mark in sheet.bookmarks if is_whole or mark.page == 1]
    return binder.bind(lambda: _resources(file, book, page), bookmarks, title)


def _take_alone(binder: Binder, canvas: Canvas) -> None:
    binder.take(canvas)
    raise _FirstPageFull


def _resources(file: PdfFile, book: FontBook, page: PageView) -> dict[str, bytes]:
    picture = add_png(file, page.heat.light)
    return {
        "Font": dictionary(book.write(file)),
        "XObject": dictionary({HEAT_PICTURE: reference(picture)}),
    }


class _Foot:
    """Names the files, cut where they need more than a line, and says which page this is."""

    def __init__(self, setter: Typesetter, names: str, *, is_whole: bool) -> None:
        self._setter = setter
        self._words = _("Page {number} of {count}") if is_whole else _("Page {number}")
        self._names = self._line(names, CONTENT_WIDTH_PT - _NUMBER_ROOM_PT)

    def draw(self, canvas: Canvas, number: int, count: int) -> None:
        """Draw the foot of page n of N."""
        words = self._words.format(number=f"{number:,}", count=f"{count:,}")
        right = self._line(words, _NUMBER_ROOM_PT)
        y = BOTTOM_PT + _FOOT_BELOW_PT
        self._names.draw(canvas, MARGIN_PT, y)
        right.draw(canvas, MARGIN_PT + CONTENT_WIDTH_PT - right.width_pt, y)

    def _line(self, text: str, width_pt: float) -> TextLine:
        return self._setter.lines(
            [run(text, SMALL)], Measure(width_pt, SMALL_LEADING_PT, current_language())
        )[0]
