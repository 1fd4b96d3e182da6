"""Anonymous report of a class: no name, number or path in any form, and the figures of the original."""

import io
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from simcompare.export.export_tasks import begin_report
from simcompare.model.progress import no_tick
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.redaction.redacted_class import anonymous_check, class_pseudonyms
from simcompare.report.class_report.class_forms import (
    check_as_xlsx,
    grades_as_csv,
    grades_as_xlsx,
    render_class,
    render_class_pdf,
    write_class_bundle,
)
from simcompare.report.class_report.student_rows import ClassLabels, student_rows
from simcompare.report.cohort.check_output import check_as_dict, check_as_text
from simcompare.report.comparison_json import as_json
from simcompare.session.session_file import read_session
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


BOTH_SCRIPTS = {
    "Zhang San 张三.txt": "张三\nZhang San\n那天张三和我去河边捉鱼。Zhang San laughed.",
    "Grace Wang 王小明.txt": "那天王小明没有来。Then Grace Wang came.",
    "陈静.txt": "姓名：陈静 (Emily Chen)\n昨天Emily Chen和陈静都来了。",
}


@pytest.mark.parametrize(
    "others", ["{}_2024_v2 final.txt", "{}_2024.txt", "{} final.txt", "{}.txt", "2 {}.txt"]
)
@pytest.mark.parametrize(
    "classmates", [("Young Grace", "Tom Hill", "Ann Lee", "Kim Poe"), ("李雨桐", "赵敏", "何必", "孙悦")]
)
def test_that_a_name_in_two_scripts_is_known_in_both_whatever_the_others_are_called(
    tmp_path, run, others, classmates
):
    texts = BOTH_SCRIPTS | {others.format(name): "" for name in classmates}
    for n, (name, text) in enumerate(texts.items()):
        (tmp_path / name).write_text(f"{text}\n我家门前有一条小河，河水很清，有{n}座桥。", encoding="utf-8")
    result = run("check", str(tmp_path), "--anonymous", "--session", str(tmp_path / "a.simcompare"))
    assert result.exit_code == 0, result.stderr
    names = read_session(tmp_path / "a.simcompare").pseudonyms
    for name, text in BOTH_SCRIPTS.items():
        found = names.replaced(text, tmp_path / name)
        assert not [part for part in ("张三", "Zhang", "Grace", "王小明", "Emily", "陈") if part in found]
        assert len(set(re.findall(r"Student \d\d", found))) == 1


def test_that_what_else_may_be_a_name_in_the_name_of_a_file_is_listed():
    texts = {
        Path("王小明_Grace_作文.txt"): "Then Grace ran.",
        Path("Tom Hill (Amy Lee) essay.txt"): "I saw Amy Lee.",
        Path("赵敏 Summer Holiday.txt"): "It was a Summer Holiday.",
    }
    names = make_pseudonyms(propose(list(texts)))
    assert {possible.text for possible in names.possible_names(texts)} == {"Grace", "Amy Lee"}


def test_that_common_sentences_show_the_question_and_no_school_class_or_label(anonymous):
    shown = [sentence.text for sentence in anonymous.school.common]
    hidden = "(not shown: it names a school, a class or a student)"
    assert sorted(shown) == [hidden, hidden, hidden, "题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。"]
    assert [len(sentence.documents) for sentence in anonymous.school.common] == [
        len(sentence.documents) for sentence in class_with_copies().school.common
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
