"""Web pages and HTML documents."""

from collections.abc import Sequence

from simcompare.loading.extraction import Extraction, ReadingOptions, Source
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.web.html_page import HtmlPage, read_page
from simcompare.model.errors import NoTextError, TextNotInFileError
from simcompare.model.receipt import Flag, FlagName


def read_html(source: Source, options: ReadingOptions) -> Extraction:
    """Read a document whole, and of a page with navigation the article alone.

    Raises TextElsewhereError where a page has no text because a script, a frame or another page holds it,
    NoTextError where it shows nothing but pictures.
    """
    decoded = decode(source.data, markup=True)
    page = read_page(source.path, decoded.text, whole=options.whole_page)
    return extraction_of(source, page, [decoded], reader="html")


def extraction_of(source: Source, page: HtmlPage, decoded: Sequence[Decoded], *, reader: str) -> Extraction:
    """Return what a page gives that was `decoded` from one part or several, the page itself first.

    Raises TextElsewhereError, and NoTextError where there is nothing but pictures.
    """
    if page.text_elsewhere is not None:
        raise TextNotInFileError(source.path, cause=page.text_elsewhere)
    if page.pictures and not page.pieces:
        raise NoTextError(source.path, pages=page.pictures)
    undecodable = sum(text.undecodable for text in decoded)
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, undecodable)] if undecodable else []
    return Extraction(
        reader=reader,
        pieces=page.pieces,
        title=page.title,
        encoding=decoded[0].encoding,
        dropped=page.dropped,
        flags=[*flags, *page.flags],
        origin=page.origin,
    )
