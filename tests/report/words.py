"""What a person reads in a report, whatever its form, without the blanks between."""

import re
from io import BytesIO

import docx
import pypdfium2
from docx.oxml.ns import qn
from lxml import html

FOOT_PT = 60
"""Below it stands the foot of a page of a PDF."""


def squeezed(text):
    return re.sub(r"\s+", "", text)


def words_of_pdf(data):
    """The text as it is copied out of a viewer, without the feet of the pages."""
    with pypdfium2.PdfDocument(data) as file:
        pages = [page.get_textpage() for page in file]
        # a hyphen at the end of a line comes out as a sign of its own
        return squeezed(
            "".join(page.get_text_bounded(bottom=FOOT_PT) for page in pages).replace("\ufffe", "-")
        )


def words_of_docx(data):
    """All text of the body, tables and links as well."""
    shown = docx.Document(BytesIO(data)).element.body.iter(qn("w:t"))
    return squeezed("".join(part.text or "" for part in shown))


def words_of_html(data):
    """All text of the page; the signs of decisions are in its style."""
    tree = html.fromstring(data)
    for hidden in tree.xpath("//style | //script | //head"):
        hidden.drop_tree()
    return squeezed(tree.text_content())


WORDS = {".html": words_of_html, ".pdf": words_of_pdf, ".docx": words_of_docx}
"""By the ending of the file."""
