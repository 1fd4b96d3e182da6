"""Parts of an OpenDocument text, zipped or in one flat file, and its styles."""

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import TEXT_MISSING, Archive, parsed_xml
from simcompare.loading.extraction import Source
from simcompare.loading.shared.file_origin import origin_from
from simcompare.loading.shared.pictures import PictureCollector, pictures_named
from simcompare.loading.shared.visibility import (
    AUTOMATIC,
    UNKNOWN,
    UNSPECIFIED,
    WHITE,
    ColourOrUnknown,
    TextAppearance,
    colour_in,
    is_contents_style,
    kind_by_names,
    style_chain,
)
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of, without_doctype
from simcompare.model.document import BlockKind, Origin
from simcompare.model.errors import (
    DamagedFileError,
    FileTooLargeError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from simcompare.support.i18n import N_

_HEADING_OF_CONTENTS = frozenset({"contents heading", "toc heading"})
_ENCODED = re.compile(r"_([0-9a-f]{2,4})_")
_LENGTH = re.compile(r"(-?(?:\d++\.?\d*+|\.\d++))\s*+(pt|cm|mm|in|inch|px|pc|%)?")
_POINTS = {"pt": 1.0, "cm": 28.35, "mm": 2.835, "in": 72.0, "inch": 72.0, "px": 0.75, "pc": 12.0}
_DEFAULT_POINTS = 12.0
_MIN_OPACITY_PERCENT = 5
_BACKGROUND_PROPERTIES = (
    "paragraph-properties",
    "table-cell-properties",
    "table-row-properties",
    "table-properties",
)
_BODY_STYLES = ("Standard", "Normal", "Text_20_body")


def points_of(length: str | None, whole: float = _DEFAULT_POINTS) -> float | None:
    """Return a length in points; a percentage is relative to `whole`."""
    match = _LENGTH.fullmatch((length or "").strip())
    if match is None:
        return None
    number = float(match[1])
    return number * whole / 100 if match[2] == "%" else number * _POINTS[match[2] or "pt"]


@dataclass(frozen=True, slots=True)
class OdtParagraphStyle:
    """A paragraph style with inherited values; `kind` and `background` are None if unspecified."""

    kind: BlockKind | None
    contents: bool
    appearance: TextAppearance
    bold: bool
    centred: bool
    background: ColourOrUnknown | None
    list_style: str


class OdtStyles:
    def __init__(self, roots: list[etree._Element]) -> None:
        """Collect the styles below `roots`; the first of equal names takes precedence."""
        self._named: dict[tuple[str, str], etree._Element] = {}
        self._defaults: dict[str, etree._Element] = {}
        for style in (style for root in roots for style in root.iter("{*}style", "{*}default-style")):
            family = attribute(style, "family") or ""
            if local_name(style) == "style":
                self._named.setdefault((family, attribute(style, "name") or ""), style)
            else:
                self._defaults.setdefault(family, style)
        self.page_background = _page_background(roots)
        self.paragraph = lru_cache(maxsize=None)(self._paragraph)
        self.background = lru_cache(maxsize=None)(self._background)
        self.nested_appearance = lru_cache(maxsize=10_000)(self._nested_appearance)

    def body_half_points(self) -> float:
        name = next((name for name in _BODY_STYLES if ("paragraph", name) in self._named), "")
        return self.paragraph(name).appearance.half_points or 2 * _DEFAULT_POINTS

    def _paragraph(self, name: str) -> OdtParagraphStyle:
        chain = self._chain("paragraph", name)
        names = [readable for style in chain for readable in _names(style)]
        # in OpenOffice 1 text and paragraph properties are one element
        common = [child(style, "properties") for style in chain]
        attributes = [child(style, "text-properties") for style in chain] + common
        weights = (attribute(part, "font-weight") for part in attributes)
        laid_out = [child(style, "paragraph-properties") for style in chain] + common
        alignments = (attribute(part, "text-align") for part in laid_out)
        lists = (attribute(style, "list-style-name") for style in chain)
        return OdtParagraphStyle(
            kind=kind_by_names(names),
            contents=any(is_contents_style(name) or name in _HEADING_OF_CONTENTS for name in names),
            appearance=self.nested_appearance(UNSPECIFIED, "paragraph", name),
            bold=next((weight in {"bold", "700", "800", "900"} for weight in weights if weight), False),
            centred=next((alignment for alignment in alignments if alignment), "") == "center",
            background=self.background("paragraph", name),
            list_style=next((name for name in lists if name), ""),
        )

    def _nested_appearance(self, context: TextAppearance, family: str, name: str) -> TextAppearance:
        """Return the appearance of text with a style within text of the appearance `context`."""
        appearance = context
        default = [self._defaults[family]] if family == "paragraph" and family in self._defaults else []
        for style in (*default, *reversed(self._chain(family, name))):
            for part in style:
                if local_name(part) in {"text-properties", "properties"}:
                    appearance = _appearance_of(part, appearance).over(appearance)
        return appearance

    def _background(self, family: str, name: str) -> ColourOrUnknown | None:
        """Return the background of a paragraph, cell, table or frame style, or None."""
        for style in self._chain(family, name):
            for part in style:
                found = _background_of(part)
                if found is not None:
                    return found if found != "" else None
        return None

    def _chain(self, family: str, name: str) -> list[etree._Element]:
        """Return a style followed by its ancestors; a style may be its own ancestor."""
        return style_chain(
            self._named.get((family, name)),
            lambda style: self._named.get((family, attribute(style, "parent-style-name") or "")),
        )


def _names(style: etree._Element) -> Iterator[str]:
    for name in (attribute(style, "display-name"), attribute(style, "name")):
        if name:
            yield _ENCODED.sub(lambda match: chr(int(match[1], 16)), name).strip().lower()


def _appearance_of(part: etree._Element, context: TextAppearance) -> TextAppearance:
    """Return the appearance that text properties specify; sizes may be relative to `context`."""
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in part.attrib.items()}
    display = attributes.get("display")
    outlines = [
        attributes[name] for name in ("text-outline", "text-shadow", "font-relief") if name in attributes
    ]
    background = attributes.get("text-background-color")
    if not background and local_name(part) == "text-properties":
        # in OpenOffice 1 it is that of the paragraph
        background = attributes.get("background-color")
    return TextAppearance(
        hidden=True if _is_transparent(attributes) else None if display is None else display == "none",
        colour=_colour(attributes),
        half_points=_half_points(attributes, context),
        width_percent=number_of(attributes["text-scale"].rstrip("%"), 100)
        if "text-scale" in attributes
        else None,
        outlined=any(value not in {"false", "none"} for value in outlines) if outlines else None,
        background=_colour_value(background),
    )


def _is_transparent(attributes: dict[str, str]) -> bool:
    """Return whether text is transparent; the automatic colour is always written as transparent."""
    opacity = number_of(attributes.get("opacity", "100%").rstrip("%"), 100)
    return opacity < _MIN_OPACITY_PERCENT and attributes.get("use-window-font-color") != "true"


def _half_points(attributes: dict[str, str], context: TextAppearance) -> int | None:
    """Return the font size, also of superscripts and subscripts, which are smaller."""
    before = (context.half_points or 2 * _DEFAULT_POINTS) / 2
    points = points_of(attributes.get("font-size"), before) if "font-size" in attributes else None
    raised = attributes.get("text-position", "").split()
    if len(raised) == 2 and (smaller := points_of(raised[1], points or before)) is not None:
        points = smaller
    return None if points is None else round(2 * points)


def _colour(attributes: dict[str, str]) -> ColourOrUnknown | None:
    if attributes.get("use-window-font-color") == "true":
        return AUTOMATIC
    return _colour_value(attributes.get("color"))


def _colour_value(value: str | None) -> ColourOrUnknown | None:
    if not value or value == "transparent":
        return None
    found = colour_in(value.lower())
    return found[0] if found else UNKNOWN


def _background_of(part: etree._Element) -> ColourOrUnknown | None:
    """Return the background in properties, None if unspecified, "" if it is removed."""
    name = local_name(part)
    if name == "graphic-properties":
        return _fill(part)
    if name not in {*_BACKGROUND_PROPERTIES, "properties", "page-layout-properties"}:
        return None
    if attribute(child(part, "background-image"), "href"):
        return UNKNOWN
    value = attribute(part, "background-color")
    return "" if value == "transparent" else _colour_value(value)


def _fill(part: etree._Element) -> ColourOrUnknown | None:
    fill = attribute(part, "fill")
    if fill == "solid":
        return _colour_value(attribute(part, "fill-color"))
    if fill in {"bitmap", "gradient", "hatch"}:
        return UNKNOWN
    value = attribute(part, "background-color")
    return "" if fill == "none" or value == "transparent" else _colour_value(value)


def _page_background(roots: list[etree._Element]) -> ColourOrUnknown:
    """Return the background of all pages, UNKNOWN if they differ."""
    layouts = (layout for root in roots for layout in root.iter("{*}page-layout-properties"))
    backgrounds = {_fill(layout) or _background_of(layout) or WHITE for layout in layouts}
    return backgrounds.pop() if len(backgrounds) == 1 else UNKNOWN if backgrounds else WHITE


_MANIFEST = "META-INF/manifest.xml"
# LibreOffice 24.8 and later encrypts the whole package as one part of this name.
_WHOLE_PACKAGE = "encrypted-package"
_MAX_PART_BYTES = 100_000_000
# Limit for hostile files; 100,000 iterations are usual.
_MAX_ITERATIONS = 2_000_000
_CHECKED_BYTES = 1024
_BROKEN = N_("its password protection is broken")


@dataclass(frozen=True, slots=True)
class _PartEncryption:
    """Encryption of a part. `start` and `checked` are names of hashlib digests."""

    vector: bytes
    salt: bytes
    iterations: int
    start: str
    checked: str | None
    checksum: bytes


class OdtManifest:
    """Reads the parts of an archive; encrypted ones are opened with `password`."""

    def __init__(self, path: Path, archive: Archive, password: str | None) -> None:
        self._path = path
        self._archive = archive
        self._password = password
        self._encryption_elements = self._encrypted_parts()
        if self._encryption_elements and not password:
            raise PasswordNeededError(path)
        if _WHOLE_PACKAGE in self._encryption_elements:
            raise self._unusual()

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a part, or None if there is none.

        Raises WrongPasswordError, UnsupportedFormatError, DamagedFileError or FileTooLargeError.
        """
        data = self._archive.read(name)
        if data is None or name not in self._encryption_elements:
            return data
        encryption = self._part_encryption(self._encryption_elements[name])
        packed = self._decrypted(data, encryption)
        if (
            encryption.checked
            and hashlib.new(encryption.checked, packed[:_CHECKED_BYTES]).digest() != encryption.checksum
        ):
            raise WrongPasswordError(self._path)
        return self._inflated(packed)

    def _encrypted_parts(self) -> dict[str, etree._Element]:
        data = self._archive.read(_MANIFEST)
        if data is None or b"encryption-data" not in data:
            return {}
        entries = parsed_xml(self._path, without_doctype(data)).iter("{*}file-entry")
        found = ((attribute(entry, "full-path") or "", child(entry, "encryption-data")) for entry in entries)
        return {name: encryption for name, encryption in found if encryption is not None}

    def _unusual(self) -> UnsupportedFormatError:
        return UnsupportedFormatError(self._path, format=N_("an unusual encryption"))

    def _part_encryption(self, encryption: etree._Element) -> _PartEncryption:
        named = {local_name(inner): inner for inner in encryption}
        algorithm, derivation = named.get("algorithm"), named.get("key-derivation")
        iterations = number_of(attribute(derivation, "iteration-count"), 0)
        if (
            not (attribute(algorithm, "algorithm-name") or "").endswith("#aes256-cbc")
            or not (attribute(derivation, "key-derivation-name") or "").upper().endswith("PBKDF2")
            or not 0 < iterations <= _MAX_ITERATIONS
        ):
            raise self._unusual()
        start = attribute(named.get("start-key-generation"), "start-key-generation-name") or ""
        return _PartEncryption(
            vector=self._bytes(attribute(algorithm, "initialisation-vector")),
            salt=self._bytes(attribute(derivation, "salt")),
            iterations=iterations,
            start="sha256" if start.lower().endswith("sha256") else "sha1",
            checked=_digest_name(attribute(encryption, "checksum-type") or ""),
            checksum=self._bytes(attribute(encryption, "checksum")),
        )

    def _bytes(self, text: str | None) -> bytes:
        try:
            return base64.b64decode(text or "")
        except (binascii.Error, ValueError) as error:
            raise DamagedFileError(self._path, cause=_BROKEN) from error

    def _decrypted(self, data: bytes, encryption: _PartEncryption) -> bytes:
        # not needed for unencrypted documents
        from cryptography.hazmat.primitives.ciphers import Cipher  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.algorithms import AES256  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.modes import CBC  # noqa: PLC0415

        start = hashlib.new(encryption.start, (self._password or "").encode()).digest()
        key = hashlib.pbkdf2_hmac("sha1", start, encryption.salt, encryption.iterations, 32)
        try:
            decryptor = Cipher(AES256(key), CBC(encryption.vector)).decryptor()
            padded = decryptor.update(data) + decryptor.finalize()
        except ValueError as error:
            raise DamagedFileError(self._path, cause=_BROKEN) from error
        # The last byte is the length of the padding.
        return padded[: -padded[-1]] if padded else padded

    def _inflated(self, packed: bytes) -> bytes:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = inflater.decompress(packed, _MAX_PART_BYTES)
        except zlib.error as error:
            raise WrongPasswordError(self._path) from error
        if inflater.unconsumed_tail:
            raise FileTooLargeError(self._path, cause=N_("it is too large when unpacked"))
        return data


def _digest_name(checksum_type: str) -> str | None:
    kind = checksum_type.lower()
    if not kind.endswith("1k"):
        return None
    return "sha256" if "sha256" in kind else "sha1"


_BINARY = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")


@dataclass(frozen=True, slots=True)
class OdtParts:
    """Contents of a document: text root, roots with styles, title, origin, formulas by name, broken parts.

    pictures: of a zipped document.
    """

    text: etree._Element
    styles: list[etree._Element]
    title: str
    origin: Origin
    formulas: dict[str, etree._Element] = field(default_factory=dict)
    unread: int = 0
    pictures: PictureCollector = field(default_factory=PictureCollector)


def parts_of(source: Source, password: str | None) -> OdtParts:
    """Open a document, flat or zipped.

    Raises PasswordNeededError, WrongPasswordError, UnsupportedFormatError for an unknown encryption, and
    DamagedFileError.
    """
    return _zipped(source, password) if source.data.startswith(b"PK") else _flat(source)


def _flat(source: Source) -> OdtParts:
    root = _parsed(source.path, _BINARY.sub(b"", source.data))
    return OdtParts(_body(source.path, root), [root], _property(root, "title"), _origin(root))


def _zipped(source: Source, password: str | None) -> OdtParts:
    archive = Archive(source.path, source.data)
    try:
        manifest = OdtManifest(source.path, archive, password)
        content = manifest.read("content.xml")
        if content is None:
            raise DamagedFileError(source.path, cause=TEXT_MISSING)
        root = _parsed(source.path, content)
        parsed, unread = {"content.xml": root}, 0
        for name in ("styles.xml", "meta.xml"):
            try:
                if data := manifest.read(name):
                    parsed[name] = _parsed(source.path, data)
            except DamagedFileError:
                unread += 1
        formulas = dict(_formulas(source.path, manifest, root))
        meta = parsed.pop("meta.xml", None)
        title, origin = _property(meta, "title"), _origin(meta)
        text = _body(source.path, root)
        pictures = pictures_named(map(_object_name, text.iter("{*}image")), manifest.read)
        return OdtParts(text, [*parsed.values()], title, origin, formulas, unread, pictures)
    finally:
        archive.close()


def _parsed(path: Path, data: bytes) -> etree._Element:
    return parsed_xml(path, without_doctype(data))


def _body(path: Path, root: etree._Element) -> etree._Element:
    """Return the text root: office:text, in OpenOffice 1 the body itself."""
    body = child(root, "body")
    if body is None:
        raise DamagedFileError(path, cause=TEXT_MISSING)
    text = child(body, "text")
    return body if text is None else text


def _property(root: etree._Element | None, name: str) -> str:
    found = child(root if root is not None and local_name(root) == "meta" else child(root, "meta"), name)
    return "" if found is None else found.text or ""


def _origin(root: etree._Element | None) -> Origin:
    """Return the unverified metadata; `creator` is who saved the file last."""
    return origin_from(
        author=_property(root, "initial-creator"),
        last_saved_by=_property(root, "creator"),
        created=_property(root, "creation-date"),
        last_saved=_property(root, "date"),
        program=_property(root, "generator"),
    )


def _formulas(
    path: Path, manifest: OdtManifest, root: etree._Element
) -> Iterator[tuple[str, etree._Element]]:
    """Yield the displayed formulas; each is a separate document in the archive."""
    for display_levels in root.iter("{*}object"):
        name = _object_name(display_levels)
        data = manifest.read(f"{name}/content.xml") if name else None
        formula = _parsed(path, data) if data else None
        if formula is not None and local_name(formula) == "math":
            yield name, formula


def _object_name(display_levels: etree._Element) -> str:
    href = display_levels.get("{http://www.w3.org/1999/xlink}href") or ""
    return href.removeprefix("./").removeprefix("#").strip("/")


def formula_in(display_levels: etree._Element, formulas: dict[str, etree._Element]) -> etree._Element | None:
    """Return the formula of an object, inline or from the archive."""
    nested_style = child(display_levels, "math")
    return formulas.get(_object_name(display_levels)) if nested_style is None else nested_style


# Elements without text of the document: index templates, controls, scripts, note numbers.
_SKIPPED = frozenset(
    {
        *("forms", "script", "scripts", "number", "note-citation", "footnote-citation", "endnote-citation"),
        *("settings", "event-listeners", "binary-data", "enhanced-geometry", "font-face-decls"),
        *("automatic-styles", "styles", "master-styles", "object", "object-ole", "plugin", "applet"),
    }
)
_TEXT_PARAGRAPHS = frozenset({"p", "h"})
# Larger than any page.
_MAX_POINTS = 4000.0
# 6 cm: a picture of at least this width and height may show a page.
_LARGE_POINTS = 170.0
_MAX_REPEATED_LENGTH = 200


def is_skipped(element: etree._Element) -> bool:
    """Return whether an element has no visible text, such as the title or description of a picture."""
    name = local_name(element)
    if name in {"title", "desc"}:
        return ":text:" not in str(element.tag) and "/text}" not in str(element.tag)
    return not name or name in _SKIPPED or name.endswith(("-source", "-decls", "change-info"))


def without_anchor(text: str | None) -> str | None:
    """Remove the zero-width space that LibreOffice writes at the anchor of a shape of a Word file."""
    return text.removesuffix("\u200b") if text else text


def is_short(element: etree._Element) -> bool:
    """Return whether a row or a cell has few elements and little text."""
    parts = [
        len(part.text or "") + len(part.tail or "") for part in islice(element.iter(), _MAX_REPEATED_LENGTH)
    ]
    return len(parts) < _MAX_REPEATED_LENGTH and sum(parts) < _MAX_REPEATED_LENGTH


def is_outside_page(definition: etree._Element) -> bool:
    """Return whether the offset of a shape is larger than any page."""
    places = (points_of(attribute(definition, name)) for name in ("x", "y"))
    return any(place is not None and abs(place) > _MAX_POINTS for place in places)


def is_large_picture(frame: etree._Element) -> bool:
    """Return whether a frame shows a picture large enough to hold text."""
    sizes = [points_of(attribute(frame, name)) or 0.0 for name in ("width", "height")]
    return child(frame, "image") is not None and min(sizes) >= _LARGE_POINTS


def written_text(element: etree._Element) -> str:
    return " ".join("".join(map(str, paragraph.itertext())) for paragraph in _outermost(element))


def _outermost(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the paragraphs that are not nested in another; notes and text boxes may be."""
    events = etree.iterwalk(element, events=("start",))
    for _event, inner in events:
        if local_name(inner) in _TEXT_PARAGRAPHS:
            events.skip_subtree()
            yield inner
