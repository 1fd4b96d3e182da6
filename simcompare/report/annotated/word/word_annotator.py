"""A Word file with a ground and a line for each mark, and a comment beside it."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import decrypted
from simcompare.loading.extraction import Source
from simcompare.loading.shared.xml_elements import local_name
from simcompare.loading.sniffing import sniff
from simcompare.model.document import Document
from simcompare.model.errors import DamagedFileError
from simcompare.report.annotated.annotation_errors import BROKEN, NotAnnotatedError
from simcompare.report.annotated.annotation_marks import MARK_STYLES, Mark
from simcompare.report.annotated.copies import SIGNED, AnnotatedCopy
from simcompare.report.annotated.word.character_provenance import TextElementRange, provenance_of
from simcompare.report.annotated.word.word_comments import Comments
from simcompare.report.annotated.word.word_package import WordPackage
from simcompare.report.annotated.word.word_runs import MarkedRange, RunFormatter, split_run

_Runs = dict[int, list[etree._Element]]
_UNSEEN = frozenset({"proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak"})


def annotated_docx(
    path: Path, data: bytes, document: Document, marks: Sequence[Mark], password: str | None
) -> AnnotatedCopy:
    """Return the file with its marks; parts without text in them are what they were, to the byte.

    The same file and marks give the same bytes, unless it is encrypted: its copy is so too, by the same
    password. Raises NotAnnotatedError, PasswordNeededError.
    """
    is_locked = sniff(data) == "encrypted"
    opened = decrypted(Source(path, data), password).data if is_locked else data
    try:
        copy = _annotated(path, opened, document, marks)
    except (DamagedFileError, zipfile.BadZipFile, ValueError, KeyError) as error:
        raise NotAnnotatedError(path, cause=BROKEN) from error
    return _locked(copy, password) if is_locked and password else copy


def _annotated(path: Path, data: bytes, document: Document, marks: Sequence[Mark]) -> AnnotatedCopy:
    package = WordPackage(path, data)
    provenance = provenance_of(path, package, document)
    runs = _split([provenance.stretches(mark.span) for mark in marks])
    main = package.part(package.main_name)
    if main is None:
        raise NotAnnotatedError(path, cause=BROKEN)
    painter = RunFormatter(_styles(package))
    comments = Comments(package, main)
    for number in sorted(runs):
        for run in runs[number]:
            painter.paint(run, MARK_STYLES[marks[number].kind])
            package.has_changed(run)
        comments.add(marks[number].lines, runs[number][0], runs[number][-1])
    comments.finish()
    return AnnotatedCopy(
        package.saved(),
        len(runs),
        tuple(mark for number, mark in enumerate(marks) if number not in runs),
        (SIGNED,) if package.is_signed else (),
    )


def _split(places: Sequence[Sequence[TextElementRange]]) -> _Runs:
    """Split the runs that marks stand in; return the runs of each mark that stands in some, in order."""
    cuts: defaultdict[etree._Element, defaultdict[etree._Element, list[MarkedRange]]]
    cuts = defaultdict(lambda: defaultdict(list))
    for number, stretches in enumerate(places):
        for stretch in stretches:
            run = stretch.element.getparent()
            if run is not None and local_name(run) == "r":
                cuts[run][stretch.element].append(MarkedRange(stretch.start, stretch.end, number))
    runs: _Runs = {}
    for run, cuts_of_run in cuts.items():
        for mark, part in split_run(run, {one: _in_order(each) for one, each in cuts_of_run.items()}):
            runs.setdefault(mark, []).append(part)
    return {mark: list(_with_blanks(parts)) for mark, parts in runs.items()}


def _with_blanks(runs: Sequence[etree._Element]) -> Iterator[etree._Element]:
    """Yield runs, and between two of them those that hold nothing but blanks."""
    for run, following in pairwise(runs):
        yield run
        between = list(takewhile(_is_blank, run.itersiblings()))
        behind = between[-1] if between else run
        if behind.getnext() is following:
            yield from (one for one in between if local_name(one) == "r")
    yield from runs[-1:]


def _is_blank(element: etree._Element) -> bool:
    """Whether an element shows nothing but blanks: a run of them, or a mark of Word's own."""
    name = local_name(element)
    if name != "r":
        return name in _UNSEEN
    parts = [inner for inner in element if local_name(inner) != "rPr"]
    return all(local_name(inner) == "t" and not (inner.text or "").strip() for inner in parts)


def _in_order(cuts: Sequence[MarkedRange]) -> list[MarkedRange]:
    """Return cuts that do not overlap, from the first to the last."""
    found: list[MarkedRange] = []
    for cut in sorted(cuts, key=lambda cut: cut.start):
        start = max(cut.start, found[-1].end if found else 0)
        if start < cut.end:
            found.append(MarkedRange(start, cut.end, cut.mark))
    return found


def _styles(package: WordPackage) -> etree._Element | None:
    name = package.related("styles")
    return None if name is None else package.part(name)


def _locked(copy: AnnotatedCopy, password: str) -> AnnotatedCopy:
    """Return the copy encrypted as Word does it."""
    from msoffcrypto.format.ooxml import OOXMLFile  # noqa: PLC0415 - loads cryptography

    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(copy.data)).encrypt(password, locked)
    return AnnotatedCopy(locked.getvalue(), copy.placed, copy.unplaced, copy.remarks)
