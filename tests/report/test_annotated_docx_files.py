"""Annotated copies of Word files as files: same parts, macros, passwords, signatures, other programs."""

import subprocess
import zipfile

import pytest

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.comparison_result import MatchKind
from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import PasswordNeededError, WrongPasswordError
from simcompare.report.annotated.annotate import annotated_copy, remarks_in_words
from simcompare.report.annotated.annotations import MARK_STYLES, NotAnnotatedError
from tests.helpers.essay_files import soffice
from tests.helpers.locked_files import lock_docx
from tests.helpers.patience import PATIENCE_S
from tests.report.annotated_word import (
    SAMPLES,
    annotated,
    one_paragraph,
)
from tests.report.marking import every_sentence


def test_that_the_same_marks_give_the_same_bytes_and_the_file_stays_unchanged(tmp_path):
    path = SAMPLES / "家乡的石桥.docx"
    before = path.read_bytes()
    first, second = (annotated(path, tmp_path)[1].data for _ in range(2))
    assert first == second
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [(".docm", "ms-word.document.macroEnabled"), (".dotx", "openxmlformats-officedocument.x")],
)
def test_that_files_with_macros_and_templates_are_annotated(tmp_path, suffix, kind):
    path = one_paragraph(tmp_path, "The willows turn green in spring.")
    place = tmp_path / f"essay{suffix}"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(place, "w") as other:
        for name in package.namelist():
            data = package.read(name)
            if name == "[Content_Types].xml":
                data = data.replace(
                    b"openxmlformats-officedocument.wordprocessingml.document.main", kind.encode()
                )
            other.writestr(name, data)
    prepared_document, copy, changed = annotated(place, tmp_path)
    assert (copy.placed, load_document(changed).text) == (1, prepared_document.document.text)
    assert kind.encode() in zipfile.ZipFile(changed).read("[Content_Types].xml")


def test_that_a_copy_without_marks_has_the_same_parts(tmp_path):
    path = SAMPLES / "家乡的石桥.docx"
    _prepared_document, _copy, place = annotated(path, tmp_path, [])
    original, changed = zipfile.ZipFile(path), zipfile.ZipFile(place)
    assert original.namelist() == changed.namelist()
    assert all(original.read(name) == changed.read(name) for name in original.namelist())


def test_that_an_encrypted_file_and_its_copy_need_the_password(tmp_path):
    path = lock_docx(one_paragraph(tmp_path, "The willows turn green in spring."), "crane")
    prepared_document = read_prepared_document(path, "improved", ReadingOptions("crane"))
    marks = every_sentence(prepared_document)
    with pytest.raises(PasswordNeededError):
        annotated_copy(path, prepared_document.document, marks)
    with pytest.raises(WrongPasswordError):
        annotated_copy(path, prepared_document.document, marks, "heron")
    (tmp_path / "copy.docx").write_bytes(
        annotated_copy(path, prepared_document.document, marks, "crane").data
    )
    with pytest.raises(PasswordNeededError):
        load_document(tmp_path / "copy.docx")
    assert (
        load_document(tmp_path / "copy.docx", ReadingOptions("crane")).text == prepared_document.document.text
    )


def test_that_a_signed_file_says_that_the_copy_is_not_signed(tmp_path):
    path = one_paragraph(tmp_path, "The willows turn green in spring.")
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("_xmlsignatures/sig1.xml", "<Signature/>")
    _prepared_document, copy, _place = annotated(path, tmp_path)
    assert remarks_in_words(copy, path)[0].startswith(
        "essay.docx is signed: its signature is valid for the original only"
    )


def test_that_other_formats_are_refused_with_one_sentence():
    document = load_document(SAMPLES / "心中的桥.html")
    with pytest.raises(NotAnnotatedError, match=r"only PDF and Word files \(\.docx, \.docm, \.dotx\) can be"):
        annotated_copy(document.path, document, [])


@pytest.mark.skipif(soffice() is None, reason="LibreOffice is not installed")
def test_that_libreoffice_opens_the_copy_with_its_marks_and_comments(tmp_path):
    _prepared_document, copy, place = annotated(SAMPLES / "家乡的石桥.docx", tmp_path)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [soffice(), profile, "--headless", "--convert-to", "fodt", "--outdir", tmp_path, place]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
    opened = place.with_suffix(".fodt").read_text(encoding="utf-8")
    assert opened.count("<office:annotation ") == copy.placed
    for kind in MatchKind:
        assert f'fo:background-color="#{MARK_STYLES[kind].background}"' in opened
