"""The parts of a Word document, and which part is which."""

import base64
import binascii
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from lxml import etree

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_
from simcompare.loading.archive import parsed_xml
from simcompare.loading.common.elements import attribute, child, local_name
from simcompare.loading.common.origin import origin_from
from simcompare.receipt import Origin

_MAIN = "officeDocument"
_CORE, _EXTENDED = "core-properties", "extended-properties"
_USUAL_MAIN = "word/document.xml"
_NO_TEXT = N_("the text is missing from the archive")


class Parts(Protocol):
    """Parts by their names, as an archive holds them."""

    def __contains__(self, name: str) -> bool: ...

    def read(self, name: str) -> bytes | None:
        """Return what a part holds, None where there is no such part."""

    def parsed(self, name: str) -> etree._Element | None:
        """Return the root of an XML part, None where there is no such part."""


class FlatParts:
    """A Word document as one XML file, with its parts one after the other."""

    def __init__(self, path: Path, root: etree._Element) -> None:
        self._path = path
        named = ((attribute(part, "name") or "", part) for part in root if local_name(part) == "part")
        self._parts = {_flat_name(name): part for name, part in named}

    def __contains__(self, name: str) -> bool:
        return _flat_name(name) in self._parts

    def read(self, name: str) -> bytes | None:
        """Return what a part holds, None where there is no such part."""
        part = self._parts.get(_flat_name(name))
        data = child(part, "binaryData")
        if data is None:
            root = self.parsed(name)
            return None if root is None else etree.tostring(root)
        try:
            return base64.b64decode(data.text or "")
        except binascii.Error as error:
            raise DamagedFileError(self._path, cause=N_("a part of it is broken")) from error

    def parsed(self, name: str) -> etree._Element | None:
        """Return the root of an XML part, None where there is no such part."""
        content = child(self._parts.get(_flat_name(name)), "xmlData")
        root = next((inner for inner in content if local_name(inner)), None) if content is not None else None
        # Parsed anew, it is a document of its own.
        return None if root is None else parsed_xml(self._path, etree.tostring(root, with_tail=False))


class Package:
    """The parts of a Word file by the kind of their relationship."""

    def __init__(self, path: Path, parts: Parts) -> None:
        self._path = path
        self._parts = parts
        self._package_relations = list(self._relations(""))
        self._main_name = next((name for name in self._main_names() if name in parts), "")
        if not self._main_name:
            raise DamagedFileError(path, cause=_NO_TEXT)
        self._main_relations = list(self._relations(self._main_name))

    def main(self) -> etree._Element:
        """Return the root of the document itself."""
        root = self._parts.parsed(self._main_name)
        if root is None:
            raise DamagedFileError(self._path, cause=_NO_TEXT)
        return root

    def related(self, kind: str) -> list[etree._Element]:
        """Return the parts of a kind ("footnotes", "header" ...) that the document names and that exist."""
        names = dict.fromkeys(target for _, ending, target in self._main_relations if ending == kind)
        return [root for root in map(self._parts.parsed, names) if root is not None]

    def named(self, identifier: str | None) -> bytes | None:
        """Return what the part holds that an element of the document names, None where there is none."""
        target = next((target for name, _, target in self._main_relations if name == identifier), None)
        return None if target is None else self._parts.read(target)

    def core_title(self) -> str | None:
        """Return the title among the file's properties."""
        return self._property(_CORE, "title")

    def origin(self) -> Origin:
        """Return what the file's properties say of who made it."""
        return origin_from(
            author=self._property(_CORE, "creator"),
            last_saved_by=self._property(_CORE, "lastModifiedBy"),
            created=self._property(_CORE, "created"),
            last_saved=self._property(_CORE, "modified"),
            program=self._property(_EXTENDED, "Application"),
        )

    def _property(self, part: str, name: str) -> str | None:
        """Return one of the file's properties; where those are broken, the text is not."""
        try:
            roots = (
                self._parts.parsed(target) for _, kind, target in self._package_relations if kind == part
            )
            found = [one for root in roots if (one := child(root, name)) is not None]
        except DamagedFileError:
            return None
        return found[0].text if found else None

    def _main_names(self) -> Iterator[str]:
        yield from (target for _, kind, target in self._package_relations if kind == _MAIN)
        yield _USUAL_MAIN

    def _relations(self, part: str) -> Iterator[tuple[str | None, str, str]]:
        """Yield id, kind and part of what `part` relates to within the file.

        The last word of the type is the same in every edition.
        """
        folder, name = posixpath.split(part)
        relations = self._parts.parsed(posixpath.join(folder, "_rels", f"{name}.rels"))
        for relation in [] if relations is None else relations:
            target = (relation.get("Target") or "").replace("\\", "/")
            if relation.get("TargetMode") != "External" and target:
                kind = (relation.get("Type") or "").rpartition("/")[2]
                yield (
                    relation.get("Id"),
                    kind,
                    posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/"),
                )


def _flat_name(name: str) -> str:
    return name.lstrip("/").lower()
