"""Visible text of a report in any format, without blanks."""

import re
from io import BytesIO

import docx
import pypdfium2
from docx.oxml.ns import qn
from lxml import html

FOOT_PT = 60
"""Upper edge of the footer of a PDF page."""


def squeezed(text):
    return re.sub(r"\s+", "", text)


def words_of_pdf(data):
    """Return the text as a viewer copies it, without the footers."""
    with pypdfium2.PdfDocument(data) as file:
        pages = [page.get_textpage() for page in file]
        # pdfium extracts a hyphen at the end of a line as a special character
        return squeezed(
            "".join(page.get_text_bounded(bottom=FOOT_PT) for page in pages).replace("\ufffe", "-")
        )


def words_of_docx(data):
    """Return all text of the body, including tables and links."""
    pieces = docx.Document(BytesIO(data)).element.body.iter(qn("w:t"))
    return squeezed("".join(part.text or "" for part in pieces))


def words_of_html(data):
    """Return all text of the page; signs of decisions are in its style sheet."""
    tree = html.fromstring(data)
    for hidden in tree.xpath("//style | //script | //head"):
        hidden.drop_tree()
    return squeezed(tree.text_content())


WORDS = {".html": words_of_html, ".pdf": words_of_pdf, ".docx": words_of_docx}
"""By file suffix."""
