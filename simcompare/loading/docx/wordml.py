"""Documents that Word 2003 saved as one XML file: what stands where in it."""

from lxml import etree

from simcompare.loading.common.elements import child
from simcompare.loading.common.origin import origin_from
from simcompare.receipt import Origin

_PARTS = {"styles": "styles", "numbering": "lists"}
_WITHIN_SECTIONS = {"header": "hdr", "footer": "ftr"}


class Word2003:
    """The parts of a document by the words that name the parts of a package."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root

    def main(self) -> etree._Element:
        """Return the text itself."""
        body = child(self._root, "body")
        return self._root if body is None else body

    def related(self, kind: str) -> list[etree._Element]:
        """Return the parts of a kind ("styles", "header" ...); notes and comments stand in the text."""
        if kind in _WITHIN_SECTIONS:
            return list(self._root.iter(f"{{*}}{_WITHIN_SECTIONS[kind]}"))
        part = child(self._root, _PARTS.get(kind, ""))
        return [] if part is None else [part]

    def named(self, _identifier: str | None) -> bytes | None:
        """Return no part: none is apart from the text."""
        return None

    def core_title(self) -> str | None:
        """Return the title among the file's properties."""
        return self._property("Title")

    def origin(self) -> Origin:
        """Return what the file's properties say of who made it."""
        return origin_from(
            author=self._property("Author"),
            last_saved_by=self._property("LastAuthor"),
            created=self._property("Created"),
            last_saved=self._property("LastSaved"),
        )

    def _property(self, name: str) -> str | None:
        found = child(child(self._root, "DocumentProperties"), name)
        return None if found is None else found.text
