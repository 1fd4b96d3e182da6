"""What an element of an OpenDocument text tells by itself: what it holds, how large it is, how far away."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from simcompare.loading.common.elements import attribute, child, local_name
from simcompare.loading.opendocument.styles import points_of

# Templates of indexes, controls, scripts, the number of a note.
_SKIPPED = frozenset(
    {
        *("forms", "script", "scripts", "number", "note-citation", "footnote-citation", "endnote-citation"),
        *("settings", "event-listeners", "binary-data", "enhanced-geometry", "font-face-decls"),
        *("automatic-styles", "styles", "master-styles", "object", "object-ole", "plugin", "applet"),
    }
)
_TEXT_PARAGRAPHS = frozenset({"p", "h"})
# No page is as long or as wide.
_FARTHEST_POINTS = 4000.0
# A picture of so many points in width and height may be of a page: 6 cm.
_LARGE_POINTS = 170.0
_LONGEST_COPIED = 200


def is_skipped(element: etree._Element) -> bool:
    """Return whether an element holds nothing of the text; titles and descriptions of pictures are unseen."""
    name = local_name(element)
    if name in {"title", "desc"}:
        return ":text:" not in str(element.tag) and "/text}" not in str(element.tag)
    return not name or name in _SKIPPED or name.endswith(("-source", "-decls", "change-info"))


def without_anchor(text: str | None) -> str | None:
    """Take away the zero-width space that LibreOffice puts where a shape of a Word file is anchored."""
    return text.removesuffix("\u200b") if text else text


def is_short(element: etree._Element) -> bool:
    """Return whether a row or a cell holds few elements and little text."""
    parts = [len(part.text or "") + len(part.tail or "") for part in islice(element.iter(), _LONGEST_COPIED)]
    return len(parts) < _LONGEST_COPIED and sum(parts) < _LONGEST_COPIED


def nearest(parent: etree._Element, names: set[str]) -> Iterator[etree._Element]:
    """Yield the rows of a table, the cells of a row, not those of inner tables."""
    for element in parent:
        name = local_name(element)
        if name in names:
            yield element
        elif name not in {"table", "p", "h", "list"}:
            yield from nearest(element, names)


def is_far_away(shape: etree._Element) -> bool:
    """Return whether a shape stands farther from its place than any page reaches."""
    places = (points_of(attribute(shape, name)) for name in ("x", "y"))
    return any(place is not None and abs(place) > _FARTHEST_POINTS for place in places)


def is_large_picture(frame: etree._Element) -> bool:
    """Return whether a frame shows a picture large enough to hold text."""
    sizes = [points_of(attribute(frame, name)) or 0.0 for name in ("width", "height")]
    return child(frame, "image") is not None and min(sizes) >= _LARGE_POINTS


def written_text(element: etree._Element) -> str:
    """Return all text that the paragraphs within an element hold."""
    return " ".join("".join(map(str, paragraph.itertext())) for paragraph in _outermost(element))


def _outermost(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the paragraphs that stand in no other; notes and text boxes do."""
    events = etree.iterwalk(element, events=("start",))
    for _event, inner in events:
        if local_name(inner) in _TEXT_PARAGRAPHS:
            events.skip_subtree()
            yield inner
