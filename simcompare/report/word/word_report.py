"""Word report of a comparison: document, page set-up and file."""

import re
import zipfile
from datetime import UTC
from io import BytesIO

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.shared import Pt, Twips
from lxml import etree

from simcompare import __version__
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import PageView, page_view
from simcompare.report.word.word_markup import NAMESPACES, field, paragraph, readable, run
from simcompare.report.word.word_sections import heat_png, heat_size_pt, sections
from simcompare.report.word.word_styles import styles_markup
from simcompare.report.wording import named
from simcompare.support.display_text import display_name
from simcompare.support.i18n import LANGUAGES, _, current_language

_PAGE_TWIPS, _MARGIN_TWIPS = (11_906, 16_838), 1_020
# earliest time that zip files can hold; written so that equal reports are equal files
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_LONGEST_PROPERTY = 255
_BODY_NAME, _MAIN_PART = "simcompare", "word/document.xml"
_BODY_PLACEHOLDER = f"<!--{_BODY_NAME}-->".encode()
_PARSER = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)


def render_docx(evidence: Evidence) -> bytes:
    """Render the report of a comparison as a Word document, in the current language.

    Equal evidence gives equal bytes except for `made_at`, which is shown and also stored as creation time.
    Control and invisible characters, and those that XML forbids, are replaced by their names.
    """
    page, document = page_view(evidence), docx.Document()
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    _set_styles_and_page(document)
    body = _body(document, evidence, page)
    _add_footer(document, names)
    _set_properties(document, evidence, named(_("Comparison of two texts"), names))
    return _zip_with_body(document, body)


def _elements(markup: str) -> list[etree._Element]:
    return list(etree.fromstring(f"<w:all {NAMESPACES}>{markup}</w:all>".encode(), _PARSER))


def _set_styles_and_page(document: Document) -> None:
    """Replace the styles of python-docx's template by ours, and its page by A4."""
    styles = document.styles.element
    styles[:] = _elements(styles_markup())
    (section,) = document.sections
    section.page_width, section.page_height = map(Twips, _PAGE_TWIPS)
    section.left_margin = section.right_margin = Twips(_MARGIN_TWIPS)
    section.top_margin = section.bottom_margin = Twips(_MARGIN_TWIPS)


def _body(document: Document, evidence: Evidence, page: PageView) -> bytes:
    """Return the markup of the body, and put a placeholder comment where it belongs.

    The markup is inserted into the saved file: moving a long body into the document tree would take
    minutes.
    """
    width, height = map(Pt, heat_size_pt(evidence.comparison))
    inline = document.part.new_pic_inline(BytesIO(heat_png(evidence.comparison, page)), width, height)
    inline.docPr.set("name", _("Comparison matrix"))
    inline.docPr.set("descr", page.heat.in_words)
    for side in "TBLR":
        # without the attribute, LibreOffice adds a margin
        inline.set(f"dist{side}", "0")
    drawing = etree.tostring(inline, encoding="unicode")
    picture = paragraph("Normal", f"<w:r><w:drawing>{drawing}</w:drawing></w:r>")
    document.element.body[:-1] = [etree.Comment(_BODY_NAME)]
    return "".join(sections(evidence, page, picture)).encode()


def _add_footer(document: Document, names: str) -> None:
    """Put the file names and "page n of N" into the footer."""
    parts = re.split(r"\{(number|count)\}", _("Page {number} of {count}"))
    fields = {"number": field("PAGE"), "count": field("NUMPAGES")}
    numbers = (fields.get(part) or run(part) for part in parts)
    footer = document.sections[0].footer
    footer.is_linked_to_previous = False
    footer._element[:] = _elements(paragraph("Footer", run(names), run("\t"), *numbers))


def _set_properties(document: Document, evidence: Evidence, title: str) -> None:
    about = document.core_properties
    made_at = evidence.made_at
    moment = made_at.astimezone(UTC).replace(tzinfo=None) if made_at.tzinfo else made_at
    about.title = readable(title)[:_LONGEST_PROPERTY]
    about.author = about.last_modified_by = f"simcompare {__version__}"
    about.created = about.modified = moment
    about.comments = about.keywords = about.subject = ""
    about.language = LANGUAGES[current_language()].locale.replace("_", "-")
    thumbnails = [
        key
        for key, relation in document.part.package.rels.items()
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL
    ]
    for key in thumbnails:
        del document.part.package.rels[key]


def _zip_with_body(document: Document, body: bytes) -> bytes:
    """Save the document with its body, and with no time of writing in the zip."""
    written, packed = BytesIO(), BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = old.read(name)
            new.writestr(entry, data.replace(_BODY_PLACEHOLDER, body, 1) if name == _MAIN_PART else data)
    return packed.getvalue()
