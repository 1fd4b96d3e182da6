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
from simcompare.loading.shared.xml_elements import local_name
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
from simcompare.report.annotated.word.word_comments import Comments
from simcompare.report.annotated.word.word_package import WordPackage
from simcompare.report.annotated.word.word_runs import MarkedRange, RunFormatter, split_run

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
