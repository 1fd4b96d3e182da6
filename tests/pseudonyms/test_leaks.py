"""Search all parts of all anonymous exports for names."""

import io
import zipfile
from dataclasses import replace
from hashlib import sha256

import docx
import pytest

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import NotAnonymousError
from simcompare.redaction.anonymous_copies import anonymous_copy
from simcompare.redaction.redacted_class import anonymous_evidence, anonymous_marks
from simcompare.report.report_forms import NAMED_FORMS
from tests.helpers.locked_files import lock_docx
from tests.pseudonyms.leaks import leaks_in
from tests.pseudonyms.students import ON_PASSAGE, copy_buses, evidence_of, names_of, write_bridges


def left_out_of(*files):
    """Leave out the first sentence of each file that names a student."""
    return tuple(next(filter(names_student, sentences_of(file))) for file in files)


def sentences_of(file):
    held = read_prepared_document(file, "improved")
    return (left_out_sentence(held, number) for number in range(held.prepared.sentence_count))


def names_student(sentence):
    return bool(leaks_in(sentence.text.encode()))


@pytest.fixture(scope="module")
def bridges(tmp_path_factory):
    """Evidence of two Chinese essays, and its anonymous copy."""
    left, right, page = write_bridges(tmp_path_factory.mktemp("张三"))
    evidence = evidence_of(left, right, prompt=str(page), left_out=left_out_of(left, page))
    names = names_of(left, right, page)
    return evidence, anonymous_evidence(evidence, names), names


@pytest.fixture(scope="module")
def buses(tmp_path_factory):
    left, right = copy_buses(tmp_path_factory.mktemp("John Smith"))
    evidence = evidence_of(left, right)
    return evidence, anonymous_evidence(evidence, names_of(left, right))


@pytest.mark.parametrize("form", NAMED_FORMS)
def test_that_no_report_form_contains_names(bridges, buses, form):
    for evidence, anonymous, *_ in (bridges, buses):
        named = NAMED_FORMS[form].render(evidence)
        # proves that the search finds names; the matrix has numbers only
        assert leaks_in(named) or form == "matrix-csv"
        assert leaks_in(NAMED_FORMS[form].render(anonymous), form) == []


def test_that_the_note_on_a_passage_stays_without_its_names(bridges):
    evidence, anonymous, names = bridges
    (noted,) = anonymous.review.passages.values()
    assert noted.note == names.replaced(ON_PASSAGE)
    assert noted.note.endswith(" wrote it down in class")
    assert leaks_in(noted.note.encode()) == []
    assert list(anonymous.passage_decisions.notes) == list(evidence.passage_decisions.notes)


def test_that_a_sentence_with_a_name_stays_left_out_without_its_text(bridges):
    evidence, anonymous, _names = bridges
    for held in (evidence, anonymous):
        assert held.comparison.left_excluded.count(ExclusionReason.LEFT_OUT).sentences == 1
        report = NAMED_FORMS["text"].render(held).decode()
        assert "2 sentences left out by hand" in report
    assert not any(sentence.text for sentence in anonymous.comparison.settings.left_out)


def test_that_reports_say_that_names_were_replaced(bridges):
    for form in ("text", "html"):
        assert "names were replaced after comparing" in NAMED_FORMS[form].render(bridges[1]).decode()


def copy_of(evidence, anonymous, names, side, **options):
    document = getattr(evidence.comparison, side).document
    marks = anonymous_marks(evidence, anonymous, side)
    return anonymous_copy(document.path, document, marks, names, **options)


@pytest.mark.parametrize("side", ["left", "right"])
def test_that_an_annotated_word_file_contains_no_names(bridges, side):
    copy = copy_of(*bridges, side)
    assert leaks_in(getattr(bridges[0].comparison, side).document.path.read_bytes())
    assert leaks_in(copy.data, side) == []
    assert copy.placed > 3
    assert not copy.unplaced
    with zipfile.ZipFile(io.BytesIO(copy.data)) as package:
        assert "docProps/thumbnail.jpeg" not in package.namelist()
        assert b"rsid" not in package.read("word/document.xml")


def test_that_no_view_of_tracked_changes_contains_a_name(bridges):
    copy = copy_of(*bridges, "left")
    changed = next(
        paragraph
        for paragraph in docx.Document(io.BytesIO(copy.data)).paragraphs
        if paragraph._p.xpath("./w:del[.//w:delText]")
    )
    before = "".join(text.text or "" for text in changed._p.xpath(".//w:delText | ./w:r/w:t"))
    after = "".join(text.text or "" for text in changed._p.xpath(".//w:t"))
    assert leaks_in(before.encode()) == leaks_in(after.encode()) == []


def test_that_an_anonymous_copy_is_a_valid_word_file_with_its_formatting(bridges):
    copy = copy_of(*bridges, "left")
    document = docx.Document(io.BytesIO(copy.data))
    first = next(paragraph for paragraph in document.paragraphs if paragraph.text.startswith("作者"))
    names = bridges[2]
    li = names.label(next(o for o in names.owners if o.student and "李小明" in o.student.names))
    assert first.text.startswith(f"作者：{li}，学号{li.removeprefix('Student ')}，和 ")
    assert [run.text for run in first.runs if run.bold] == [""]
    own = names.label(names.owner_of(bridges[0].comparison.left.document.path))
    assert document.core_properties.author == own
    assert document.core_properties.last_modified_by == ""
    assert {comment.author for comment in document.comments} == {"simcompare", "Author"}


def changed(evidence, folder, change):
    """The left document as if read from a changed file."""
    document = evidence.comparison.left.document
    path = folder / document.path.name
    path.write_bytes(document.path.read_bytes())
    change(path)
    return replace(document, path=path, sha256=sha256(path.read_bytes()).hexdigest())


def test_that_an_encrypted_copy_is_encrypted_again(bridges, tmp_path):
    evidence, anonymous, names = bridges
    locked = changed(evidence, tmp_path, lambda path: lock_docx(path, "geheim"))
    marks = anonymous_marks(evidence, anonymous, "left")
    copy = anonymous_copy(locked.path, locked, marks, names.including_files([locked.path]), "geheim")
    place = tmp_path / "copy.docx"
    place.write_bytes(copy.data)
    assert leaks_in(load_document(place, ReadingOptions("geheim")).text.encode()) == []


def test_that_an_annotated_pdf_is_refused_with_cause_and_remedy(buses):
    evidence, anonymous = buses
    path = evidence.comparison.right.document.path
    with pytest.raises(NotAnonymousError) as refusal:
        copy_of(evidence, anonymous, names_of(path), "right")
    assert str(refusal.value) == (
        f"No anonymous copy of {path.name} can be made: names cannot be removed from the pages of a PDF. "
        "Export the anonymous report of the pair, which holds both texts, or compare a Word copy of the file."
    )


@pytest.mark.parametrize(
    ("member", "data", "cause"),
    [
        ("word/embeddings/sheet.xlsx", b"PK", "embedded files"),
        ("word/vbaProject.bin", b"macros", "embedded files"),
        ("word/media/张三.png", b"\x89PNG", "picture"),
        ("word/media/image9.png", b"\x89PNG" + "作者 李小明".encode("utf-16-le"), "picture"),
    ],
)
def test_that_a_word_file_with_parts_that_cannot_be_redacted_is_refused(
    bridges, tmp_path, member, data, cause
):
    def add(path):
        with zipfile.ZipFile(path, "a") as package:
            package.writestr(member, data)

    evidence, anonymous, names = bridges
    document = changed(evidence, tmp_path, add)
    with pytest.raises(NotAnonymousError, match=cause):
        anonymous_copy(document.path, document, anonymous_marks(evidence, anonymous, "left"), names)
