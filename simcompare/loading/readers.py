# ruff: noqa: PLC0415 - together the readers take half a second to load, and a file needs one of them
"""The reader of each format."""

from collections.abc import Callable

from simcompare.loading.extraction import Extraction, Source
from simcompare.loading.options import ReadingOptions

Reader = Callable[[Source, ReadingOptions], Extraction]


def reader_of(kind: str) -> Reader | None:  # noqa: PLR0911 - a table
    """Return what reads files of a kind, as sniffed; None where only LibreOffice may, or nothing."""
    match kind:
        case "doc":
            from simcompare.loading.doc.reader import read_doc

            return read_doc
        case "docx":
            from simcompare.loading.docx.reader import read_docx

            return read_docx
        case "wordml":
            from simcompare.loading.docx.reader import read_wordml

            return read_wordml
        case "pdf":
            from simcompare.loading.pdf.reader import read_pdf

            return read_pdf
        case "html":
            from simcompare.loading.web.reader import read_html

            return read_html
        case "mhtml":
            from simcompare.loading.web.mhtml import read_mhtml

            return read_mhtml
        case "odt":
            from simcompare.loading.opendocument.reader import read_odt

            return read_odt
        case "epub":
            from simcompare.loading.epub import read_epub

            return read_epub
        case "rtf":
            from simcompare.loading.rtf.reader import read_rtf

            return read_rtf
        case "image":
            from simcompare.loading.ocr.pictures import read_picture

            return read_picture
        case "text":
            from simcompare.loading.plain.text_reader import read_text

            return read_text
        case _:
            return None
