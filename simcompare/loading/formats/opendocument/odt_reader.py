"""Reader of OpenDocument texts (.odt, .ott, flat .fodt) and OpenOffice 1 texts (.sxw)."""

from collections.abc import Iterator, Sequence

from lxml import etree

from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.extraction import (
    Extraction,
    Piece,
    ReadingOptions,
    Source,
    clean,
    title_of,
    visible_length,
)
from simcompare.loading.formats.opendocument.odt_parts import OdtParts, parts_of, written_text
from simcompare.loading.formats.opendocument.odt_styles import OdtStyles
from simcompare.loading.formats.opendocument.odt_walker import OdtWalker
from simcompare.loading.shared.text_flow import as_footnotes, opening_lines, pieces_of
from simcompare.loading.shared.xml_elements import attribute, local_name
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import DropReason, Flag, FlagName
from simcompare.support.i18n import N_

# Fewer characters are only a name and a class: the text is in the pictures.
_MIN_BESIDE_PICTURES = 40


def read_odt(source: Source, options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    parts = parts_of(source, options.password)
    try:
        return _extraction(parts)
    except RecursionError as error:
        raise DamagedFileError(source.path, cause=N_("its elements are nested too deeply")) from error


def _extraction(parts: OdtParts) -> Extraction:
    styles, dropped_text = OdtStyles(parts.styles), DroppedText()
    walker = OdtWalker(parts, styles, dropped_text)
    walker.read()
    body = walker.body.finish()
    notes = [*walker.footnotes.finish(), *walker.endnotes.finish()]
    pieces = pieces_of([*body, *as_footnotes(notes)], dropped_text)
    for reason, margin in _margins(parts.styles):
        dropped_text.add(reason, written_text(margin))
    title = title_of(pieces, opening_lines(body), styles.body_half_points(), clean(parts.title))
    unread = [Flag(FlagName.UNREAD_PART, parts.unread)] if parts.unread else []
    flags = [*dropped_text.flags(), *unread, *_picture_flags(walker.large_pictures, pieces)]
    return Extraction("odt", pieces, title, dropped=dropped_text.dropped(), flags=flags, origin=parts.origin)


def _picture_flags(pictures: int, pieces: Sequence[Piece]) -> Iterator[Flag]:
    if pictures:
        characters = sum(visible_length(piece.text) for piece in pieces)
        yield Flag(FlagName.PICTURES, pictures, doubtful=characters < _MIN_BESIDE_PICTURES)


def _margins(roots: list[etree._Element]) -> Iterator[tuple[DropReason, etree._Element]]:
    """Yield the displayed headers and footers of all page styles."""
    for page in (page for root in roots for page in root.iter("{*}master-page")):
        for margin in page:
            name = local_name(margin)
            if name.startswith(("header", "footer")) and attribute(margin, "display") != "false":
                is_header = name.startswith("header")
                yield DropReason.PAGE_HEADER if is_header else DropReason.PAGE_FOOTER, margin
