"""Write OpenDocument texts and e-books with given content."""

import html
import zipfile
from collections.abc import Mapping
from pathlib import Path

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "style": "style",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
        "meta": "meta",
        "manifest": "manifest",
    }.items()
) + (
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
)
ODT_TYPE = "application/vnd.oasis.opendocument.text"
EPUB_TYPE = "application/epub+zip"


def content_xml(body: str, styles: str = "") -> str:
    """Return the content part of a document."""
    return (
        f"<office:document-content {_NAMESPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )


def styles_xml(styles: str = "", automatic: str = "", masters: str = "") -> str:
    """Return the styles part of a document, with its master pages."""
    return (
        f"<office:document-styles {_NAMESPACES}><office:styles>{styles}</office:styles>"
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:master-styles>{masters}</office:master-styles></office:document-styles>"
    )


def meta_xml(title: str) -> str:
    """Return the metadata part of a document."""
    return (
        f"<office:document-meta {_NAMESPACES}><office:meta><dc:title>{html.escape(title)}</dc:title>"
        "</office:meta></office:document-meta>"
    )


def flat_xml(body: str, styles: str = "") -> str:
    """Return a document in one file, as LibreOffice saves it as .fodt."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<office:document {_NAMESPACES} office:mimetype="{ODT_TYPE}">'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def write_odt(path: Path, body: str, styles: str = "", **others: str | bytes) -> Path:
    """Write a document with this body; `others` are parts, added by name."""
    return write_zip(path, {"mimetype": ODT_TYPE, "content.xml": content_xml(body, styles), **others})


def write_zip(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    """Write an archive of these parts in this order, the first one uncompressed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content) in enumerate(parts.items()):
            archive.writestr(name, content, None if number else zipfile.ZIP_STORED)
    return path


def text_style(name: str, properties: str) -> str:
    """Return a character style."""
    return (
        f'<style:style style:name="{name}" style:family="text"><style:text-properties {properties}/>'
        "</style:style>"
    )


def paragraphs(*texts: str) -> str:
    """Return plain paragraphs."""
    return "".join(f"<text:p>{html.escape(text)}</text:p>" for text in texts)


def write_epub(path: Path, chapters: Mapping[str, str], **others: str | bytes) -> Path:
    """Write a book of these chapters (name to markup inside <body>); `others` are added by name."""
    items = "".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    parts = {
        "mimetype": EPUB_TYPE,
        "META-INF/container.xml": container_xml("OEBPS/content.opf"),
        "OEBPS/content.opf": opf_xml(items, spine),
        **{f"OEBPS/{name}": page_xhtml(body) for name, body in chapters.items()},
    }
    return write_zip(path, {**parts, **others})


def container_xml(package: str) -> str:
    """Return the part that names the package document."""
    return (
        '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        f'<rootfiles><rootfile full-path="{package}" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )


def opf_xml(items: str, spine: str, title: str = "A Walk by the River", more: str = "") -> str:
    """Return the package document: the list of files and the reading order."""
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine>{more}</package>"
    )


def page_xhtml(body: str, head: str = "") -> str:
    """Return a page of a book."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        '"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Page</title>{head}</head>'
        f"<body>{body}</body></html>"
    )
