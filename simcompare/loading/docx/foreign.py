"""What a document shows of other parts: whole documents within it, and the text of diagrams."""

from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from simcompare.document import BlockKind
from simcompare.errors import FileError
from simcompare.loading.archive import parsed_xml
from simcompare.loading.common.elements import attribute, child, local_name, number_of
from simcompare.loading.extraction import Piece, Source
from simcompare.loading.options import ReadingOptions
from simcompare.loading.readers import Reader, reader_of
from simcompare.loading.sniffing import sniff
from simcompare.receipt import Dropped, Flag, FlagName

# Beside documents of Word's own, which may hold others in turn.
_FORMATS = frozenset({"html", "mhtml", "rtf", "text"})
# Each may be read in a moment, and the same one be named again and again.
_MOST_PARTS = 100
_NODES = frozenset({None, "node", "asst"})


class Foreign:
    """Reads such parts, and keeps what their readers tell of them.

    `named` returns what the part holds that an element names; `word_readers` are those of documents that
    may hold others in turn.
    """

    def __init__(
        self,
        path: Path,
        named: Callable[[str | None], bytes | None],
        options: ReadingOptions,
        word_readers: dict[str, Reader],
    ) -> None:
        self.dropped: list[Dropped] = []
        self.flags: list[Flag] = []
        self._path = path
        self._named = named
        self._options = options
        self._word_readers = word_readers
        self._named_parts = 0
        self._documents: dict[str | None, list[Piece]] = {}
        self._unread = 0

    def pieces(self, element: etree._Element) -> list[Piece]:
        """Return what is read of the part that an element names; one that is not there shows nothing."""
        self._named_parts += 1
        if self._named_parts > _MOST_PARTS:
            self._unread += 1
            return []
        if local_name(element) == "relIds":
            data = self._named(attribute(element, "dm"))
            return [] if data is None else list(_diagram(parsed_xml(self._path, data)))
        name = attribute(element, "id")
        if name not in self._documents:
            data = self._named(name)
            self._documents[name] = self._document(data) if data else []
        return self._documents[name]

    def unread(self) -> list[Flag]:
        """Return a flag where a part could not be read."""
        return [Flag(FlagName.UNREAD_PART, self._unread)] if self._unread else []

    def _document(self, data: bytes) -> list[Piece]:
        kind = sniff(data)
        reader = reader_of(kind) if kind in _FORMATS else self._word_readers.get(kind)
        try:
            extraction = reader(Source(self._path, data), self._options) if reader else None
        except FileError:
            extraction = None
        if extraction is None:
            self._unread += 1
            return []
        self.dropped += extraction.dropped
        self.flags += extraction.flags
        return [Piece(piece.kind, piece.text) for piece in extraction.pieces]


def _diagram(root: etree._Element) -> Iterator[Piece]:
    """Yield the texts of a diagram in the order of its outline."""
    points = {attribute(point, "modelId") or "": point for point in root.iter("{*}pt")}
    for name in _outline(root, points):
        point = points[name]
        text = child(point, "t")
        if text is not None and attribute(point, "type") in _NODES:
            for paragraph in text.iter("{*}p"):
                yield Piece(BlockKind.PARAGRAPH, "".join(run.text or "" for run in paragraph.iter("{*}t")))


def _outline(root: etree._Element, points: dict[str, etree._Element]) -> Iterator[str]:
    """Yield the names of points, each before those below it, then those that nothing joins."""
    below: dict[str, list[tuple[int, str]]] = {}
    for line in root.iter("{*}cxn"):
        if attribute(line, "type") in {None, "parOf"}:
            order = number_of(attribute(line, "srcOrd"), 0)
            below.setdefault(attribute(line, "srcId") or "", []).append(
                (order, attribute(line, "destId") or "")
            )
    waiting = [*reversed(points), *(n for n, point in points.items() if attribute(point, "type") == "doc")]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in points and name not in seen:
            seen.add(name)
            yield name
            waiting += [lower for _, lower in sorted(below.get(name, ()), reverse=True)]
