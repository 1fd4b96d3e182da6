"""Read and write the parts of a Word file; unchanged parts stay the same to the byte."""

import io
import posixpath
import zipfile
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import parsed_xml
from simcompare.loading.shared.xml_elements import local_name

XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAIN = "/officeDocument"
_TYPES = "[Content_Types].xml"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


@dataclass(frozen=True, slots=True)
class PackageRelation:
    """Relationship of a part; `target` is the name of another part."""

    kind: str
    target: str


class WordPackage:
    """Word file opened for changes; unchanged parts stay the same to the byte."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._infos = {part_key(info.filename): info for info in self._zip.infolist()}
        self._roots: dict[str, etree._Element] = {}
        self._changed: set[str] = set()
        self._added: list[str] = []
        self.main_name = next(
            (relation.target for relation in self._relations_of("") if relation.kind.endswith(_MAIN)),
            "word/document.xml",
        )

    @property
    def is_signed(self) -> bool:
        """True if the file has a digital signature."""
        return any(name.startswith("_xmlsignatures/") for name in self._infos)

    def names(self) -> Iterator[str]:
        yield from self._infos

    def part(self, name: str) -> etree._Element | None:
        """Return the root element of a part for reading or changing, None if there is no such part."""
        key = part_key(name)
        if key not in self._roots:
            if key not in self._infos:
                return None
            self._roots[key] = parsed_xml(self._path, self._zip.read(self._infos[key]))
        return self._roots[key]

    def mark_changed(self, element: etree._Element) -> None:
        """Mark the part of an element as changed, so that it is serialised again."""
        root = element.getroottree().getroot()
        self._changed |= {key for key, known in self._roots.items() if known is root}

    def contains(self, name: str, data: bytes) -> bool:
        return data in self._zip.read(self._infos[part_key(name)])

    def related(self, kind: str) -> str | None:
        """Return the name of the part of a kind ("comments", "styles") related to the document."""
        relations = self._relations_of(self.main_name)
        names = (relation.target for relation in relations if relation.kind.endswith(f"/{kind}"))
        return next((name for name in names if part_key(name) in self._infos), None)

    def add_related(self, kind: str, content_type: str, root: etree._Element) -> None:
        """Add a part related to the document, in the same folder."""
        folder = posixpath.dirname(self.main_name)
        name = next(name for name in _free_names(folder, kind) if part_key(name) not in self._infos)
        self._add(name, root)
        self._add_relationship(kind, posixpath.basename(name))
        types = self.part(_TYPES)
        if types is not None:
            override = etree.SubElement(types, f"{{{_CONTENT_TYPES}}}Override")
            override.set("PartName", f"/{name}")
            override.set("ContentType", content_type)
            self.mark_changed(types)

    def _add(self, name: str, root: etree._Element) -> None:
        self._roots[part_key(name)] = root
        self._added.append(name)

    def _add_relationship(self, kind: str, target: str) -> None:
        name = _relations_name(self.main_name)
        root = self.part(name)
        if root is None:
            root = etree.fromstring(f'<Relationships xmlns="{_RELATIONS}"/>')
            self._add(name, root)
        taken = {relation.get("Id") for relation in root}
        relation = etree.SubElement(root, f"{{{_RELATIONS}}}Relationship")
        relation.set(
            "Id", next(f"rIdSimcompare{n}" for n in range(1, 10_000) if f"rIdSimcompare{n}" not in taken)
        )
        relation.set("Type", self._edition() + f"/{kind}")
        relation.set("Target", target)
        self.mark_changed(root)

    def _edition(self) -> str:
        """Return the prefix of relationship types in this file: transitional or strict Office Open XML."""
        kinds = (relation.kind for relation in self._relations_of(""))
        return next((kind.removesuffix(_MAIN) for kind in kinds if kind.endswith(_MAIN)), _USUAL_EDITION)

    def _relations_of(self, part: str) -> list[PackageRelation]:
        name = _relations_name(part)
        if part_key(name) not in self._infos:
            return []
        root = parsed_xml(self._path, self._zip.read(self._infos[part_key(name)]))
        folder = posixpath.dirname(part)
        return [
            PackageRelation(relation.get("Type") or "", _part_name(folder, relation.get("Target") or ""))
            for relation in root
            if local_name(relation) == "Relationship" and relation.get("TargetMode") != "External"
        ]

    def saved(self) -> bytes:
        """Return the changed file; the same changes give the same bytes."""
        return self._packed(self._infos, self._changed)

    def for_reading(self) -> bytes:
        """Return the file with all parts as they are now, without media files."""
        return self._packed([name for name in self._infos if "/media/" not in name], self._roots)

    def _packed(self, kept: Container[str], serialised: Container[str]) -> bytes:
        saved = io.BytesIO()
        with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as copy:
            for info in self._zip.infolist():
                key = part_key(info.filename)
                if key in kept:
                    data = _serialised(self._roots[key]) if key in serialised else self._zip.read(info)
                    copy.writestr(_entry(info), data)
            for name in self._added:
                copy.writestr(zipfile.ZipInfo(name), _serialised(self._roots[part_key(name)]))
        return saved.getvalue()


_USUAL_EDITION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _free_names(folder: str, kind: str) -> Iterator[str]:
    yield posixpath.join(folder, f"{kind}.xml")
    yield from (posixpath.join(folder, f"{kind}{number}.xml") for number in range(2, 10_000))


def _relations_name(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _part_name(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/"))).lstrip("/")


def _entry(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Copy the ZIP entry header: name, time, compression, attributes."""
    entry = zipfile.ZipInfo(info.filename, info.date_time)
    entry.compress_type = (
        info.compress_type if info.compress_type == zipfile.ZIP_STORED else zipfile.ZIP_DEFLATED
    )
    entry.external_attr, entry.create_system = info.external_attr, info.create_system
    return entry


def _serialised(root: etree._Element) -> bytes:
    data = etree.tostring(root.getroottree(), xml_declaration=True, encoding="UTF-8", standalone=True)
    return bytes(data)


def part_key(name: str) -> str:
    """Normalise the name of a part for comparison."""
    return name.replace("\\", "/").lstrip("/").lower()
