"""Redact a Word file: texts, properties, authors, links, picture metadata; check part names and pictures."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import Archive, decrypted, parsed_xml
from simcompare.loading.extraction import Source
from simcompare.loading.shared.xml_elements import local_name, without_namespace
from simcompare.loading.sniffing import sniff
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.docx_paragraphs import Element, NameReplacer
from simcompare.redaction.redaction_errors import NAME_LEFT, SEALED_PART, NotAnonymousError
from simcompare.redaction.xml_attributes import own_styles
from simcompare.report.annotated.word.word_annotator import encrypted
from simcompare.report.annotated.word.word_comments import AUTHOR
from simcompare.report.annotated.word.word_package import part_key
from simcompare.support.i18n import N_, _

_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_JPEG_END, _JPEG_SCAN = 0xD9, 0xDA
_JPEG_COMMENT, _JPEG_APPLICATIONS = 0xFE, range(0xE0, 0xF0)
# segments needed for display: resolution, colour encoding and colour profile
_JPEG_KEPT, _JPEG_COLOURS = frozenset({0xE0, 0xEE}), b"ICC_PROFILE"
# within a scan 0xFF occurs only before zero and in restart markers
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
_PNG_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME"})
_PNG_END = b"IEND"
_LENGTH, _CHUNK_FRAME = 4, 12


def without_metadata(data: bytes) -> bytes | None:
    """Remove comments, texts and times from a JPEG or PNG; None for other formats and broken files."""
    try:
        if data.startswith(_JPEG):
            return _JPEG + b"".join(_jpeg_segments(data))
        if data.startswith(_PNG):
            return _PNG + b"".join(_png_chunks(data))
    except IndexError:
        pass
    return None


def _jpeg_segments(data: bytes) -> Iterator[bytes]:
    """Yield the segments of a JPEG to keep, without data after its end."""
    at = len(_JPEG)
    while True:
        if data[at] != _JPEG[0]:
            raise IndexError(at)
        marker = data[at + 1]
        if marker == _JPEG_END:
            yield data[at : at + 2]
            return
        end = _end_of_segment(data, at)
        if marker not in {_JPEG_COMMENT, *_JPEG_APPLICATIONS} or _is_needed_for_display(data[at:end]):
            yield data[at:end]
        at = end


def _end_of_segment(data: bytes, at: int) -> int:
    end = at + 2 + (data[at + 2] << 8) + data[at + 3]
    if data[at + 1] != _JPEG_SCAN:
        return end
    following = _JPEG_MARKER.search(data, end)
    if following is None:
        raise IndexError(end)
    return following.start()


def _is_needed_for_display(segment: bytes) -> bool:
    return segment[1] in _JPEG_KEPT or segment[4:].startswith(_JPEG_COLOURS)


def _png_chunks(data: bytes) -> Iterator[bytes]:
    """Yield the chunks of a PNG to keep, without data after its end."""
    at, kind = len(_PNG), b""
    while kind != _PNG_END:
        kind = data[at + _LENGTH : at + 2 * _LENGTH]
        end = at + _CHUNK_FRAME + int.from_bytes(data[at : at + _LENGTH], "big")
        if end > len(data):
            raise IndexError(end)
        if kind not in _PNG_TEXTS:
            yield data[at:end]
        at = end


_XML = frozenset({"xml", "rels", "vml", "svg"})
_PICTURES = frozenset(
    {"png", "jpg", "jpeg", "jfif", "gif", "bmp", "tif", "tiff", "emf", "wmf", "wdp", "webp"}
)
_FONTS = frozenset({"odttf", "ttf", "otf"})
# thumbnail, custom properties, signatures, authors, printer settings
_DROPPED = ("docprops/thumbnail", "docprops/custom", "_xmlsignatures/", "word/people", "word/printersettings")
_CORE, _APP, _STYLES = "docprops/core.xml", "docprops/app.xml", "word/styles.xml"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT_RELATIONSHIP = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"
_KEPT_CORE_PROPERTIES = frozenset({"title", "creator"})
_PERSONAL_PROPERTIES = frozenset({"Company", "Manager", "HyperlinkBase", "Template", "TotalTime"})
# times of tracked changes and comments
_DATES = frozenset({"date", "dateUtc"})
# identifiers that link versions of a file to one author
_TRACES = frozenset({"rsids", "docVars", "docId", "docVar", "mailMerge", "presenceInfo"})
_ANONYMOUS_AUTHOR = N_("Author")
_FEWEST_BYTES = 4
_WORD = re.compile(r"[^\W_]+")
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "gb18030")


def redacted_docx(path: Path, data: bytes, names: Pseudonyms, password: str | None) -> bytes:
    """Return a Word file with names replaced; an encrypted file is encrypted again with the same password.

    Raises NotAnonymousError if a name would remain or might be hidden, and the errors of reading the file.
    """
    if sniff(data) != "encrypted":
        return _AnonymousPackage(path, data, names).saved()
    opened = decrypted(Source(path, data), password).data
    return encrypted(_AnonymousPackage(path, opened, names).saved(), password)


class _AnonymousPackage:
    """The parts of a Word file, redacted one by one."""

    def __init__(self, path: Path, data: bytes, names: Pseudonyms) -> None:
        # checks the size limits of the unpacked parts
        Archive(path, data).close()
        self._path = path
        self._names = names
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            self._parts = {
                info: package.read(info)
                for info in package.infolist()
                if not info.is_dir() and not part_key(info.filename).startswith(_DROPPED)
            }
        self._replacer = NameReplacer(names, path, frozenset(self._own_styles()))

    def _own_styles(self) -> Iterator[str]:
        """Yield the names and identifiers of the user-defined styles."""
        for info, data in self._parts.items():
            if part_key(info.filename) == _STYLES:
                yield from own_styles(parsed_xml(self._path, data))

    def saved(self) -> bytes:
        """Return the redacted file; the same input gives the same bytes."""
        saved = io.BytesIO()
        with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as package:
            for info, data in self._parts.items():
                self._check_name(info.filename)
                # without the modification times of the parts
                entry = zipfile.ZipInfo(info.filename)
                entry.compress_type = zipfile.ZIP_DEFLATED
                package.writestr(entry, self._part(info.filename, data))
        return saved.getvalue()

    def _check_name(self, name: str) -> None:
        if self._replacer.text(name) != name:
            raise NotAnonymousError(self._path, cause=NAME_LEFT)

    def _part(self, name: str, data: bytes) -> bytes:
        suffix = part_key(name).rpartition(".")[2]
        if suffix in _XML:
            return self._xml(name, parsed_xml(self._path, data))
        if suffix not in _PICTURES | _FONTS:
            raise NotAnonymousError(self._path, cause=SEALED_PART)
        if (picture := without_metadata(data)) is not None:
            return picture
        small = data.lower()
        if any(needle in small for needle in _needles(self._names)):
            raise NotAnonymousError(self._path, cause=NAME_LEFT)
        return data

    def _xml(self, name: str, root: Element) -> bytes:
        key = part_key(name)
        etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
        if key.endswith(".rels"):
            self._redact_relationships(root)
        elif key == "[content_types].xml":
            _remove(
                root, [part for part in root if part_key(part.get("PartName") or "").startswith(_DROPPED)]
            )
        else:
            self._redact_properties(key, root)
            self._replacer.replace_in(root)
        return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))

    def _redact_relationships(self, root: Element) -> None:
        """Remove relationships to dropped parts; replace links to local files or names by about:blank."""
        _remove(root, [relation for relation in root if _is_dropped(relation)])
        for relation in root:
            target = relation.get("Target") or ""
            is_outside = relation.get("TargetMode") == "External"
            is_file = target.lower().startswith(("file:", "\\\\")) or target[1:2] == ":"
            if is_outside and (is_file or self._replacer.text(target) != target):
                relation.set("Target", "about:blank")

    def _redact_properties(self, key: str, root: Element) -> None:
        if key == _CORE:
            _remove(root, [child for child in root if local_name(child) not in _KEPT_CORE_PROPERTIES])
            self._name_creator(root)
        elif key == _APP:
            _remove(root, [child for child in root if local_name(child) in _PERSONAL_PROPERTIES])
        _remove_everywhere(root, self._dropped_ids(key))
        for element in root.iter():
            for name in list(element.attrib):
                _redact_attribute(element, str(name))

    def _name_creator(self, root: Element) -> None:
        owner = self._names.owner_of(self._path)
        for element in root:
            if local_name(element) == "creator":
                element.text = self._names.label(owner) if owner is not None else _(_ANONYMOUS_AUTHOR)

    def _dropped_ids(self, key: str) -> frozenset[str]:
        """Return the relationship identifiers by which a part refers to dropped parts."""
        folder, _slash, name = key.rpartition("/")
        relations = f"{folder}/_rels/{name}.rels".lstrip("/")
        for info, data in self._parts.items():
            if part_key(info.filename) == relations:
                dropped = filter(_is_dropped, parsed_xml(self._path, data))
                return frozenset(relation.get("Id") or "" for relation in dropped)
        return frozenset()


def _is_dropped(relation: Element) -> bool:
    """Return whether the target of a relationship is a dropped part, relative to any folder."""
    if relation.get("TargetMode") == "External":
        return False
    target = part_key(relation.get("Target") or "").removeprefix("../")
    return any(f"{folder}{target}".startswith(_DROPPED) for folder in ("", "word/"))


def _remove(parent: Element, children: list[Element]) -> None:
    for child in children:
        parent.remove(child)


def _remove_everywhere(root: Element, ids: frozenset[str]) -> None:
    """Remove identifiers of the author, and elements that refer to dropped parts."""
    for element in list(root.iter()):
        parent = element.getparent()
        refers = bool(ids) and any(
            str(name).startswith((_RELATIONSHIP, _STRICT_RELATIONSHIP)) and value in ids
            for name, value in element.attrib.items()
        )
        if parent is not None and (refers or local_name(element) in _TRACES):
            parent.remove(element)


def _redact_attribute(element: Element, name: str) -> None:
    local = without_namespace(name)
    if local.startswith("rsid") or local in _DATES:
        del element.attrib[name]
    elif local == "author" and element.get(name) != AUTHOR:
        element.set(name, _(_ANONYMOUS_AUTHOR))
    elif local == "initials" and element.get(_author_attribute(name)) != AUTHOR:
        element.set(name, _(_ANONYMOUS_AUTHOR)[:1])


def _author_attribute(name: str) -> str:
    """Return the name of the author attribute beside an initials attribute."""
    return name.removesuffix("initials") + "author"


def _needles(names: Pseudonyms) -> Iterator[bytes]:
    """Yield names and numbers as lower-case bytes, only those too long to occur in a picture by chance.

    Each word of a name separately, as the words may be in any order.
    """
    texts = [text.lower() for student in names.students for text in (*student.names, *student.numbers)]
    words = {word for text in texts for word in (text, *_WORD.findall(text)) if len(word) > 1}
    for word in sorted(words):
        for encoding in _ENCODINGS:
            needle = word.encode(encoding, errors="ignore")
            if len(needle) >= _FEWEST_BYTES:
                yield needle.lower()
