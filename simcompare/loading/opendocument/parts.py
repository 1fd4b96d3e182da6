"""The parts of an OpenDocument text, zipped or in one flat file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_
from simcompare.loading.archive import Archive, parsed_xml
from simcompare.loading.common.doctype import without_doctype
from simcompare.loading.common.elements import child, local_name
from simcompare.loading.common.origin import origin_from
from simcompare.loading.extraction import Source
from simcompare.loading.opendocument.encryption import Manifest
from simcompare.receipt import Origin

_BINARY = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")
_MISSING_TEXT = N_("the text is missing from the archive")


@dataclass(frozen=True, slots=True)
class Parts:
    """The roots of a document: its text, what its styles stand in, its properties, its formulas by name."""

    text: etree._Element
    styles: list[etree._Element]
    title: str
    origin: Origin
    formulas: dict[str, etree._Element] = field(default_factory=dict)


def parts_of(source: Source, password: str | None) -> Parts:
    """Open a document, flat or zipped.

    Raises PasswordNeededError, WrongPasswordError, UnsupportedFormatError for an encryption that is not
    known here, and DamagedFileError.
    """
    return _zipped(source, password) if source.data.startswith(b"PK") else _flat(source)


def _flat(source: Source) -> Parts:
    root = _parsed(source.path, _BINARY.sub(b"", source.data))
    return Parts(_body(source.path, root), [root], _property(root, "title"), _origin(root))


def _zipped(source: Source, password: str | None) -> Parts:
    archive = Archive(source.path, source.data)
    try:
        manifest = Manifest(source.path, archive, password)
        content = manifest.read("content.xml")
        if content is None:
            raise DamagedFileError(source.path, cause=_MISSING_TEXT)
        root = _parsed(source.path, content)
        others = {name: manifest.read(name) for name in ("styles.xml", "meta.xml")}
        parsed = {name: _parsed(source.path, data) for name, data in others.items() if data}
        styles = [root, *(parsed[name] for name in ("styles.xml",) if name in parsed)]
        formulas = dict(_formulas(source.path, manifest, root))
        meta = parsed.get("meta.xml")
        title, origin = _property(meta, "title"), _origin(meta)
        return Parts(_body(source.path, root), styles, title, origin, formulas)
    finally:
        archive.close()


def _parsed(path: Path, data: bytes) -> etree._Element:
    return parsed_xml(path, without_doctype(data))


def _body(path: Path, root: etree._Element) -> etree._Element:
    """Return what the text stands in: office:text, in OpenOffice 1 the body itself."""
    body = child(root, "body")
    if body is None:
        raise DamagedFileError(path, cause=_MISSING_TEXT)
    text = child(body, "text")
    return body if text is None else text


def _property(root: etree._Element | None, name: str) -> str:
    found = child(root if root is not None and local_name(root) == "meta" else child(root, "meta"), name)
    return "" if found is None else found.text or ""


def _origin(root: etree._Element | None) -> Origin:
    """Return what the properties say: `creator` is who saved the file last."""
    return origin_from(
        author=_property(root, "initial-creator"),
        last_saved_by=_property(root, "creator"),
        created=_property(root, "creation-date"),
        last_saved=_property(root, "date"),
        program=_property(root, "generator"),
    )


def _formulas(path: Path, manifest: Manifest, root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield the formulas that the text shows; each is a document of its own within the archive."""
    for shown in root.iter("{*}object"):
        name = _target(shown)
        data = manifest.read(f"{name}/content.xml") if name else None
        formula = _parsed(path, data) if data else None
        if formula is not None and local_name(formula) == "math":
            yield name, formula


def _target(shown: etree._Element) -> str:
    href = shown.get("{http://www.w3.org/1999/xlink}href") or ""
    return href.removeprefix("./").removeprefix("#").strip("/")


def formula_in(shown: etree._Element, formulas: dict[str, etree._Element]) -> etree._Element | None:
    """Return the formula that an object shows, from within it or from the archive."""
    inside = child(shown, "math")
    return formulas.get(_target(shown)) if inside is None else inside
