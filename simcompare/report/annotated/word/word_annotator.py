"""Annotate a Word file: shade and underline each mark, and add a comment."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import decrypted
from simcompare.loading.extraction import Source
from simcompare.loading.shared.xml_elements import attribute, local_name
from simcompare.loading.sniffing import sniff
from simcompare.model.document import Document
from simcompare.model.errors import DamagedFileError
from simcompare.report.annotated.annotation_marks import (
    BROKEN,
    SIGNED,
    AnnotatedCopy,
    Mark,
    NotAnnotatedError,
    style_of,
)
from simcompare.report.annotated.word.character_provenance import TextElementRange, provenance_of
from simcompare.report.annotated.word.word_package import XML_SPACE, WordPackage
from simcompare.report.annotated.word.word_runs import MarkedRange, RunFormatter, split_run

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
    """Sort ranges and remove overlaps."""
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
    """Encrypt a Word file as Word does."""
    from msoffcrypto.format.ooxml import OOXMLFile  # noqa: PLC0415 - loads cryptography

    result = io.BytesIO()
    OOXMLFile(io.BytesIO(data)).encrypt(password, result)
    return result.getvalue()
