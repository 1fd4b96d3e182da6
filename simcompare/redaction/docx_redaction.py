"""Redact a Word file: texts, properties, authors, links, picture metadata; check part names and pictures."""

import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from lxml import etree

from simcompare.loading.archive import Archive, decrypted, parsed_xml
from simcompare.loading.extraction import Source
from simcompare.loading.shared.xml_elements import local_name, without_namespace
from simcompare.loading.sniffing import sniff
from simcompare.model.errors import NAME_LEFT, SEALED_PART, NotAnonymousError
from simcompare.pseudonyms.pseudonymised_document import Replacement
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.annotated.word.word_annotator import AUTHOR, encrypted
from simcompare.report.annotated.word.word_package import XML_SPACE, part_key
from simcompare.support.i18n import N_, _

Element: TypeAlias = etree._Element
_WORD_NAMESPACES = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/",
    "urn:schemas-microsoft-com:",
    "http://www.w3.org/XML/",
)
_TEXT_ATTRIBUTES = frozenset(
    {"descr", "title", "alt", "string", "tooltip", "instr", "displayText", "href", "src", "ed", "aria-label"}
)
# elements whose w:val is text
_TEXT_ELEMENTS = frozenset(
    {"alias", "tag", "tblCaption", "tblDescription", "helpText", "statusText", "default", "listEntry"}
    | {"lvlText", "attr"}
)
_DRAWING_ELEMENTS = frozenset({"docPr", "cNvPr"})
# elements and attributes
_NAMES = frozenset({("bookmarkStart", "name"), ("hyperlink", "anchor")})
_STYLE_NAMES = frozenset({("style", "styleId"), ("name", "val")})
_STYLE_REFERENCES = frozenset({"pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "numStyleLink"})


def is_text(element: Element, name: str) -> bool:
    """Return whether an attribute contains user text."""
    return _is_text(str(element.tag), name)


# tens of thousands of attributes have a few hundred different names
@lru_cache(maxsize=4096)
def _is_text(full_tag: str, name: str) -> bool:
    if not _is_word_attribute(full_tag, name):
        return True
    local, tag = without_namespace(name), without_namespace(full_tag)
    if local == "val":
        return tag in _TEXT_ELEMENTS
    if local == "value":
        return tag == "listItem"
    return local in _TEXT_ATTRIBUTES or (local == "name" and tag in _DRAWING_ELEMENTS | {"attr"})


def is_label(element: Element, name: str, own_styles: Collection[str]) -> bool:
    """Return whether an attribute is a user-defined label, such as a bookmark, or a reference to one.

    `own_styles`: names and identifiers of the user-defined styles.
    """
    local, tag = without_namespace(name), local_name(element)
    if (tag, local) in _NAMES:
        return True
    around = element.getparent()
    if (tag, local) == ("name", "val") and around is not None and local_name(around) == "ffData":
        return True
    is_of_style = (tag, local) in _STYLE_NAMES
    refers = tag in _STYLE_REFERENCES and local == "val"
    return (is_of_style or refers) and element.get(name) in own_styles


def own_styles(styles: Element) -> Iterator[str]:
    """Yield the names and identifiers of the user-defined styles in word/styles.xml."""
    for style in styles:
        if local_name(style) == "style" and _value(style, "customStyle") in {"1", "true", "on"}:
            yield _value(style, "styleId")
            yield from (_value(child, "val") for child in style if local_name(child) == "name")


def _value(element: Element, local: str) -> str:
    return next((str(v) for k, v in element.attrib.items() if without_namespace(str(k)) == local), "")


def _is_word_attribute(full_tag: str, name: str) -> bool:
    """Return whether an attribute, or its element if it has no namespace, is in a namespace of Word."""
    namespace = etree.QName(name).namespace or etree.QName(full_tag).namespace
    return namespace is not None and namespace.startswith(_WORD_NAMESPACES)


_FIELD_CODES = frozenset({"instrText", "delInstrText"})
_ADDED = frozenset({"ins", "moveTo"})
_GAPS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NO_LABEL = re.compile(r"\W+")
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[a-z]")
_LOCAL_FILE = re.compile(r"(?:file:|\\\\|[A-Za-z]:[\\/]|/(?:home|Users)/).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _RedactedPiece:
    """Text of an element at [start, end) of its paragraph; element: None for a tab or break between texts."""

    element: Element | None
    start: int
    end: int


class NameReplacer:
    """Replace names in XML elements, and in single values with `text`.

    `file`: the Word file; `own_styles`: names and identifiers of its user-defined styles.
    """

    def __init__(self, names: Pseudonyms, file: Path, own_styles: Collection[str] = ()) -> None:
        self._names = names
        self._file = file
        self._own_styles = own_styles
        # tens of thousands of values are few different ones
        self.text = cache(self._replaced)

    def _replaced(self, text: str) -> str:
        """Replace names in a value, in lower case and percent-encoded (%E7%8E%8B) too."""
        plain = unquote(text)
        if plain != text and (found := self._in_any_case(plain)):
            return _substituted(plain, found)
        return _substituted(text, self._in_any_case(text))

    def _in_any_case(self, text: str) -> Sequence[Replacement]:
        """Find names in a value as if each word were capitalised: file names have few ordinary words."""
        return self._names.replacements(_SMALL_WORD.sub(lambda letter: letter[0].upper(), text), self._file)

    def replace_in(self, root: Element) -> None:
        """Replace names in all texts and attributes of an element and its descendants."""
        done: set[Element] = set()
        for paragraph in [element for element in root.iter() if local_name(element) == "p"]:
            rubies = [(ruby, _base_of(ruby)) for ruby in paragraph.iter() if local_name(ruby) == "ruby"]
            for elements in _ruby_separated(list(_content(paragraph))):
                for is_in_view in _views(elements):
                    # each view sees the replacements of the views before
                    pieces, text = _pieces(elements, is_in_view)
                    self._replace_over_runs(pieces, text)
                    done |= {piece.element for piece in pieces if piece.element is not None}
            for ruby, base in rubies:
                if _base_of(ruby) != base:
                    _clear_guide(ruby)
        for element in root.iter():
            if element not in done and element.text:
                element.text = self.text(element.text)
            if element.tail and element.tail.strip():
                element.tail = self.text(element.tail)
            for name, value in element.attrib.items():
                if (new := self._attribute(element, str(name), str(value))) != value:
                    element.set(name, new)

    def _attribute(self, element: Element, name: str, value: str) -> str:
        if is_text(element, name):
            return "" if _LOCAL_FILE.fullmatch(value) else self.text(value)
        if is_label(element, name, self._own_styles):
            redacted = self.text(value)
            return value if redacted == value else _NO_LABEL.sub("_", redacted)
        return value

    def _replace_over_runs(self, pieces: Sequence[_RedactedPiece], text: str) -> None:
        replacements = self._names.replacements(text, self._file)
        for piece in pieces if replacements else ():
            if piece.element is not None:
                new = "".join(_piece_parts(piece, text, replacements))
                if new != piece.element.text:
                    piece.element.text = new
                    piece.element.set(XML_SPACE, "preserve")


def _substituted(text: str, replacements: Sequence[Replacement]) -> str:
    end, parts = 0, []
    for change in replacements:
        parts += [text[end : change.start], change.text]
        end = change.end
    return "".join([*parts, text[end:]])


def _ruby_separated(elements: Sequence[Element]) -> Iterator[Sequence[Element]]:
    """Yield the elements of a paragraph without phonetic guides, then those of the guides, if any."""
    guides = {inner for element in elements if local_name(element) == "rt" for inner in element.iter()}
    yield [element for element in elements if element not in guides]
    if guides:
        yield [element for element in elements if element in guides]


def _base_of(ruby: Element) -> str:
    bases = [child for child in ruby if local_name(child) == "rubyBase"]
    return "".join(inner.text or "" for base in bases for inner in base.iter() if local_name(inner) == "t")


def _clear_guide(ruby: Element) -> None:
    for guide in [child for child in ruby if local_name(child) == "rt"]:
        for element in guide.iter():
            if local_name(element) == "t":
                element.text = ""


def _piece_parts(piece: _RedactedPiece, text: str, replacements: Sequence[Replacement]) -> Iterator[str]:
    """Yield the new text of a piece; a replacement goes to the piece in which the name begins."""
    end = piece.start
    for change in replacements:
        if change.end > piece.start and change.start < piece.end:
            yield text[end : max(change.start, end)]
            if change.start >= piece.start:
                yield change.text
            end = min(change.end, piece.end)
    yield text[end : piece.end]


def _is_in_accepted_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph with all tracked changes accepted."""
    return local_name(element) == "t"


def _is_in_original_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph before all tracked changes."""
    is_added = any(local_name(ancestor) in _ADDED for ancestor in element.iterancestors())
    return local_name(element) == "delText" or (local_name(element) == "t" and not is_added)


def _is_in_markup_view(element: Element) -> bool:
    """Return whether an element is text of the paragraph with tracked changes shown."""
    return local_name(element) in {"t", "delText"}


def _is_field_code(element: Element) -> bool:
    return local_name(element) in _FIELD_CODES


def _views(elements: Sequence[Element]) -> Iterator[Callable[[Element], bool]]:
    """Yield a predicate of text elements for each view of a paragraph that may differ."""
    names = set(map(local_name, elements))
    yield _is_in_accepted_view
    if names & (_ADDED | {"delText"}):
        yield _is_in_original_view
        yield _is_in_markup_view
    if names & _FIELD_CODES:
        yield _is_field_code


def _pieces(
    elements: Sequence[Element], is_in_view: Callable[[Element], bool]
) -> tuple[list[_RedactedPiece], str]:
    pieces: list[_RedactedPiece] = []
    texts: list[str] = []
    end = 0
    for element in elements:
        is_text = is_in_view(element)
        text = (element.text or "") if is_text else _GAPS.get(local_name(element))
        if text is not None:
            pieces.append(_RedactedPiece(element if is_text else None, end, end + len(text)))
            texts.append(text)
            end += len(text)
    return pieces, "".join(texts)


def _content(parent: Element) -> Iterator[Element]:
    """Yield the descendants of a paragraph in order, without nested paragraphs such as in text boxes."""
    for element in parent:
        if local_name(element) != "p":
            yield element
            yield from _content(element)


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
# thumbnail, custom properties and data, signatures, authors, printer settings
_DROPPED = ("docprops/thumb", "docprops/custom", "customxml/", "_xmlsignatures/", "word/people", "word/print")
_CORE, _APP, _STYLES = "docprops/core.xml", "docprops/app.xml", "word/styles.xml"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT_RELATIONSHIP = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"
_PERSONAL_PROPERTIES = frozenset(
    {"Company", "Manager", "HyperlinkBase", "Template", "TotalTime", "HeadingPairs", "TitlesOfParts"}
)
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
                if self._replacer.text(info.filename) != info.filename:
                    raise NotAnonymousError(self._path, cause=NAME_LEFT)
                # without the modification times of the parts
                entry = zipfile.ZipInfo(info.filename)
                entry.compress_type = zipfile.ZIP_DEFLATED
                package.writestr(entry, self._part(info.filename, data))
        return saved.getvalue()

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
            # may name anyone; page numbers are fields, which Word fills in again
            for element in root.iter("{*}t", "{*}delText") if local_name(root) in {"hdr", "ftr"} else ():
                element.text = ""
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
            _remove(root, [child for child in root if local_name(child) != "creator"])
            owner = self._names.owner_of(self._path)
            for creator in root:
                creator.text = self._names.label(owner) if owner is not None else _(_ANONYMOUS_AUTHOR)
        elif key == _APP:
            _remove(root, [child for child in root if local_name(child) in _PERSONAL_PROPERTIES])
        _remove_everywhere(root, self._dropped_ids(key))
        for element in root.iter():
            for name in list(element.attrib):
                _redact_attribute(element, str(name))

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
    elif local == "initials" and element.get(name.removesuffix("initials") + "author") != AUTHOR:
        element.set(name, _(_ANONYMOUS_AUTHOR)[:1])


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
