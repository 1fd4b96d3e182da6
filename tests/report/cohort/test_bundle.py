"""Bundles of reports in a folder or a zip."""

import csv
import errno
import io
import json
import os
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html

from simcompare.cohort.cohort_scoring import CohortPair, with_detected_groups
from simcompare.export.export_tasks import begin_report, report_of
from simcompare.model.errors import ReportNotSavedError
from simcompare.model.progress import Cancelled, no_tick
from simcompare.report import report_forms as forms
from simcompare.report.cohort.report_bundle import NotReportedError, narrowed, write_bundle
from simcompare.support.display_text import percent
from simcompare.support.i18n import set_language, using_language
from tests.report.cohort.class_of_essays import ESSAYS, compared_essays, renamed

needs_permissions = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="an administrator may write anywhere"
)


def bundled(place, cohort=None, pairs=None, suffix=".html", tick=no_tick, begin=begin_report, **making):
    cohort = cohort or compared_essays()
    chosen = narrowed(cohort, cohort.pairs if pairs is None else pairs)
    return write_bundle(chosen, suffix, place, tick, begin, **making)


def page_of(place):
    return html.fromstring((place / "index.html").read_bytes())


def everything_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_that_a_folder_holds_the_reports_a_page_and_the_tables(tmp_path):
    place = tmp_path / "out"
    reports = bundled(place, pairs=compared_essays().pairs[:2])
    assert everything_in(place) == [
        "index.html",
        "pairs.csv",
        "pairs.xlsx",
        "reports",
        "reports/1 家乡的石桥 – 桥的故事.html",
        "reports/2 家乡的石桥 – 心中的桥.html",
    ]
    assert list(reports) == everything_in(place)[4:]
    assert everything_in(tmp_path)[0] == "out"
    assert len(list(tmp_path.iterdir())) == 1
    with using_language("zh"):
        bundled(tmp_path / "zh", pairs=compared_essays().pairs[:1])
    names = ["index.html", "作文对.csv", "作文对.xlsx", "报告", "报告/1 家乡的石桥 – 桥的故事.html"]
    assert everything_in(tmp_path / "zh") == names
    page = html.fromstring((tmp_path / "zh" / "index.html").read_bytes())
    assert {unquote(each) for each in page.xpath("//a/@href") if ":" not in each} >= {*names[1:3], names[4]}


def test_that_reports_of_files_of_the_same_name_are_distinguished(tmp_path):
    cohort = renamed(compared_essays(), "/李小明/作文.docx", "/王芳/作文.docx", "c.docx", "d.docx")
    alone = next(pair for pair in cohort.pairs if (pair.left, pair.right) == (0, 2))
    for suffix in (".json", ".html"):
        bundled(tmp_path / suffix, cohort, [alone], suffix=suffix)
        (report,) = (tmp_path / suffix / "reports").iterdir()
        assert report.name == f"1 李小明 作文 – c{suffix}"
        if suffix == ".json":
            documents = json.loads(report.read_text("utf-8"))["documents"]
            assert [documents[side]["name"] for side in ("left", "right")] == ["李小明/作文.docx", "c.docx"]
        else:
            assert "李小明/作文.docx" in report.read_text("utf-8")


@pytest.mark.parametrize(("suffix", "begin"), [(".pdf", b"%PDF"), (".docx", b"PK"), (".json", b"{")])
def test_that_reports_have_the_form_asked_for(tmp_path, suffix, begin):
    bundled(tmp_path / "out", pairs=compared_essays().pairs[:1], suffix=suffix)
    (report,) = (tmp_path / "out" / "reports").iterdir()
    assert report.suffix == suffix
    assert report.read_bytes().startswith(begin)


def test_that_every_link_of_the_page_leads_to_a_file_of_the_bundle(tmp_path):
    place = tmp_path / "out"
    names = ("100% #1?.docx", "a&b.docx", 'q"uote.docx', "<b>.docx")
    bundled(place, cohort=renamed(compared_essays(), *names))
    links = page_of(place).xpath("//a/@href")
    assert len(links) == 8
    for link in links:
        assert (place / unquote(link)).is_file()


def test_that_the_page_loads_nothing_from_outside(tmp_path):
    bundled(tmp_path / "out")
    page = page_of(tmp_path / "out")
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script" not in policy
    assert "unsafe" not in policy
    assert not page.xpath("//script | //link | //img | //@style | //@onclick")


def test_that_names_and_notes_are_escaped(tmp_path):
    cohort = renamed(compared_essays(), "<script>alert(1)</script>.docx", "b\u202e.docx", "c.docx", "d.docx")
    bundled(tmp_path / "out", cohort=cohort)
    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "\u202e" not in text


def test_that_pairs_with_most_in_common_come_first_in_page_table_and_names(tmp_path):
    place = tmp_path / "out"
    bundled(place, pairs=compared_essays().pairs[::-1])
    rows = page_of(place).xpath("//table//tbody/tr")
    assert ["".join(row.xpath("./td[1]/text()")) for row in rows] == list("123456")
    table = list(csv.reader(io.StringIO((place / "pairs.csv").read_text(encoding="utf-8-sig"), newline="")))
    for row, line in zip(rows, table[1:], strict=True):
        assert row.xpath(".//bdi/text()")[:2] == line[:2]
    assert rows[0].xpath(".//a/@href")[0].startswith("reports/1%20")


def test_that_the_page_shows_decision_note_digests_settings_and_date(tmp_path):
    bundled(tmp_path / "out")
    page = page_of(tmp_path / "out")
    assert [decision.text for decision in page.find_class("judged")] == ["copied"]
    text = page.text_content()
    for words in ("same bridge", "possible from 0.35", "6 May 2024, 07:08"):
        assert words in text
    for prepared_document in compared_essays().documents:
        assert prepared_document.document.sha256 in text


def test_that_decision_and_note_are_beside_the_shares(tmp_path):
    bundled(tmp_path / "out")
    page = page_of(tmp_path / "out")
    head = [cell.text_content() for cell in page.xpath("//thead//th")]
    assert head[3:6] == ["Share of B", "Decision", "Share of A before exclusions"]
    [judged] = page.find_class("copied")
    assert judged.xpath("ancestor::td/preceding-sibling::td[1]")[0].get("data-label") == "Share of B"


def test_that_the_page_is_in_chinese(tmp_path):
    set_language("zh")
    bundled(tmp_path / "out", pairs=compared_essays().pairs[:1])
    page = page_of(tmp_path / "out")
    assert page.get("lang") == "zh-Hans"
    assert "A 的重复率" in page.text_content()


def test_that_a_bundle_of_some_pairs_mentions_no_other_document(tmp_path):
    place = tmp_path / "out"
    bundled(place, pairs=compared_essays().pairs[:1])
    for name in ("index.html", "pairs.csv"):
        text = (place / name).read_text(encoding="utf-8")
        assert ESSAYS[0] in text
        assert "The last bus" not in text
        assert "broken.docx" not in text


def test_that_a_bundle_of_all_pairs_names_pairs_not_compared(tmp_path):
    bundled(tmp_path / "out")
    assert "This file is damaged" in page_of(tmp_path / "out").text_content()


def test_that_a_pair_without_a_report_is_named_with_the_reason(tmp_path, monkeypatch):
    render = forms.FORMS[".json"].render

    def fail_for_the_bus(evidence):
        if "bus" in evidence.comparison.right.name:
            raise MemoryError
        return render(evidence)

    broken = replace(forms.FORMS[".json"], render=fail_for_the_bus)
    monkeypatch.setattr("simcompare.export.export_tasks.FORMS", {".json": broken})
    unscored = CohortPair(0, 1, None, cause="its process ended")
    reports = bundled(tmp_path / "out", pairs=[unscored, *compared_essays().pairs[1:4]], suffix=".json")
    assert [str(report) for report in reports[:2]] == [
        "reports/1 家乡的石桥 – 心中的桥.json",
        "reports/2 心中的桥 – 桥的故事.json",
    ]
    assert isinstance(reports[2], MemoryError)
    assert str(reports[3]) == "its process ended"
    text = page_of(tmp_path / "out").text_content()
    assert "No report: MemoryError" in text
    assert "No report: its process ended" in text
    assert len(list((tmp_path / "out" / "reports").iterdir())) == 2


def test_that_reports_of_a_bundle_contain_decisions(tmp_path):
    judged = [pair for pair in compared_essays().pairs if not pair.review.is_empty]
    bundled(tmp_path / "out", pairs=judged)
    (report,) = (tmp_path / "out" / "reports").iterdir()
    assert ">copied<" in report.read_text(encoding="utf-8")


def test_that_two_runs_give_the_same_zip(tmp_path):
    for name in ("a.zip", "b.ZIP"):
        bundled(tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.ZIP").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist()[-3:] == ["index.html", "pairs.xlsx", "pairs.csv"]
        assert {member.date_time for member in archive.infolist()} == {(2024, 5, 6, 7, 8, 0)}


def test_that_a_zip_has_the_files_of_a_folder(tmp_path):
    bundled(tmp_path / "a.zip")
    bundled(tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        for name in archive.namelist():
            assert archive.read(name) == (tmp_path / "b" / name).read_bytes()


def test_that_progress_is_reported_for_each_pair(tmp_path):
    ticks = []
    bundled(tmp_path / "out", tick=lambda *at: ticks.append(at), suffix=".json")
    assert ticks == [(number, 6) for number in range(1, 7)]


@pytest.mark.parametrize("name", ["out", "out.zip"])
@pytest.mark.parametrize("ending", [Cancelled, KeyboardInterrupt])
def test_that_a_bundle_that_was_stopped_leaves_nothing_behind(tmp_path, name, ending):
    def stop_after_two(done, _total):
        if done == 2:
            raise ending

    with pytest.raises(ending):
        bundled(tmp_path / name, tick=stop_after_two)
    assert list(tmp_path.iterdir()) == []


def test_that_a_limited_number_of_reports_is_started_ahead(tmp_path):
    started = []
    most = []

    def begin(cohort, pair, suffix):
        started.append(pair)
        most.append(len(started))

        def wait():
            started.remove(pair)
            if pair is cohort.pairs[1]:
                raise NotReportedError("its process ended")
            return report_of(cohort, pair, suffix)

        return wait

    reports = bundled(tmp_path / "out", suffix=".json", begin=begin)
    assert max(most) == 4
    assert str(reports[1]) == "its process ended"
    bundled(tmp_path / "here", suffix=".json")
    for path in filter(lambda report: isinstance(report, str), reports):
        assert (tmp_path / "out" / path).read_bytes() == (tmp_path / "here" / path).read_bytes()


def test_that_cancelling_a_report_cancels_the_bundle(tmp_path):
    def cancel():
        raise Cancelled

    with pytest.raises(Cancelled):
        bundled(tmp_path / "out", begin=lambda *_report: cancel)
    assert list(tmp_path.iterdir()) == []


def test_that_a_folder_that_is_not_empty_is_left_unchanged(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "grades.txt").write_text("A")
    with pytest.raises(
        ReportNotSavedError, match=r"out cannot be saved in .*: a file or folder of that name exists"
    ):
        bundled(tmp_path / "out")
    assert everything_in(tmp_path) == ["out", "out/grades.txt"]


def test_that_every_file_is_synced_before_the_folder_is_renamed(tmp_path, monkeypatch):
    synced, sync = set(), os.fsync

    def recorded(descriptor):
        assert not (tmp_path / "out").exists()
        synced.add(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    bundled(tmp_path / "out", pairs=compared_essays().pairs[:1])
    assert synced == {path.stat().st_ino for path in (tmp_path / "out").rglob("*") if path.is_file()}


def test_that_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "out").mkdir()
    bundled(tmp_path / "out", pairs=compared_essays().pairs[:1])
    assert (tmp_path / "out" / "index.html").is_file()


def test_that_a_file_at_the_place_of_the_folder_is_an_error(tmp_path):
    (tmp_path / "out").write_text("A")
    with pytest.raises(ReportNotSavedError):
        bundled(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "A"


def test_that_a_missing_parent_folder_is_named(tmp_path):
    for name in ("out", "out.zip"):
        with pytest.raises(ReportNotSavedError, match="its folder is not there"):
            bundled(tmp_path / "missing" / name)


def full_disk(_data, *, after):
    after.append(1)
    if len(after) > 1:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_that_a_full_disk_leaves_existing_files_unchanged(tmp_path, monkeypatch, name):
    if name == "out.zip":
        bundled(tmp_path / name, pairs=compared_essays().pairs[:1])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(
        "simcompare.report.cohort.report_bundle.os.fsync"
        if name == "out"
        else "simcompare.support.atomic_file.os.fsync",
        partial(full_disk, after=[] if name == "out" else [1]),
    )
    with pytest.raises(ReportNotSavedError, match="the disk is full"):
        bundled(tmp_path / name)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@needs_permissions
def test_that_a_read_only_folder_is_reported(tmp_path):
    tmp_path.chmod(0o500)
    for name in ("out", "out.zip"):
        with pytest.raises(ReportNotSavedError, match="not allowed"):
            bundled(tmp_path / name)


def test_that_json_reports_are_json(tmp_path):
    bundled(tmp_path / "out", pairs=compared_essays().pairs[:1], suffix=".json")
    (report,) = (tmp_path / "out" / "reports").iterdir()
    assert json.loads(report.read_bytes())


def test_that_hostile_names_stay_within_the_bundle(tmp_path):
    names = ("../../evil.docx", "..\\..\\evil.docx", "CON.docx", "長" * 200 + ".docx")
    bundled(tmp_path / "a.zip", cohort=renamed(compared_essays(), *names))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        for name in archive.namelist():
            assert ".." not in Path(name).parts
            assert "\\" not in name
            assert len(Path(name).name.encode()) <= 255
    bundled(tmp_path / "b", cohort=renamed(compared_essays(), *names))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "b"]


def test_that_the_page_shows_groups_if_there_are_any(tmp_path):
    bundled(tmp_path / "without")
    assert "The largest group is number 1." not in page_of(tmp_path / "without").text_content()
    bundled(tmp_path / "with", cohort=with_detected_groups(compared_essays(), 0.5))
    page = page_of(tmp_path / "with")
    assert page.xpath("//td[@data-label='Group']/text()") == ["1", "1", "—", "—", "—", "—"]
    assert "Essays linked by unusual pairs, of 50% or more" in page.text_content()


def test_that_the_length_of_a_bar_is_the_share_above_it(tmp_path):
    bundled(tmp_path / "out")
    page = page_of(tmp_path / "out")
    for cell in page.find_class("cover"):
        (part,) = cell.find_class("part")
        assert cell.findtext("strong") == percent(float(part.get("width")) / 100)
