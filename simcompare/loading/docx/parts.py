"""The parts of a Word document, and which part is which."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from lxml import etree

from simcompare.errors import DamagedFileError
from simcompare.i18n import N_
from simcompare.loading.archive import Archive

_MAIN = "officeDocument"


def local_name(element: etree._Element) -> str:
    """Return the tag without its namespace (transitional and strict differ in that alone)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element | None, name: str) -> str | None:
    """Return an attribute by its local name."""
    if element is None:
        return None
    return next((str(v) for k, v in element.attrib.items() if str(k).rpartition("}")[2] == name), None)


def child(element: etree._Element | None, name: str) -> etree._Element | None:
    """Return the first child of that local name."""
    if element is None:
        return None
    return next((inner for inner in element if local_name(inner) == name), None)


class Package:
    """The parts of a Word file by the kind of their relationship."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._archive = Archive(path, data)
        main = next(self._targets("", _MAIN), None)
        if main is None or main not in self._archive:
            raise DamagedFileError(path, cause=N_("the text is missing from the archive"))
        self._main_name = main

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._archive.close()

    def main(self) -> etree._Element:
        """Return the root of the document itself."""
        root = self._archive.parsed(self._main_name)
        if root is None:
            raise DamagedFileError(self._path, cause=N_("the text is missing from the archive"))
        return root

    def related(self, kind: str) -> list[etree._Element]:
        """Return the parts of a kind ("footnotes", "header" ...) that the document names and that exist."""
        names = dict.fromkeys(self._targets(self._main_name, kind))
        return [root for root in map(self._archive.parsed, names) if root is not None]

    def core_title(self) -> str | None:
        """Return the title among the file's properties."""
        for name in self._targets("", "core-properties"):
            title = child(self._archive.parsed(name), "title")
            if title is not None:
                return title.text
        return None

    def _targets(self, part: str, kind: str) -> Iterator[str]:
        """Yield the parts that `part` relates to; the type's last word is the same in every edition."""
        folder, name = posixpath.split(part)
        relations = self._archive.parsed(posixpath.join(folder, "_rels", f"{name}.rels"))
        for relation in [] if relations is None else relations:
            target = relation.get("Target") or ""
            if (relation.get("Type") or "").endswith(f"/{kind}") and relation.get("TargetMode") != "External":
                yield posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
