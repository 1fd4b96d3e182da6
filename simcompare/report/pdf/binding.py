"""Pages bound into one file: their foot, links, bookmarks, and what the file says of itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from simcompare.report.pdf.canvas import PAGE_HEIGHT_PT, PAGE_WIDTH_PT, Canvas
from simcompare.report.pdf.file import PdfFile, array, date, dictionary, literal, real, reference


@dataclass(frozen=True, slots=True)
class FileTitle:
    """What a file says of itself."""

    title: str
    program: str
    language: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A heading and its place: the page from 1, and how far from the upper edge."""

    text: str
    page: int
    y: float


@dataclass(frozen=True, slots=True)
class _Page:
    number: int
    content: int
    links: Sequence[tuple[tuple[float, float, float, float], str]]


class Binder:
    """Takes finished pages and binds them; `foot` draws that of page n of N."""

    def __init__(self, file: PdfFile, foot: Callable[[Canvas, int, int], None]) -> None:
        self._file = file
        self._foot = foot
        self._pages: list[_Page] = []
        self._places: dict[str, bytes] = {}
        self._tree = file.reserve()

    def take(self, canvas: Canvas) -> None:
        """Take a page that is full. What is drawn on it is packed at once."""
        number = self._file.reserve()
        self._pages.append(_Page(number, self._file.add_stream(_packed(canvas)), canvas.links))
        for name, top in canvas.places.items():
            self._places.setdefault(name, _destination(number, top))

    def bind(
        self, resources: Callable[[], Mapping[str, bytes]], bookmarks: Sequence[Bookmark], title: FileTitle
    ) -> bytes:
        """Return the file. `resources` is asked once all text is drawn."""
        feet = [self._footing(count) for count in range(1, len(self._pages) + 1)]
        shared = reference(self._file.add(dictionary(resources())))
        for page, foot in zip(self._pages, feet, strict=True):
            self._file.put(page.number, self._page(page, foot, shared))
        pages = {
            "Type": b"/Pages",
            "Count": b"%d" % len(self._pages),
            "Kids": array([reference(page.number) for page in self._pages]),
        }
        self._file.put(self._tree, dictionary(pages))
        catalogue = {
            "Type": b"/Catalog",
            "Pages": reference(self._tree),
            "Outlines": reference(self._outlines(bookmarks)),
            "PageMode": b"/UseOutlines",
            "Lang": b"(" + title.language.encode() + b")",
            "ViewerPreferences": b"<</DisplayDocTitle true>>",
        }
        return self._file.finished(self._file.add(dictionary(catalogue)), self._file.add(_info(title)))

    def _footing(self, count: int) -> int:
        canvas = Canvas()
        self._foot(canvas, count, len(self._pages))
        return self._file.add_stream(_packed(canvas))

    def _page(self, page: _Page, foot: int, resources: bytes) -> bytes:
        links = [
            reference(self._file.add(_link(area, self._places[place])))
            for area, place in page.links
            if place in self._places
        ]
        entries = {
            "Type": b"/Page",
            "Parent": reference(self._tree),
            "MediaBox": f"[0 0 {real(PAGE_WIDTH_PT)} {real(PAGE_HEIGHT_PT)}]".encode(),
            "Resources": resources,
            "Contents": array([reference(page.content), reference(foot)]),
        }
        return dictionary(entries | ({"Annots": array(links)} if links else {}))

    def _outlines(self, bookmarks: Sequence[Bookmark]) -> int:
        """Add the bookmarks, each knowing the one before and the one behind it."""
        root = self._file.reserve()
        numbers = [self._file.reserve() for _bookmark in bookmarks]
        for at, (bookmark, number) in enumerate(zip(bookmarks, numbers, strict=True)):
            page = self._pages[bookmark.page - 1].number
            entries = {
                "Title": literal(bookmark.text),
                "Parent": reference(root),
                "Dest": _destination(page, PAGE_HEIGHT_PT - bookmark.y),
            }
            if at > 0:
                entries["Prev"] = reference(numbers[at - 1])
            if at + 1 < len(numbers):
                entries["Next"] = reference(numbers[at + 1])
            self._file.put(number, dictionary(entries))
        ends = {"First": reference(numbers[0]), "Last": reference(numbers[-1])}
        self._file.put(root, dictionary({"Type": b"/Outlines", **ends, "Count": b"%d" % len(numbers)}))
        return root


def _packed(canvas: Canvas) -> bytes:
    return "\n".join(canvas.operators).encode("ascii")


def _destination(page: int, top: float) -> bytes:
    return array([reference(page), f"/XYZ null {real(top)} null".encode()])


def _link(area: Sequence[float], destination: bytes) -> bytes:
    entries = {
        "Type": b"/Annot",
        "Subtype": b"/Link",
        "Rect": array([real(value).encode() for value in area]),
        "Border": b"[0 0 0]",
        "Dest": destination,
    }
    return dictionary(entries)


def _info(title: FileTitle) -> bytes:
    moment = date(title.made_at)
    return dictionary(
        {
            "Title": literal(title.title),
            "Creator": literal(title.program),
            "Producer": literal(title.program),
            "CreationDate": moment,
            "ModDate": moment,
        }
    )
