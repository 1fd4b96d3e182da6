"""Reader of Rich Text documents (.rtf)."""

from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.extraction import Extraction, ReadingOptions, Source, clean, title_of
from simcompare.loading.formats.rtf.rtf_tokens import tokens
from simcompare.loading.formats.rtf.rtf_walker import BrokenGroupsError, RtfWalker
from simcompare.loading.shared.file_origin import flags_of_pictures
from simcompare.loading.shared.text_flow import as_footnotes, opening_lines, pieces_of, written_text
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import Flag, FlagName
from simcompare.support.i18n import N_

_BEGIN = b"{\\rtf"


def read_rtf(source: Source, _options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    walker = RtfWalker()
    try:
        walker.read(tokens(source.data[max(source.data.find(_BEGIN), 0) :]))
    except BrokenGroupsError as error:
        raise DamagedFileError(source.path, cause=N_("it is cut short or broken")) from error
    body = walker.body.finish()
    if walker.page_is_dark:
        body = [paragraph.with_white_text() for paragraph in body]
    dropped_text = DroppedText()
    pieces = pieces_of([*body, *as_footnotes(walker.footnotes), *as_footnotes(walker.endnotes)], dropped_text)
    for reason, paragraphs in walker.dropped_paragraphs:
        dropped_text.add(reason, written_text(paragraphs))
    header = walker.header
    title = title_of(pieces, opening_lines(body), header.styles.body_half_points(), clean(header.title))
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, walker.undecodable)] if walker.undecodable else []
    return Extraction(
        "rtf",
        pieces,
        title,
        encoding=header.fonts.default,
        dropped=dropped_text.dropped(),
        flags=[*dropped_text.flags(), *flags, *flags_of_pictures(source.path, walker.large_pictures, pieces)],
        origin=header.origin,
    )
