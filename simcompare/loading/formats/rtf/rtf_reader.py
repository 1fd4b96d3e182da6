"""Rich Text documents (.rtf)."""

from simcompare.loading.extraction import Extraction, ReadingOptions, Source, clean, title_of
from simcompare.loading.formats.rtf.rtf_tokens import tokens
from simcompare.loading.formats.rtf.rtf_walker import BrokenGroupsError, Walk
from simcompare.loading.left_out_text import LeftOut
from simcompare.loading.shared.file_origin import flags_of_pictures
from simcompare.loading.shared.text_flow import as_notes, lines_of, pieces_of, written_text
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import Flag, FlagName
from simcompare.support.i18n import N_

_BEGIN = b"{\\rtf"


def read_rtf(source: Source, _options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    walk = Walk()
    try:
        walk.read(tokens(source.data[max(source.data.find(_BEGIN), 0) :]))
    except BrokenGroupsError as error:
        raise DamagedFileError(source.path, cause=N_("it is cut short or broken")) from error
    body = walk.body.finish()
    if walk.page_is_dark:
        body = [paragraph.on_dark_ground() for paragraph in body]
    left_out = LeftOut()
    pieces = pieces_of([*body, *as_notes(walk.footnotes), *as_notes(walk.endnotes)], left_out)
    for reason, paragraphs in walk.left_out:
        left_out.add(reason, written_text(paragraphs))
    preamble = walk.preamble
    title = title_of(pieces, lines_of(body), preamble.styles.body_half_points(), clean(preamble.title))
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, walk.undecodable)] if walk.undecodable else []
    return Extraction(
        "rtf",
        pieces,
        title,
        encoding=preamble.fonts.default,
        dropped=left_out.dropped(),
        flags=[*left_out.flags(), *flags, *flags_of_pictures(source.path, walk.large_pictures, pieces)],
        origin=preamble.origin,
    )
