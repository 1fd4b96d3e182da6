"""Pseudonyms are separated from adjacent digits and letters, so that the number is unambiguous."""

from pathlib import Path

import numpy as np
import pytest

from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.support.i18n import set_language
from tests.helpers.documents import prepared_text_document

CLASS = [Student(("王小明",)), Student(("Anna Kowalski",)), Student((), ("20231234",))]


@pytest.fixture
def labels():
    names = make_pseudonyms([], CLASS)
    shown = {owner.display_name: names.label(owner) for owner in names.owners}
    return names, {**shown, "number": shown["20231234"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王小明2班", "{王小明} 2班"),
        ("3王小明", "3 {王小明}"),
        ("Anna Kowalski 2009", "{Anna Kowalski} 2009"),
        ("王小明20231234", "{王小明} {number}"),
        ("20231234王小明", "{number} {王小明}"),
        ("essay20231234b", "essay {number} b"),
        ("和王小明去", "和{王小明}去"),
        ("（王小明）", "（{王小明}）"),
        ("Kowalski's, Kowalski 2", "{Anna Kowalski}'s, {Anna Kowalski} 2"),
        ("王小明一起", "{王小明}一起"),
    ],
)
def test_that_a_pseudonym_is_separated_from_adjacent_digits_and_letters(labels, text, expected):
    names, by_student = labels
    assert names.replaced(text) == expected.format_map(by_student)


def test_that_whois_finds_a_pseudonym_followed_by_digits(labels):
    names, _by_student = labels
    wang = next(owner for owner in names.owners if owner.display_name == "王小明")
    assert names.owners_of(names.replaced("王小明2班")) == [wang]
    set_language("zh")
    assert names.owners_of(names.replaced("王小明2班")) == [wang]


def test_that_spans_of_sentences_and_units_exclude_the_separator():
    text = "王小明2班的作文。3王小明4来了。王小明"
    prepared_document = prepared_text_document(text)
    names = make_pseudonyms([RecognisedStudent(Path("x.txt"), "王小明")]).including_files(
        [prepared_document.document.path]
    )
    label = names.label(names.owner_of(Path("x.txt")))
    redacted = names.redact(prepared_document)
    document, prepared = redacted.prepared_document.document, redacted.prepared_document.prepared
    assert document.text == f"{label} 2班的作文。3 {label} 4来了。{label}"
    assert len(redacted.text) == 3
    units = [document.text[start:end] for start, end in prepared.unit_spans.tolist()]
    assert not any(" " in unit or unit == "" for unit in units if unit.isdigit())
    assert "2" in units
    assert " " not in {text[-1:] for text in units} | {text[:1] for text in units}
    sentences = [prepared.sentence_span(n).of(document.text) for n in range(prepared.sentence_count)]
    assert sentences[0].startswith(label)
    assert sentences[1].startswith("3 ")
    assert (np.diff(prepared.unit_spans[:, 0]) >= 0).all()


def test_that_a_paragraph_of_a_word_copy_has_the_separator_too(labels):
    names, by_student = labels
    (only,) = names.replacements("王小明2班")
    assert only.text == f"{by_student['王小明']} "
