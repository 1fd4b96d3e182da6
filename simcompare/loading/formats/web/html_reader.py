"""Reader of web pages and HTML documents."""

from collections.abc import Sequence

from simcompare.loading.extraction import Extraction, ReadingOptions, Source
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.web.html_page import HtmlPage, read_page
from simcompare.model.errors import NoTextError, TextNotInFileError
from simcompare.model.receipt import Flag, FlagName


def read_html(source: Source, options: ReadingOptions) -> Extraction:
    """Read all text of a document, but only the article of a web page with navigation.

    Raises TextNotInFileError if the text of a page is in a script, a frame or another page, NoTextError if
    the page contains only pictures.
    """
    decoded = decode(source.data, markup=True)
    page = read_page(source.path, decoded.text, whole=options.whole_page)
    return extraction_of(source, page, [decoded], reader="html")


def extraction_of(source: Source, page: HtmlPage, decoded: Sequence[Decoded], *, reader: str) -> Extraction:
    """Return the extraction of a page; `decoded` has its parts, the page itself first.

    Raises TextNotInFileError, or NoTextError if the page contains only pictures.
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
