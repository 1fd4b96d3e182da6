"""Anonymous report of a class: no name, number or path in any form, and the figures of the original."""

import io
import zipfile

import pypdfium2
import pytest

from simcompare.export.export_tasks import begin_report
from simcompare.model.progress import no_tick
from simcompare.redaction.redacted_class import anonymous_check, class_pseudonyms
from simcompare.report.class_report.class_forms import render_class, render_class_pdf, write_class_bundle
from simcompare.report.class_report.grade_sheet import check_as_xlsx, grades_as_csv, grades_as_xlsx
from simcompare.report.class_report.student_rows import ClassLabels, student_rows
from simcompare.report.cohort.check_output import check_as_dict, check_as_text
from simcompare.report.comparison_json import as_json
from tests.report.class_report.checked_class import LISTED, SECRETS, class_with_copies


@pytest.fixture
def anonymous():
    check = class_with_copies()
    return anonymous_check(check, class_pseudonyms(check, LISTED))


def unpacked(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        return "\n".join([*names, *(archive.read(name).decode("utf-8", "replace") for name in names)])


def words_of_pdf(data):
    with pypdfium2.PdfDocument(data) as file:
        pages = [page.get_textpage().get_text_bounded() for page in file]
        return "\n".join([*pages, *map(str, file.get_metadata_dict().values())])


FORMS = {
    "html": lambda check: render_class(check).decode(),
    "pdf": lambda check: words_of_pdf(render_class_pdf(check)),
    "workbook": lambda check: unpacked(check_as_xlsx(check)),
    "grades": lambda check: unpacked(grades_as_xlsx(check)),
    "csv": lambda check: grades_as_csv(check).decode(),
    "json": lambda check: as_json(check_as_dict(check)),
    "text": check_as_text,
}


def leaks_in(text):
    return [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize("form", FORMS)
def test_that_no_form_contains_a_name_a_number_or_a_folder(anonymous, form):
    assert leaks_in(FORMS[form](class_with_copies()))
    assert leaks_in(FORMS[form](anonymous)) == []


def test_that_common_sentences_show_the_question_and_no_school_class_or_label(anonymous):
    shown = [sentence.text for sentence in anonymous.common]
    hidden = "(not shown: it names a school, a class or a student)"
    assert sorted(shown) == [hidden, hidden, hidden, "题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。"]
    assert [len(sentence.documents) for sentence in anonymous.common] == [
        len(sentence.documents) for sentence in class_with_copies().common
    ]


def test_that_the_bundle_contains_none_in_names_and_reports(anonymous, tmp_path):
    place = tmp_path / "out.zip"
    write_class_bundle(anonymous, "", ".html", place, no_tick, begin_report)
    assert leaks_in(unpacked(place.read_bytes())) == []


def test_that_students_have_their_figures_decisions_and_files_under_pseudonyms(anonymous):
    check = class_with_copies()
    pseudonyms = class_pseudonyms(check, LISTED)
    anonymous = anonymous_check(check, pseudonyms)
    rows = {row.label: row for row in student_rows(anonymous, ClassLabels(anonymous))}
    originals = student_rows(check, ClassLabels(check))
    assert len(rows) == len(originals)
    by_file = {label: row for row in rows.values() for label in [row.file] if label}
    for original in originals:
        if original.share is None:
            continue
        path = next(
            each
            for each in check.cohort.paths
            if each.name == original.file or (original.file.startswith("<") and each.name.startswith("<"))
        )
        row = by_file[pseudonyms.path_of(path).name]
        assert (row.share, row.longest_passage_units) == (original.share, original.longest_passage_units)
        assert (row.is_unusual, row.verdict) == (original.is_unusual, original.verdict)
        assert len(row.others) == len(original.others)
    missing = [row.label for row in rows.values() if row.remark == "not handed in"]
    assert len(missing) == 1
    assert missing[0].startswith("Student ")
