"""Lookup of the reader for a format."""

from functools import partial

from simcompare.loading.extraction import Reader

# ruff: noqa: PLC0415 - importing all readers takes half a second, and a file needs one of them


def reader_of(kind: str) -> Reader | None:
    """Return the reader of a sniffed format; None if only LibreOffice can read it, or nothing."""
    match kind:
        case "doc":
            from simcompare.loading.formats.doc.doc_reader import read_doc

            return read_doc
        case "docx":
            from simcompare.loading.formats.docx.docx_reader import read_docx

            return partial(read_docx, reader_of=reader_of)
        case "wordml":
            from simcompare.loading.formats.docx.docx_reader import read_wordml

            return partial(read_wordml, reader_of=reader_of)
        case "pdf":
            from simcompare.loading.formats.pdf.pdf_reader import read_pdf

            return read_pdf
        case "html":
            from simcompare.loading.formats.web.html_page import read_html

            return read_html
        case "mhtml":
            from simcompare.loading.formats.web.html_page import read_mhtml

            return read_mhtml
        case "odt":
            from simcompare.loading.formats.opendocument.odt_reader import read_odt

            return read_odt
        case "epub":
            from simcompare.loading.formats.epub_reader import read_epub

            return read_epub
        case "rtf":
            from simcompare.loading.formats.rtf.rtf_walker import read_rtf

            return read_rtf
        case "image":
            from simcompare.loading.formats.ocr.picture_reader import read_picture

            return read_picture
        case "text":
            from simcompare.loading.formats.plain.text_reader import read_text

            return read_text
        case _:
            return None
