"""Detect the format of a file from its bytes; the suffix is ignored."""

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence

from simcompare.loading.formats.plain.encodings import is_wide_text
from simcompare.support.i18n import N_

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
"""First bytes of a zip file; the second are those of an empty archive."""
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_HTML = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|frameset|meta|title|script|style|table|div|p|h[1-6]|ul|ol|pre"
    rb"|article|section|main|center|blockquote|font|span)[\s>/]",
    re.I,
)
# Markdown may begin with an element; a page of its own has one of these.
_PAGE = re.compile(rb"<(?:!doctype|html|head|body)[\s>]", re.I)
_MARKDOWN = (
    re.compile(rb"^#{1,6} \S", re.M),
    re.compile(rb"\]\(|\*\*\S|^(?:```|~~~|[-*+] |\|[ :]*--)", re.M),
)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MARKUP_START = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<", re.S)
# A mail begins with headers, some continued on indented lines, up to a blank line.
_MAIL_HEADERS = re.compile(rb"\s*((?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+)\r?\n")
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a\x1b\0"))
_MIME_HEADER = re.compile(rb"^(?:mime-version|content-type:\s*multipart/)", re.I | re.M)
# Stream names in the directory of a compound file, in lower case.
_OLE_STREAMS = {
    "encryptedpackage": "encrypted",
    "encryptioninfo": "encrypted",
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "powerpoint document": "ppt",
    "starwriterdocument": "starwriter",
    "hwpsummaryinformation": "hwp",
    "matost": "works",
}
_OLE_MARKS = {b"CHNKWKS": "works", b"HWP Document File": "hwp"}
_STARTS = {
    b"\xffWPC": "wordperfect",
    b"\x01\xfe": "works",
    b"\xdb\xa5\x2d\x00": "word2",
    b"\x9b\xa5\x21\x00": "word2",
    b"\x31\xbe\x00\x00": "write",
    b"\x32\xbe\x00\x00": "write",
    b"HWP Document File": "hwp",
    b"Rar!\x1a\x07": "rar",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"#!/": "program",
    b"@echo off": "program",
    b"[InternetShortcut]": "shortcut",
    b"[Desktop Entry]": "shortcut",
}
# Starts that a text may have as well, with the format of what is no text.
_BINARY_STARTS = {
    b"L\0\0\0\x01\x14\x02\0": "shortcut",
    b"SQLite format 3": "database",
    **dict.fromkeys((b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"), "program"),
    **dict.fromkeys(
        (b"ID3", b"\xff\xfb", b"\xff\xf3", b"OggS", b"fLaC", b"#!AMR", b"\x1aE\xdf\xa3", b"RIFF"), "recording"
    ),
}
_XML_ROOTS = {
    b'office:mimetype="application/vnd.oasis.opendocument.text': "odt",
    b"<abiword": "abiword",
    b"<FictionBook": "fictionbook",
    b"<uof:UOF": "uof",
}
_ROOT_BYTES = 4096
_ZIP_FOLDERS = {
    "word/": "docx",
    "xl/": "xlsx",
    "ppt/": "pptx",
    "meta-inf/container.xml": "epub",
    "index/document.iwa": "iwork",
    "buildversionhistory.plist": "iwork",
}
# Other members are ignored: a folder of essays may be called "word" too.
_ZIP_PARTS = (".xml", ".bin", ".iwa", ".plist")
_WORDML = (
    b'progid="Word.Document"',
    b"schemas.microsoft.com/office/word/2003/wordml",
    b"schemas.microsoft.com/office/2006/xmlPackage",
)
_SESSION_PARTS = ("session.json", "documents/", "prompt/", "scores/")
_ZIP_MIMETYPES = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.sun.xml.writer": "odt",
    b"application/vnd.oasis.opendocument.": "opendocument",
    b"application/hwp+zip": "hwp",
}

ARCHIVES = frozenset({"zip", "rar", "7z"})
"""Formats that only pack other files."""
NO_ESSAYS = frozenset({"program", "recording", "shortcut", "database", "session", "xls", "xlsx"})

FORMAT_NAMES = {
    "doc": N_("Word 97-2003 (.doc)"),
    "wordml": N_("Word 2003 XML"),
    "rtf": N_("Rich Text (.rtf)"),
    "odt": N_("OpenDocument text (.odt)"),
    "epub": N_("e-book (.epub)"),
    "opendocument": N_("OpenDocument spreadsheet, presentation or drawing"),
    "mhtml": N_("web archive (.mht)"),
    "works": N_("Microsoft Works (.wps)"),
    "wordperfect": N_("WordPerfect (.wpd)"),
    "word2": N_("Word before Word 6"),
    "write": N_("Windows Write (.wri)"),
    "hwp": N_("Hangul (.hwp)"),
    "iwork": N_("Apple Pages, Numbers or Keynote"),
    "abiword": N_("AbiWord (.abw)"),
    "fictionbook": N_("FictionBook (.fb2)"),
    "starwriter": N_("StarWriter (.sdw)"),
    "uof": N_("Unified Office Format (.uof)"),
    "xls": N_("Excel 97-2003 (.xls)"),
    "xlsx": N_("Excel (.xlsx)"),
    "ppt": N_("PowerPoint 97-2003 (.ppt)"),
    "pptx": N_("PowerPoint (.pptx)"),
    "image": N_("picture"),
    "heic": N_("picture (.heic)"),
    "program": N_("program"),
    "recording": N_("sound or video recording"),
    "shortcut": N_("shortcut to another place, without its content"),
    "database": N_("database"),
    "session": N_("saved session; open it with “Open session…” or “simcompare report”"),
    "zip": N_("archive (.zip)"),
    "rar": N_("archive (.rar)"),
    "7z": N_("archive (.7z)"),
    "ole": N_("unknown file of an office program"),
    "encrypted": N_("an encrypted file in an encrypted file"),
    "unknown": N_("not a text"),
}
"""Display names of the formats that are detected but may not be readable."""


def sniff(data: bytes) -> str:
    """Return the format of a file as a machine word such as "docx" or "html".

    "encrypted" is an Office file that needs a password, "unknown" is binary data of no known format.
    """
    if b"%PDF-" in data[:1024]:
        return "pdf"
    # Some programs write a byte order mark or blanks before it.
    if data[:64].lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{\\rtf"):
        return "rtf"
    if data.startswith(ZIP_STARTS):
        return _sniff_zip(data)
    if data.startswith(_OLE):
        return _sniff_ole(data)
    if data.startswith(_IMAGES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return "image"
    return _by_start(data, _STARTS) or _sniff_text(data)


def _by_start(data: bytes, starts: Mapping[bytes, str]) -> str | None:
    return next((kind for start, kind in starts.items() if data.startswith(start)), None)


def _sniff_zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return kind_of_zip(package)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        # Truncated: the names are still before each member. If none is known, "docx" is assumed, whose reader
        # reports a damaged archive.
        names = [folder for folder in _ZIP_FOLDERS if folder.encode() in data] or ["word/"]
        return _kind_of_members(names, data[:200])


def kind_of_zip(package: zipfile.ZipFile) -> str:
    """Return the format of a zip file as a machine word; "zip" is an archive of files."""
    members = [name.replace("\\", "/").lower() for name in package.namelist()]
    if _SESSION_PARTS[0] in members and all(name.startswith(_SESSION_PARTS) for name in members):
        return "session"
    return _kind_of_members([name for name in members if name.endswith(_ZIP_PARTS)], _mimetype(package))


def _kind_of_members(names: Sequence[str], mimetype: bytes) -> str:
    for named, kind in _ZIP_MIMETYPES.items():
        if named in mimetype:
            return kind
    found = (kind for folder, kind in _ZIP_FOLDERS.items() if any(n.startswith(folder) for n in names))
    return next(found, "docx" if "[content_types].xml" in names else "zip")


def _mimetype(package: zipfile.ZipFile) -> bytes:
    """Return the content of the "mimetype" member, or nothing."""
    try:
        with package.open("mimetype") as part:
            return part.read(200)
    except (KeyError, zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, zlib.error):
        return b""


def _sniff_ole(data: bytes) -> str:
    """Return the format of a compound file; entry names are UTF-16, and some writers change their case."""
    lowered = data.lower()
    for name, kind in _OLE_STREAMS.items():
        if name.encode("utf-16-le") + b"\0\0" in lowered:
            return kind
    return next((kind for mark, kind in _OLE_MARKS.items() if mark in data), "ole")


def _sniff_text(data: bytes) -> str:
    head = data[:65536]
    # In UTF-16, ASCII characters are separated by zeros.
    head_text = head.replace(b"\0", b"")
    if any(mark in head_text for mark in _WORDML):
        return "wordml"
    for mark in _MARKS:
        head_text = head_text.removeprefix(mark)
    headers = _MAIL_HEADERS.match(head_text)
    if headers is not None and _MIME_HEADER.search(headers[1]):
        return "mhtml"
    if _MARKUP_START.match(head_text):
        by_root = (kind for root, kind in _XML_ROOTS.items() if root in head_text[:_ROOT_BYTES])
        is_markdown = all(mark.search(head_text) for mark in _MARKDOWN) and not _PAGE.search(head_text)
        is_page = _HTML.search(head_text) and not is_markdown
        found = next(by_root, "html" if is_page else None)
        if found is not None:
            return found
    if _is_text(head):
        return "text"
    if data[4:8] == b"ftyp":
        return "heic" if data[8:12] in {b"heic", b"heix", b"mif1", b"avif"} else "recording"
    return _by_start(data, _BINARY_STARTS) or "unknown"


def _is_text(head: bytes) -> bool:
    """Return whether bytes have hardly any control character; UTF-16 has its zeros on one side only."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    controls = len(head) - len(head.translate(None, _CONTROLS))
    zeros = head.count(0)
    aligned = max(head[0::2].count(0), head[1::2].count(0)) == zeros and b"\0\0" not in head
    return (controls * 50 <= len(head) and (zeros == 0 or aligned)) or is_wide_text(head)
