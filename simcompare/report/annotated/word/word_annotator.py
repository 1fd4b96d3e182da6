"""Annotate a Word file: shade and underline the runs of each mark, and add a comment."""

import copy
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import decrypted
from simcompare.loading.extraction import Source
from simcompare.loading.shared.xml_elements import attribute, child, local_name, value_of
from simcompare.loading.sniffing import sniff
from simcompare.model.document import Document
from simcompare.model.errors import DamagedFileError
from simcompare.report.annotated.annotations import (
    BROKEN,
    SIGNED,
    AnnotatedCopy,
    Mark,
    MarkStyle,
    NotAnnotatedError,
    style_of,
)
from simcompare.report.annotated.word.word_package import (
    XML_SPACE,
    TextElementRange,
    WordPackage,
    provenance_of,
)

# Order of run properties in the schema, up to shading and underline (ECMA-376, 17.3.2.28).
_ORDER = (
    *("rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "outline"),
    *("shadow", "emboss", "imprint", "noProof", "snapToGrid", "vanish", "webHidden", "color", "spacing", "w"),
    *("kern", "position", "sz", "szCs", "highlight", "u", "effect", "bdr", "shd"),
)
_PLACES = {name: place for place, name in enumerate(_ORDER)}
_LIGHT = 0x90
_NONE = frozenset({None, "none", "nil", "auto"})
_LIGHT_THEME = frozenset({"background1", "background2", "light1", "light2"})


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """Characters [start, end) of a text element that belong to the mark with this number."""

    start: int
    end: int
    mark: int


def split_run(
    run: etree._Element, ranges: dict[etree._Element, Sequence[MarkedRange]]
) -> list[tuple[int, etree._Element]]:
    """Split a run at the ends of marks; return the numbers and runs of the marks, in order.

    All parts keep the properties of the run. Content other than text, such as a tab, belongs to a mark if the
    mark is on both sides of it.
    """
    properties = child(run, "rPr")
    parts = [
        part
        for inner in list(run)
        if inner is not properties
        for part in _parts(inner, ranges.get(inner, ()))
    ]
    marks = _with_enclosed([mark for mark, _part in parts], [part for _mark, part in parts])
    grouped = [
        (mark, [part for _mark, part in group])
        for mark, group in groupby(
            zip(marks, (part for _m, part in parts), strict=True), lambda pair: pair[0]
        )
    ]
    found: list[tuple[int, etree._Element]] = []
    place = run
    for number, (mark, inner) in enumerate(grouped):
        if number:
            place = _like(run, properties, place)
        place.extend(inner)
        if mark is not None:
            found.append((mark, place))
    return found


def _parts(inner: etree._Element, ranges: Sequence[MarkedRange]) -> list[tuple[int | None, etree._Element]]:
    if not ranges:
        return [(None, inner)]
    text = inner.text or ""
    parts: list[tuple[int | None, etree._Element]] = []
    end = 0
    for marked in ranges:
        parts.append((None, _text_like(inner, text[end : marked.start])))
        parts.append((marked.mark, _text_like(inner, text[marked.start : marked.end])))
        end = marked.end
    parts.append((None, _text_like(inner, text[end:])))
    inner.getparent().remove(inner)  # type: ignore[union-attr]
    return [(mark, part) for mark, part in parts if part.text]


def _text_like(inner: etree._Element, text: str) -> etree._Element:
    part = _empty_like(inner)
    part.text = text
    if text != text.strip():
        part.set(XML_SPACE, "preserve")
    return part


def _empty_like(element: etree._Element) -> etree._Element:
    return etree.Element(element.tag, {str(name): str(value) for name, value in element.attrib.items()})


def _with_enclosed(marks: Sequence[int | None], parts: Sequence[etree._Element]) -> list[int | None]:
    """Assign a tab or break inside a mark to the mark."""
    found = list(marks)
    for place in range(1, len(found) - 1):
        if found[place] is None and local_name(parts[place]) != "t":
            following = next(
                (m for m, p in zip(marks[place:], parts[place:], strict=True) if local_name(p) == "t"), None
            )
            found[place] = found[place - 1] if following == found[place - 1] else None
    return found


def _like(run: etree._Element, properties: etree._Element | None, after: etree._Element) -> etree._Element:
    """Insert an empty run with these properties after another."""
    new = _empty_like(run)
    if properties is not None:
        new.append(copy.deepcopy(properties))
    new.tail, after.tail = after.tail, None
    after.addnext(new)
    return new


class RunFormatter:
    """Apply the style of a mark to runs, without replacing their own shading and underlines."""

    def __init__(self, styles: etree._Element | None) -> None:
        self._shaded_styles = _styles_with_shading(styles)

    def apply(self, run: etree._Element, style: MarkStyle) -> None:
        """Shade a run unless it is shaded or its text is light, and underline it unless it is underlined."""
        word = etree.QName(run).namespace
        properties = child(run, "rPr")
        if properties is None:
            properties = etree.Element(f"{{{word}}}rPr")
            run.insert(0, properties)
        if style.underline and value_of(properties, "u") in _NONE:
            _put(properties, "u", val=style.word_line, color=style.underline.upper())
        if not self._has_own_shading(run, properties):
            _put(properties, "shd", val="clear", color="auto", fill=style.background.upper())

    def _has_own_shading(self, run: etree._Element, properties: etree._Element) -> bool:
        if _has_shading_or_light_text(properties) or value_of(properties, "rStyle") in self._shaded_styles:
            return True
        for around in run.iterancestors():
            name = local_name(around)
            own = child(around, f"{name}Pr") if name in {"p", "tc", "tbl"} else None
            if own is not None:
                styles = {value_of(own, "pStyle"), value_of(own, "tblStyle")}
                if _is_shaded(own) or styles & self._shaded_styles:
                    return True
        return False


def _put(properties: etree._Element, name: str, **values: str) -> None:
    """Set a property at its position in the order of the schema."""
    word = etree.QName(properties).namespace
    old = child(properties, name)
    if old is not None:
        properties.remove(old)
    element = etree.Element(f"{{{word}}}{name}")
    for key, value in values.items():
        element.set(f"{{{word}}}{key}", value)
    before = [
        existing for existing in properties if _PLACES.get(local_name(existing), len(_ORDER)) < _PLACES[name]
    ]
    properties.insert(0 if not before else properties.index(before[-1]) + 1, element)


def _has_shading_or_light_text(properties: etree._Element) -> bool:
    """Return whether run properties set a background, or light text for a dark background."""
    return value_of(properties, "highlight") not in _NONE or _is_shaded(properties) or _is_light(properties)


def _is_shaded(properties: etree._Element) -> bool:
    shade = child(properties, "shd")
    if shade is None:
        return False
    fill, pattern = attribute(shade, "fill"), attribute(shade, "val")
    is_plain = fill in _NONE or (fill or "").upper() == "FFFFFF"
    return not is_plain or attribute(shade, "themeFill") is not None or pattern not in {None, "clear", "nil"}


def _is_light(properties: etree._Element) -> bool:
    colour = child(properties, "color")
    digits = attribute(colour, "val") or ""
    try:
        channels = [int(digits[place : place + 2], 16) for place in (0, 2, 4)]
    except ValueError:
        return attribute(colour, "themeColor") in _LIGHT_THEME
    return min(channels) > _LIGHT


def _styles_with_shading(styles: etree._Element | None) -> frozenset[str | None]:
    """Return the styles that have a background or light text, directly or inherited."""
    bases: dict[str, str | None] = {}
    found: set[str | None] = set()
    for style in [] if styles is None else styles:
        name = attribute(style, "styleId")
        if local_name(style) == "style" and name is not None:
            bases[name] = value_of(style, "basedOn")
            inner = (part for part in style.iter() if local_name(part).endswith("Pr"))
            if any(_has_shading_or_light_text(part) for part in inner):
                found.add(name)
    size = -1
    while size != len(found):
        size = len(found)
        found |= {name for name, base in bases.items() if base in found}
    return frozenset(found)


AUTHOR, _INITIALS = "simcompare", "sc"
_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
# Elements in which a comment range can start and end beside runs; it encloses any other element as a whole,
# such as a content control, which may be plain text without comments.
_AROUND_RUNS = frozenset({"p", "hyperlink", "ins", "moveTo", "smartTag"})


class Comments:
    """The comments part of a Word file, existing or new."""

    def __init__(self, package: WordPackage, main: etree._Element) -> None:
        self._word = etree.QName(main).namespace or ""
        self._package = package
        self._main = main
        name = package.related("comments")
        known = None if name is None else package.part(name)
        self._root = (
            etree.Element(f"{{{self._word}}}comments", nsmap={"w": self._word}) if known is None else known
        )
        self._is_new = known is None
        taken = [attribute(comment, "id") or "" for comment in self._root]
        self._next = max((int(number) for number in taken if number.isdigit()), default=-1) + 1

    def add(self, lines: Sequence[str], first: etree._Element, last: etree._Element) -> None:
        """Add a comment on the runs from `first` to `last`."""
        number, self._next = str(self._next), self._next + 1
        first, last = self._anchor(first), self._anchor(last)
        begin, end = (self._element(f"commentRange{name}", id=number) for name in ("Start", "End"))
        reference = self._element("r")
        reference.append(self._element("commentReference", id=number))
        first.addprevious(begin)
        _insert_after(last, end)
        _insert_after(end, reference)
        self._root.append(self._comment(number, lines))
        for changed in (first, self._root):
            self._package.mark_changed(changed)

    def finish(self) -> None:
        """Add a new comments part to the file if comments were added."""
        if self._is_new and len(self._root):
            self._package.add_related("comments", _CONTENT_TYPE, self._root)

    def _anchor(self, run: etree._Element) -> etree._Element:
        """Return the element at which the range of a comment on a run starts or ends.

        Word has no comments in text boxes and notes: there it is the element that anchors the box, or the
        reference mark of the note.
        """
        run = self._reference_to_note(run)
        boxes = [around for around in run.iterancestors() if local_name(around) == "txbxContent"]
        if boxes:
            run = next(around for around in boxes[-1].iterancestors() if local_name(around) in {"r", "p"})
        while (parent := run.getparent()) is not None and local_name(parent) not in _AROUND_RUNS:
            run = parent
        return run

    def _reference_to_note(self, run: etree._Element) -> etree._Element:
        for around in run.iterancestors():
            kind = local_name(around)
            if kind in {"footnote", "endnote"}:
                for reference in self._main.iter(f"{{{self._word}}}{kind}Reference"):
                    parent = reference.getparent()
                    if attribute(reference, "id") == attribute(around, "id") and parent is not None:
                        return parent
        return run

    def _comment(self, number: str, lines: Sequence[str]) -> etree._Element:
        comment = self._element("comment", id=number, author=AUTHOR, initials=_INITIALS)
        for line in lines:
            text = self._element("t")
            text.text = line
            text.set(XML_SPACE, "preserve")
            run, paragraph = self._element("r"), self._element("p")
            run.append(text)
            paragraph.append(run)
            comment.append(paragraph)
        return comment

    def _element(self, name: str, **values: str) -> etree._Element:
        element = etree.Element(f"{{{self._word}}}{name}")
        for key, value in values.items():
            element.set(f"{{{self._word}}}{key}", value)
        return element


def _insert_after(place: etree._Element, element: etree._Element) -> None:
    element.tail, place.tail = place.tail, None
    place.addnext(element)


_Runs = dict[int, list[etree._Element]]
_UNSEEN = frozenset({"proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak"})


def annotated_docx(
    path: Path, data: bytes, document: Document, marks: Sequence[Mark], password: str | None
) -> AnnotatedCopy:
    """Return the file with its marks; parts without text stay the same to the byte.

    The same input gives the same bytes unless the file is encrypted; the copy is then encrypted with the same
    password. Raises NotAnnotatedError, PasswordNeededError.
    """
    is_encrypted = sniff(data) == "encrypted"
    opened = decrypted(Source(path, data), password).data if is_encrypted else data
    try:
        copy = _annotated(path, opened, document, marks)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return replace(copy, data=encrypted(copy.data, password)) if is_encrypted else copy


def _annotated(path: Path, data: bytes, document: Document, marks: Sequence[Mark]) -> AnnotatedCopy:
    package = WordPackage(path, data)
    provenance = provenance_of(path, package, document)
    runs = _split([provenance.element_ranges(mark.span) for mark in marks])
    main = package.part(package.main_name)
    if main is None:
        raise NotAnnotatedError(path, cause=BROKEN)
    formatter = RunFormatter(_styles(package))
    comments = Comments(package, main)
    for number in sorted(runs):
        for run in runs[number]:
            formatter.apply(run, style_of(marks[number]))
            package.mark_changed(run)
        if marks[number].lines:
            comments.add(marks[number].lines, runs[number][0], runs[number][-1])
    comments.finish()
    return AnnotatedCopy(
        package.saved(),
        len(runs),
        tuple(mark for number, mark in enumerate(marks) if number not in runs),
        (SIGNED,) if package.is_signed else (),
    )


def _split(places: Sequence[Sequence[TextElementRange]]) -> _Runs:
    """Split runs at the ends of marks; return the runs of each mark that has any, in order."""
    ranges: defaultdict[etree._Element, defaultdict[etree._Element, list[MarkedRange]]]
    ranges = defaultdict(lambda: defaultdict(list))
    for number, ranges_of_mark in enumerate(places):
        for source in ranges_of_mark:
            run = source.element.getparent()
            if run is not None and local_name(run) == "r":
                ranges[run][source.element].append(MarkedRange(source.start, source.end, number))
    runs: _Runs = {}
    for run, ranges_of_run in ranges.items():
        for mark, part in split_run(
            run, {element: _in_order(ranges) for element, ranges in ranges_of_run.items()}
        ):
            runs.setdefault(mark, []).append(part)
    return {mark: list(_with_blanks(parts)) for mark, parts in runs.items()}


def _with_blanks(runs: Sequence[etree._Element]) -> Iterator[etree._Element]:
    """Yield runs, and the runs of blanks between two of them."""
    for run, following in pairwise(runs):
        yield run
        between = list(takewhile(_is_blank, run.itersiblings()))
        after = between[-1] if between else run
        if after.getnext() is following:
            yield from (element for element in between if local_name(element) == "r")
    yield from runs[-1:]


def _is_blank(element: etree._Element) -> bool:
    """Return whether an element is a run of blanks or an invisible marker of Word."""
    name = local_name(element)
    if name != "r":
        return name in _UNSEEN
    parts = [inner for inner in element if local_name(inner) != "rPr"]
    return all(local_name(inner) == "t" and not (inner.text or "").strip() for inner in parts)


def _in_order(ranges: Sequence[MarkedRange]) -> list[MarkedRange]:
    found: list[MarkedRange] = []
    for marked in sorted(ranges, key=lambda marked: marked.start):
        start = max(marked.start, found[-1].end if found else 0)
        if start < marked.end:
            found.append(MarkedRange(start, marked.end, marked.mark))
    return found


def _styles(package: WordPackage) -> etree._Element | None:
    name = package.related("styles")
    return None if name is None else package.part(name)


def encrypted(data: bytes, password: str | None) -> bytes:
    from msoffcrypto.format.ooxml import OOXMLFile  # noqa: PLC0415 - loads cryptography

    result = io.BytesIO()
    OOXMLFile(io.BytesIO(data)).encrypt(password, result)
    return result.getvalue()
