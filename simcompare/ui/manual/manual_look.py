"""Look of the manual's pages in Qt's rich text: style sheet, fonts, pictures as wide as the page, PDF."""

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)

from simcompare.ui.manual.manual_pages import PICTURE_CLASS, ManualPage, manual_path
from simcompare.ui.style.theme import FONT_FAMILIES, LATIN_FIRST_FAMILIES, LIGHT, Theme

_PICTURE_SUFFIX = ".png"
_FAMILIES = {"zh": FONT_FAMILIES, "en": LATIN_FIRST_FAMILIES}
_LINE_PERCENT = {"zh": 125, "en": 140}
"""Of the height that the font itself asks for; CJK fonts ask for a third more than Latin ones."""
_PDF_POINTS = 10.0
_PDF_MARGIN_INCHES = 2 / 2.54
_PDF_PICTURE_INCHES = 20 / 3
"""Width of pictures, nearly the 17 cm between the margins of A4."""
_PDF_PICTURE_DPI = 192
_NEW_PAGE = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore


def dress(document: QTextDocument, language: str, theme: Theme, points: float) -> None:
    """Set font and style sheet of a document, for HTML that is set afterwards."""
    font = QFont(list(_FAMILIES[language]))
    font.setPointSizeF(points)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_style_sheet(language, theme, points))


def is_picture(url: QUrl) -> bool:
    """Check whether a URL is one of a picture of the manual."""
    return url.path().endswith(_PICTURE_SUFFIX)


def picture(url: QUrl, width_px: int, pixel_ratio: float) -> QImage:
    """Load a picture of the manual, scaled down to a width in device-independent pixels.

    The image is empty if there is no such picture.
    """
    image = QImage(str(manual_path("pictures", url.fileName())))
    pixels = round(width_px * pixel_ratio)
    if image.width() > pixels > 0:
        image = image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(pixel_ratio)
    elif image.width() > width_px > 0:
        image.setDevicePixelRatio(image.width() / width_px)
    return image


def _style_sheet(language: str, theme: Theme, points: float) -> str:
    line = _LINE_PERCENT[language]
    return f"""
        p, li, h1, h2, h3, td, th {{ line-height: {line}%; }}
        p {{ margin-top: 0; margin-bottom: {points * 0.8:.0f}px; }}
        p.{PICTURE_CLASS} {{ line-height: 100%; }}
        li {{ margin-bottom: {points * 0.4:.0f}px; }}
        ul, ol {{ margin-top: 0; margin-bottom: {points * 0.8:.0f}px; }}
        h1 {{ font-size: {points * 1.75:.1f}pt; margin-top: 0; margin-bottom: {points * 1.2:.0f}px; }}
        h2 {{ font-size: {points * 1.3:.1f}pt; margin-top: {points * 2:.0f}px;
              margin-bottom: {points * 0.8:.0f}px; }}
        h3 {{ font-size: {points * 1.1:.1f}pt; margin-top: {points * 1.4:.0f}px;
              margin-bottom: {points * 0.6:.0f}px; }}
        h1, h2, h3, th {{ color: {theme.ink}; font-weight: 600; }}
        p, li, td {{ color: {theme.ink}; }}
        a {{ color: {theme.accent}; text-decoration: none; }}
        code {{ background-color: {theme.accent_tint}; }}
        table {{ border-collapse: collapse; border-color: {theme.line}; margin-bottom: {points:.0f}px; }}
        th {{ background-color: {theme.raised}; text-align: left; }}
        th, td {{ padding: 5px 9px; border: 1px solid {theme.line}; vertical-align: top; }}
        blockquote {{ color: {theme.muted}; }}
    """


class _PrintedPage(QTextDocument):
    """A page with its pictures in the width of the paper."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 - Qt's name
        del kind
        screen_dpi = _screen_dpi()
        width_px = round(_PDF_PICTURE_INCHES * screen_dpi)
        return picture(QUrl(name), width_px, _PDF_PICTURE_DPI / screen_dpi)


def pdf_of(page: ManualPage) -> bytes:
    """Return a page of the manual as PDF: A4 with page numbers, in the colours of the light theme."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(page.title)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))  # the document adds its own
    document = _PrintedPage()
    dress(document, page.language, LIGHT, _PDF_POINTS)
    document.setHtml(page.html)
    document.documentLayout().setPaintDevice(writer)
    frame = document.rootFrame().frameFormat()
    frame.setMargin(_margin(document) * _screen_dpi() / writer.logicalDpiY())
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    _keep_together(document)
    _draw_pages(document, writer)
    del writer  # writes the end of the file
    return bytes(buffer.data().data())


def _keep_together(document: QTextDocument) -> None:
    """Begin a new page with a table that two pages would share, and with a heading at the end of a page.

    Qt has no style for it, and `QTextDocument.print_` lays the document out again, with other page breaks.
    """
    block = document.begin()
    while block.isValid():
        table = QTextCursor(block).currentTable()
        following = block.next()
        if block.blockFormat().headingLevel() and following.isValid():
            _begin_page_if_cut(document, block, QTextCursor(following).currentTable() or following)
        elif table is not None:
            _begin_page_if_cut(document, table, table)
            block = table.lastCursorPosition().block()
        block = block.next()


def _begin_page_if_cut(
    document: QTextDocument, first: QTextBlock | QTextTable, last: QTextBlock | QTextTable
) -> None:
    """Begin a new page with `first` if the end of `last` is on another page, and both fit on one."""
    height, margin = document.pageSize().height(), _margin(document)
    top, bottom = _bounds(document, first).top(), _bounds(document, last).bottom()
    # Qt moves a line that would reach into the margin, but leaves the bounds of its block as they are
    is_cut = (top + margin) // height != (bottom + margin) // height
    if not is_cut or bottom - top > height - 2 * margin:
        return
    if isinstance(first, QTextTable):
        table_format = first.format()
        table_format.setPageBreakPolicy(_NEW_PAGE)
        first.setFormat(table_format)
    else:
        block_format = first.blockFormat()
        block_format.setPageBreakPolicy(_NEW_PAGE)
        QTextCursor(first).setBlockFormat(block_format)


def _bounds(document: QTextDocument, part: QTextBlock | QTextTable) -> QRectF:
    """Place of a table, or of the first line of a block."""
    layout = document.documentLayout()
    if isinstance(part, QTextTable):
        return layout.frameBoundingRect(part)
    bounds = layout.blockBoundingRect(part)
    if part.layout().lineCount():
        bounds.setHeight(part.layout().lineAt(0).rect().bottom())
    return bounds


def _margin(document: QTextDocument) -> float:
    """Return the margin of the pages in dots of the paper."""
    return _PDF_MARGIN_INCHES * document.documentLayout().paintDevice().logicalDpiY()


def _screen_dpi() -> float:
    """Return the dots per inch of lengths in a document: Qt scales them from the screen to the paper."""
    return QGuiApplication.primaryScreen().logicalDotsPerInchY()


def _draw_pages(document: QTextDocument, writer: QPdfWriter) -> None:
    page = QRectF(QPointF(0, 0), document.pageSize())
    margin = _margin(document)
    with QPainter(writer) as painter:
        painter.setFont(document.defaultFont())
        for number in range(1, document.pageCount() + 1):
            if number > 1:
                writer.newPage()
            painter.save()
            painter.translate(0, -page.height() * (number - 1))
            document.drawContents(painter, page.translated(0, page.height() * (number - 1)))
            painter.restore()
            foot = page.adjusted(margin, page.height() - margin, -margin, -margin / 2)
            painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
