"""`simcompare compare` run with real files."""

import json
from pathlib import Path

import pytest
from lxml import html

from simcompare.cohort.common_text import find_common_text
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare as compare_prepared
from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.cohort.test_common_text import TEMPLATE
from tests.helpers.documents import SHARED, unrelated_essays


def test_that_a_chinese_text_and_a_word_file_are_compared(essays, run):
    result = run("compare", "bridge.txt", "reworded.docx")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Matches            3 (identical 1, edited 1, reworded 1)" in result.stdout
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in result.stdout


def test_that_json_offsets_point_into_the_extracted_texts(essays, run):
    result = run("compare", "bridge.txt", "reworded.docx", "--to", "json", "--threads", "1")
    value = json.loads(result.stdout)
    files = {side: document["file_name"] for side, document in value["documents"].items()}
    assert files == {"left": "bridge.txt", "right": "reworded.docx"}
    assert value["settings"]["thesaurus"] == "starter"
    exact = next(match for match in value["matches"] if match["kind"] == "exact")
    for side, name in files.items():
        text = load_document(essays / name).text
        assert text[exact[side]["start"] : exact[side]["end"]] == exact[side]["text"]
    assert exact["left"]["text"] == exact["right"]["text"]
    assert (exact["p"], exact["w"]) == (1.0, None)


def test_that_a_file_compared_with_itself_is_fully_covered(essays, run):
    value = json.loads(run("compare", "bus.html", "bus.html", "--to", "json").stdout)
    for name in ("share", "sentence_share"):
        assert {figure for side in value[name].values() for figure in side.values()} == {1.0}
    assert value["hamming_distance_bits"] == 0


QUOTED = "桥不说话但是它记得每一个走过的人和每一场涨过的水所以年纪越大的桥越沉默也越让人想要坐下来听它"
LEADING = "正如作者许多年以前在那本讲述河流与村庄的集子里写下的那句后来人人会背的话："


def test_that_a_quotation_both_cite_is_said_to_be_left_out_with_its_length(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for name, own, lead in zip("ab", unrelated_essays(2, 7), ("", LEADING), strict=True):
        text = "\n".join((*own[:2], f"{lead}“{QUOTED}”（王小明，2001，第3页）。", *own[2:]))
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
    shown = run("compare", "a.txt", "b.txt").stdout
    said = f"All that the two texts have in common is excluded: {len(QUOTED) + 7} characters (quotation)."
    assert shown.startswith(said)
    pair = json.loads(run("check", ".", "--to", "json").stdout)["pairs"][0]
    assert not pair["unusual"]
    assert pair["longest_passage_units"] == 0


@pytest.fixture
def two_essays(tmp_path, monkeypatch):
    """Two essays without text in common below the same task and declaration, a.txt and b.txt."""
    monkeypatch.chdir(tmp_path)
    for name, own in zip("ab", unrelated_essays(2, 7), strict=True):
        Path(f"{name}.txt").write_text("\n".join((*TEMPLATE, *own)), encoding="utf-8")


def test_that_equal_lines_of_a_form_are_left_out_and_said_to_be(two_essays, run):
    shown = run("compare", "a.txt", "b.txt").stdout
    assert shown.startswith("All that the two texts have in common is excluded: ")
    assert " characters (common text)" in shown
    assert shown.count("common text: ") == 2
    value = json.loads(run("compare", "a.txt", "b.txt", "--to", "json").stdout)
    left_out = [each["text"] for each in value["exclusions"]["left"] if each["excluded_as"] == "common"]
    assert left_out == list(TEMPLATE)
    counted = run("compare", "a.txt", "b.txt", "--keep-common").stdout
    assert "common text" not in counted
    assert "is also in that of" in counted


@pytest.mark.skipif(not (SHARED / "bench").exists(), reason="the development sets are not here")
def test_that_two_files_have_the_share_that_their_class_shows():
    folder = SHARED / "bench" / "class-dev"
    documents = [
        read_prepared_document(path, "improved", ReadingOptions())
        for path in sorted((folder / "essays").glob("*.txt"))
    ]
    common = find_common_text(documents, range(len(documents))).by_text(documents)
    by_name = {document.document.path.name: document for document in documents}
    settings, thesaurus = ComparisonSettings(), load_thesaurus("starter")
    for line in (folder / "gold.tsv").read_text(encoding="utf-8").splitlines():
        left, right = (by_name[name] for name in line.split("\t")[:2])
        alone = compare_prepared(left, right, settings, thesaurus).share
        of_class = common[left.prepared], common[right.prepared]
        in_class = compare_prepared(left, right, settings, thesaurus, common=of_class).share
        for side in ("left_in_right", "right_in_left"):
            shares = [getattr(share, side).after_exclusions for share in (alone, in_class)]
            assert shares[0] == pytest.approx(shares[1], abs=0.02)


def test_that_a_page_is_written_to_a_file(essays, run):
    (essays / "page.html").write_text("what was here before")
    result = run("compare", "bridge.txt", "reworded.docx", "--to", "html", "--output", "page.html")
    assert (result.exit_code, result.stdout) == (0, "")
    tree = html.fromstring((essays / "page.html").read_bytes())
    assert tree.findtext(".//title") == "bridge.txt ↔ reworded.docx"
    assert len(list(essays.glob(".*"))) == 0


def test_that_options_override_the_preset(essays, run):
    arguments = ("--preset", "paper", "--right-weight", "0.9", "--thesaurus", "none", "--recipe", "md5-32")
    value = json.loads(run("compare", "bridge.txt", "reworded.docx", "--to", "json", *arguments).stdout)
    chosen = {
        "similar_weight": 0.6,
        "right_weight": 0.9,
        "thesaurus": "none",
        "thesaurus_group_count": 0,
        "recipe": "md5-32",
        "exclude_quotations": True,
        "minimum_units": 5,
        "passages": None,
    }
    assert value["settings"] == value["settings"] | chosen
    fingerprint = value["documents"]["left"]["fingerprint"]
    assert (fingerprint["recipe"], len(fingerprint["hex"])) == ("md5-32/1", 8)


def test_that_without_words_disables_the_word_stage(essays, run):
    arguments = ("compare", "bridge.txt", "reworded.docx", "--to", "json")
    kinds = [match["kind"] for match in json.loads(run(*arguments).stdout)["matches"]]
    alone = [match["kind"] for match in json.loads(run(*arguments, "--without-words").stdout)["matches"]]
    assert "synonym" in kinds
    assert alone == [kind for kind in kinds if kind != "synonym"]


def test_that_a_thesaurus_can_be_a_file(essays, run):
    (essays / "mine.txt").write_text("美丽 漂亮\n著名 有名\n", encoding="utf-8")
    result = run("compare", "bridge.txt", "reworded.docx", "--thesaurus", "mine.txt")
    assert "Thesaurus          mine.txt (2 synonym groups)" in result.stdout


EXCLUDING = """村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。我每天都要从它上面走过去。
“桥是会说话的，只是说得很慢。”好美。
参考文献
王小明，《桥的历史》，河流出版社。
"""


def excluded_by(run, *arguments):
    value = json.loads(run("compare", "quoting.txt", "bridge.txt", "--to", "json", *arguments).stdout)
    return [each["excluded_as"] for each in value["exclusions"]["left"]], value


def test_that_exclusions_are_on_by_default_and_can_be_switched_off(essays, run):
    (essays / "quoting.txt").write_text(EXCLUDING, encoding="utf-8")
    reasons, value = excluded_by(run)
    assert reasons == ["quotation", "short", "reference", "reference"]
    share = value["share"]["left_in_right"]
    assert 0 < share["raw"] < share["after_exclusions"] < 1
    assert excluded_by(run, "--keep-quotations")[0] == ["short", "reference", "reference"]
    assert excluded_by(run, "--keep-references")[0] == ["quotation", "short", "short"]
    keep = ("--keep-quotations", "--keep-references", "--minimum-units", "0")
    reasons, value = excluded_by(run, *keep)
    assert reasons == []
    share = value["share"]["left_in_right"]
    assert share["raw"] == share["after_exclusions"]


def test_that_the_sentences_of_a_prompt_are_excluded_on_both_sides(essays, run):
    (essays / "quoting.txt").write_text(EXCLUDING, encoding="utf-8")
    (essays / "prompt.html").write_text(
        "<p>写一篇作文，用这句话开头：</p><p>村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。</p>",
        encoding="utf-8",
    )
    reasons, value = excluded_by(run, "--prompt", "prompt.html")
    assert reasons[0] == "prompt"
    right = [each["excluded_as"] for each in value["exclusions"]["right"]]
    assert right[:2] == ["name_line", "prompt"], "its title and its first sentence"
    assert value["settings"]["prompt"] == "prompt.html"
    assert [match["is_excluded"] for match in value["matches"]] == [True]
    share = value["share"]["left_in_right"]
    assert share["raw"] > share["after_exclusions"] == 0


def test_that_an_unreadable_prompt_ends_the_comparison_with_its_error(essays, run):
    result = run("compare", "bridge.txt", "reworded.docx", "--prompt", "missing.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("missing.txt cannot be opened: ")


def test_that_the_result_does_not_overwrite_the_prompt(essays, run):
    result = run("compare", "bridge.txt", "reworded.docx", "--prompt", "bus.html", "--output", "bus.html")
    assert result.exit_code == 2
    assert "it is one of the files to read" in result.stderr


def test_that_each_unreadable_file_has_an_error_of_one_line(essays, run):
    (essays / "result.json").write_text("kept")
    result = run("compare", "broken.docx", "missing.txt", "--output", "result.json")
    assert (result.exit_code, result.stdout) == (1, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("broken.docx is damaged (")
    assert second.startswith("missing.txt cannot be opened: ")
    assert (essays / "result.json").read_text() == "kept"


def test_that_a_file_without_words_has_its_own_error(essays, run):
    (essays / "marks.txt").write_text("……！？ —— ……\n", encoding="utf-8")
    result = run("compare", "bridge.txt", "marks.txt")
    assert result.exit_code == 1
    assert result.stderr.startswith("marks.txt holds no words")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--preset", "strict"], "--preset cannot be strict. Choose one of: balanced, sensitive, paper."),
        (["--recipe", "sha"], "There is no fingerprint recipe called sha."),
        (["--similar-weight", "0.9"], "“Possible from” (0.9)"),
        (["--right-weight", "nan"], "“Possible from” (0.35)"),
        (["--thesaurus", "none.txt"], "The thesaurus none.txt cannot be read"),
        (["--language", "fr"], "--language cannot be fr. Choose one of: en, zh."),
        (
            ["--output", "nowhere/page.html"],
            "nowhere/page.html cannot be written: its folder",
        ),
        (["--to", "pdf"], "PDF cannot be printed as text. Name the file to write with --output."),
        (["--to", "docx"], "DOCX cannot be printed as text. Name the file to write with --output."),
        (["--output", "."], ". cannot be written: it is a folder."),
        (["--output", "bridge.txt"], "bridge.txt cannot be written: it is one of the files to read."),
    ],
)
def test_that_wrong_use_is_refused_with_one_sentence_before_any_work(essays, run, arguments, sentence):
    before = (essays / "bridge.txt").read_bytes()
    result = run("compare", "bridge.txt", "reworded.docx", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(sentence)
    assert len(result.stderr.splitlines()) == 1
    assert (essays / "bridge.txt").read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a"],
        ["a", "b", "--to", "epub"],
        ["a", "b", "--threads", "0"],
        ["a", "b", "--minimum-units", "-1"],
    ],
)
def test_that_an_invalid_command_line_exits_with_2(essays, run, arguments):
    assert run("compare", *arguments).exit_code == 2


def test_that_summary_and_reading_errors_are_in_the_chosen_language(essays, run):
    assert "汉明距离" in run("compare", "bridge.txt", "reworded.docx", "--language", "zh").stdout
    damaged = run("compare", "bridge.txt", "broken.docx", "--language", "zh")
    assert damaged.exit_code == 1
    assert "损坏" in damaged.stderr


@pytest.mark.parametrize(("form", "title"), [("matches-csv", "No.,Kind"), ("matrix-csv", "Left no.,")])
def test_that_the_tables_are_written_for_spreadsheets(essays, run, form, title):
    result = run("compare", "bridge.txt", "reworded.docx", "--to", form, "--output", "table.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (essays / "table.csv").read_text(encoding="utf-8-sig").startswith(title)
