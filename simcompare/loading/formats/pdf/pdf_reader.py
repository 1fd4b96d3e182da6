"""PDF: pdfium first, pdfminer.six where pdfium cannot read a file or a page."""

from collections.abc import Sequence
from statistics import median

import pypdfium2

from simcompare.loading.extraction import Extraction, ReadingOptions, Source
from simcompare.loading.formats.ocr.ocr_pages import (
    RecognisedPage,
    no_text,
    recognised_among,
    recognised_flags,
)
from simcompare.loading.formats.pdf.paragraph_pieces import pieces_of
from simcompare.loading.formats.pdf.pdf_lines import Page
from simcompare.loading.formats.pdf.pdf_opening import (
    error_of,
    opened_by_miner,
    opened_by_pdfium,
    origin_by_miner,
    origin_by_pdfium,
    unknown_compression,
)
from simcompare.loading.formats.pdf.pdfium_pages import has_text_objects, pdfium_pages
from simcompare.loading.formats.pdf.pdfminer_pages import MOST_CHARACTERS, miner_pages
from simcompare.loading.left_out_text import LeftOut, nothing_to_compare
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import Flag, FlagName, Origin, Place
from simcompare.support.i18n import N_

# A page with more unreadable characters than this is garbled.
_MOST_UNREADABLE = 0.05
# The second reader's page is taken where it has at least this share of the first one's characters.
_LEAST_SHARE = 0.8


def read_pdf(source: Source, options: ReadingOptions) -> Extraction:
    """Read all pages, leave out what their margins repeat, and put paragraphs together."""
    pages, reader, origin = _pages(source, options)
    left_out = LeftOut()
    for page in pages:
        for reason, text in page.taken:
            left_out.add(reason, text, Place(page.number))
    recognised = _recognised(source, pages, options)
    pages = [recognised[page.number].page if page.number in recognised else page for page in pages]
    if not any(page.lines for page in pages):
        if recognised or left_out.characters:
            raise nothing_to_compare(source.path, left_out.flags(), left_out.dropped())
        raise no_text(source.path, len(pages))
    pieces, title = pieces_of(pages, left_out)
    return Extraction(
        f"{reader}, RapidOCR" if recognised else reader,
        pieces,
        title,
        pages=len(pages),
        dropped=left_out.dropped(),
        flags=[*_flags(pages), *recognised_flags(recognised.values()), *left_out.flags()],
        origin=origin,
    )


def _recognised(source: Source, pages: Sequence[Page], options: ReadingOptions) -> dict[int, RecognisedPage]:
    """Return what text recognition gives of pages of pictures, and of garbled ones where it is sure."""
    garbled = {page.number for page in pages if page.unreadable > _MOST_UNREADABLE}
    unread = garbled | {page.number for page in pages if page.pictured}
    if not any(page.lines for page in pages):
        if any(page.taken for page in pages):
            return {}
        if error := unknown_compression(source):
            raise error
        unread = {page.number for page in pages}
    found = recognised_among(source.path, unread, options.recognised)
    return {number: one for number, one in found.items() if number not in garbled or one.is_sure}


def _pages(source: Source, options: ReadingOptions) -> tuple[list[Page], str, Origin]:
    """Return the pages, what read them, and what the file says of who made it."""
    document = opened_by_pdfium(source, options)
    if document is None:
        pages, origin = _by_miner_alone(source, options)
        return pages, "pdfminer.six", origin
    try:
        origin = origin_by_pdfium(document)
        pages = list(pdfium_pages(document))
        readable = [page for page in pages if page.characters <= MOST_CHARACTERS]
        doubtful = {page.number for page in readable if _is_doubtful(page, document)}
        vertical = {page.number for page in readable if _is_vertical(page)}
    finally:
        document.close()
    better = _better(source, options, pages, doubtful - vertical)
    better |= _better(source, options, pages, vertical, vertical=True)
    reader = "pypdfium2, pdfminer.six" if better else "pypdfium2"
    return [better.get(page.number, page) for page in pages], reader, origin


def _by_miner_alone(source: Source, options: ReadingOptions) -> tuple[list[Page], Origin]:
    try:
        document = opened_by_miner(source, options)
        pages, origin = list(miner_pages(document)), origin_by_miner(document)
    except MemoryError:
        raise
    except Exception as error:
        raise error_of(source, options, error) from error
    if not pages:
        raise DamagedFileError(source.path, cause=N_("it has no pages"))
    return pages, origin


def _is_doubtful(page: Page, document: pypdfium2.PdfDocument) -> bool:
    """Whether the second reader, which does not know what is seen, may read a page better."""
    if page.taken:
        return False
    return page.unreadable > _MOST_UNREADABLE or (not page.lines and has_text_objects(document, page.number))


def _is_vertical(page: Page) -> bool:
    """Whether nearly every line is one character: columns read from top to bottom."""
    return len(page.lines) >= 20 and median(len(line.text) for line in page.lines) <= 2


def _better(
    source: Source,
    options: ReadingOptions,
    pages: Sequence[Page],
    numbers: set[int],
    *,
    vertical: bool = False,
) -> dict[int, Page]:
    """Return the pages among `numbers` that the second reader reads better."""
    if not numbers:
        return {}
    first = {page.number: page for page in pages}
    try:
        second = list(miner_pages(opened_by_miner(source, options), numbers, vertical=vertical))
    except MemoryError:
        raise
    except Exception:
        # It may fail on what the first reader did read.
        return {}
    return {page.number: page for page in second if _is_better(page, first[page.number], vertical=vertical)}


def _is_better(second: Page, first: Page, *, vertical: bool) -> bool:
    enough = second.characters >= max(1, _LEAST_SHARE * first.characters)
    return enough and (vertical or not first.lines or second.unreadable < first.unreadable)


def _flags(pages: Sequence[Page]) -> list[Flag]:
    garbled = [page.number for page in pages if page.unreadable > _MOST_UNREADABLE]
    pictured = [page.number for page in pages if page.pictured]
    named = ((FlagName.GARBLED_PAGE, garbled), (FlagName.PAGE_WITHOUT_TEXT, pictured))
    return [Flag(name, len(numbers), tuple(map(Place, numbers))) for name, numbers in named if numbers]
