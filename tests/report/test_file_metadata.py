"""File metadata (author, times, program) in receipts and reports, but not in anonymous ones."""

import json
import time
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import docx
import pytest
from typer.testing import CliRunner

from simcompare.cli.main import app
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts, facts_of_comparison
from simcompare.cohort.shared_facts import Kinship
from simcompare.comparison.compare_documents import compare
from simcompare.model.document import MOST_EDITING_IDS, UNKNOWN_ORIGIN, Origin
from simcompare.model.errors import DamagedSessionError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.redaction.redacted_class import anonymous_evidence
from simcompare.report.receipts import common_facts, facts_of_pair, origin_lines, time_in_words
from simcompare.report.report_forms import FORMS, NAMED_FORMS
from simcompare.report.wording import NO_NUMBER
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.word_sessions import write_edited_docx
from tests.pseudonyms.leaks import parts_of
from tests.pseudonyms.students import SECRET
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of
from tests.report.words import WORDS, squeezed

AUTHOR, OTHER = "赵子龙", "孙尚香"
IDS = ("00A1B2C3", "4B5F6C2D")
ORIGIN = Origin(
    *(AUTHOR, OTHER, "2023-01-07T10:03:00", "2023-01-08T11:30:00", "WPS Office", "作业模板.dotx", 12, 95),
    pictures=("石桥.jpg",),
    editing_ids=IDS,
)


@pytest.fixture
def _in_china(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def evidence(tmp_path):
    """Evidence of two Word files with the same author, another last editor and common editing ids."""
    prepared_documents = []
    for number, text in enumerate((BRIDGE, BRIDGE_REWORDED)):
        title, *lines = filter(None, text.split("\n"))
        facts = {
            "creator": AUTHOR,
            "created": "2023-01-07T10:03:00Z",
            "Template": "作业模板.dotx",
            "TotalTime": "95",
        }
        path = write_edited_docx(tmp_path / f"{number}.docx", title, lines, IDS, **facts)
        document = docx.Document(str(path))
        document.core_properties.last_modified_by = OTHER
        document.save(str(path))
        prepared_documents.append(read_prepared_document(path, "improved"))
    comparison = compare(*prepared_documents, ComparisonSettings(), load_thesaurus("starter"))
    return evidence_of(comparison, facts=facts_of_comparison(comparison))


def test_that_a_receipt_says_who_made_the_file_and_when_and_with_what():
    assert list(origin_lines(ORIGIN)) == [
        ("Author", AUTHOR),
        ("Last saved by", OTHER),
        ("Created", "7 January 2023, 10:03"),
        ("Last saved", "8 January 2023, 11:30"),
        ("Editing time", "95 minutes"),
        ("Revision", "12"),
        ("Program", "WPS Office"),
        ("Template", "作业模板.dotx"),
        ("Pictures", "石桥.jpg"),
    ]


def test_that_the_facts_of_two_files_are_side_by_side():
    facts = facts_of_pair(Origin(AUTHOR, edit_minutes=0), Origin(AUTHOR, OTHER, revision=3))
    assert facts == [
        ("Author", AUTHOR, AUTHOR),
        ("Last saved by", NO_NUMBER, OTHER),
        ("Editing time", "0 minutes", NO_NUMBER),
        ("Revision", NO_NUMBER, "3"),
    ]
    assert facts_of_pair(UNKNOWN_ORIGIN, UNKNOWN_ORIGIN) == []


@pytest.mark.parametrize(
    ("left", "right", "kinship", "words"),
    [
        (
            ORIGIN,
            ORIGIN,
            Kinship(12, 1e-40),
            "The files share 12 editing ids: parts of both were once written",
        ),
        (UNKNOWN_ORIGIN, UNKNOWN_ORIGIN, Kinship(2, 1e-9), "The files share 2 editing ids: "),
        (ORIGIN, ORIGIN, None, "No more in common than chance"),
        (ORIGIN, UNKNOWN_ORIGIN, None, "Only one of the files has any"),
        (UNKNOWN_ORIGIN, UNKNOWN_ORIGIN, None, ""),
    ],
)
def test_that_common_editing_ids_are_explained_and_missing_ones_prove_nothing(left, right, kinship, words):
    said = dict(common_facts(left, right, PairFacts(kinship))).get("Editing ids", "")
    assert said.startswith(words)
    assert bool(said) == bool(words)


def test_that_a_file_without_metadata_has_no_origin_lines():
    assert list(origin_lines(UNKNOWN_ORIGIN)) == []


def test_that_control_characters_of_a_name_are_made_visible():
    (_label, words) = next(origin_lines(Origin("Li\u202egnim")))
    assert "\u202e" not in words


@pytest.mark.usefixtures("_in_china")
@pytest.mark.parametrize(
    ("moment", "words"),
    [
        ("2023-01-07T10:03:00+00:00", "7 January 2023, 18:03"),
        ("2023-01-07T10:03:00", "7 January 2023, 10:03"),
        ("2023-01-07T23:59:59-01:00", "8 January 2023, 08:59"),
        ("nonsense of a broken session", ""),
    ],
)
def test_that_times_are_shown_in_the_local_time_zone(moment, words):
    assert time_in_words(moment) == words


def all_of(data: bytes) -> str:
    return "".join(part.decode("utf-8", "replace") for _name, part in parts_of(data))


@pytest.mark.parametrize("form", ["html", "text", "docx", "json"])
def test_that_reports_name_who_made_each_file(evidence, form):
    content = all_of(NAMED_FORMS[form].render(evidence))
    assert content.count(AUTHOR) >= 2
    assert content.count(OTHER) >= 2


@pytest.mark.parametrize("form", ["html", "text", "docx", "json"])
def test_that_no_anonymous_report_names_the_author_even_if_not_a_listed_student(evidence, form):
    paths = [side.document.path for side in (evidence.comparison.left, evidence.comparison.right)]
    anonymous = anonymous_evidence(evidence, make_pseudonyms(propose(paths, []), secret=SECRET))
    content = all_of(NAMED_FORMS[form].render(anonymous))
    assert AUTHOR not in content
    assert OTHER not in content
    assert "7 January 2023" not in content
    assert not any(each in content for each in ("作业模板", "95 minutes", *IDS))
    assert "share 2 editing ids" in content or form == "json"


@pytest.mark.parametrize("form", ["html", "docx", "text"])
def test_that_reports_for_people_show_the_facts_of_both_files_and_what_they_have_in_common(evidence, form):
    content = all_of(NAMED_FORMS[form].render(evidence))
    assert "Same author" in content
    assert min(content.count("95 minutes"), content.count("作业模板.dotx")) >= 2
    assert "The files share 2 editing ids: parts of both were once written in the same file" in content


@pytest.mark.parametrize("suffix", [".html", ".pdf", ".docx"])
def test_that_reports_list_references_that_a_text_does_not_cite(tmp_path, suffix):
    entries = [
        "参考文献",
        *(f"[{number}] 王小明. 石桥的历史[J]. 建筑学报, 2015, {number}(2): 15-20." for number in (1, 2)),
    ]
    cited = comparison_of(
        tmp_path, "\n".join(["关于石桥的文章", "石桥的历史很长[1]，也很有意思[3]。", *entries]), BRIDGE
    )
    content = WORDS[suffix](FORMS[suffix].render(evidence_of(cited)))
    assert squeezed("Listed, not cited") in content
    assert squeezed("[2] 王小明. 石桥的历史") in content
    assert squeezed("Cited, not listed") in content


def test_that_the_json_has_the_kinship(evidence):
    value = json.loads(NAMED_FORMS["json"].render(evidence))
    assert value["kinship"] == {"shared_ids": 2, "chance": 2.8e-14}
    assert value["documents"]["left"]["receipt"]["origin"]["editing_ids"] == list(IDS)
    assert json.loads(NAMED_FORMS["json"].render(replace(evidence, facts=NO_FACTS)))["kinship"] is None


def with_origin(path: Path, origin: dict[str, Any] | None) -> Path:
    """Save a session again with other file metadata; None: in the format that has none."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    facts = json.loads(members["documents/0001/facts.json"])
    del facts["receipt"]["origin"]
    if origin is not None:
        facts["receipt"]["origin"] = origin
    members["documents/0001/facts.json"] = json.dumps(facts).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def session(evidence, tmp_path):
    """Session file of a document with every value of the metadata."""
    document = evidence.comparison.left.document
    document = replace(document, receipt=replace(document.receipt, origin=ORIGIN))
    path = tmp_path / "class.simcompare"
    write_session(Session(documents=(SessionDocument(document.path, document=document),)), path)
    return path


def origin_in(path: Path) -> Origin:
    (kept,) = read_session(path).documents
    return kept.document.receipt.origin


def test_that_a_session_stores_the_origin(session):
    assert origin_in(session) == ORIGIN


def test_that_older_sessions_are_read_without_what_they_do_not_store(session):
    older = {name: value for name, value in asdict(ORIGIN).items() if name in {"author", "program"}}
    assert origin_in(with_origin(session, older)) == Origin(AUTHOR, program="WPS Office")
    assert origin_in(with_origin(session, None)) == UNKNOWN_ORIGIN


@pytest.mark.parametrize(
    "values",
    [
        {"editing_ids": ["00A1B2C3"] * (MOST_EDITING_IDS + 1)},
        {"editing_ids": ["<script>"]},
        {"pictures": ["1.png"] * 21},
        {"edit_minutes": -1},
    ],
)
def test_that_a_session_with_impossible_metadata_is_refused(session, values):
    with pytest.raises(DamagedSessionError):
        read_session(with_origin(session, asdict(ORIGIN) | values))


@pytest.mark.parametrize("form", ["text", "json"])
def test_that_extract_prints_the_origin(evidence, form):
    path = evidence.comparison.left.document.path
    result = CliRunner().invoke(
        app, ["extract", str(path), "--receipt", "--to", form], catch_exceptions=False
    )
    assert f"0.docx: Author: {AUTHOR}\n0.docx: Last saved by: {OTHER}\n" in result.stderr
    if form == "json":
        assert json.loads(result.stdout)["receipt"]["origin"]["author"] == AUTHOR


def test_that_the_summary_names_the_common_author(evidence):
    content = NAMED_FORMS["text"].render(evidence).decode()
    assert f"\nSame author        {AUTHOR}\n" in content
