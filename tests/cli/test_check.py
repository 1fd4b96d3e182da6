"""`simcompare check` of a class: students, common text, earlier work, templates, formats and errors."""

import csv
import io
import json
from itertools import combinations

import pytest
from lxml import html

from simcompare.cohort.scored_class import restored_scores
from simcompare.session.session_file import read_session
from simcompare.support.display_text import percent
from tests.helpers.archives import write_zip
from tests.helpers.question_class import COPIED, OF_THE_QUESTION, write_class

COVER = "第一中学语文作业\n题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。\n"
ESSAYS = {
    "20260001-王小明": "外婆家的院子里有一口老井，夏天井水凉得刺骨。我常把西瓜放进竹篮，慢慢沉到水底。",
    "20260002-李雷": "火车穿过隧道的时候，车厢里忽然安静下来。对面的老人合上报纸，望着窗外漆黑的岩壁。",
    "20260003-韩梅": "实验室的灯一直亮到深夜，培养皿排成整齐的两行。老师教我们用显微镜数酵母菌的芽体。",
    "20260004-赵敏": "足球赛下半场开始前下起了暴雨，球鞋陷在泥里拔不出来。守门员滑倒以后，全队都笑了。",
    "20260005-孙立": "邮局门口的绿色信箱已经锈了，但是仍然有人往里投信。邮递员每周三骑着自行车来取。",
    "20260006-周杰": "菜市场最里面的豆腐摊总排着长队，摊主记得每个人的口味。奶奶喜欢老豆腐，我爱喝豆浆。",
}
COPIER, SOURCE = "20260006-周杰.txt", "20260001-王小明.txt"
ROSTER = "学号,姓名\n" + "".join(f"{name.replace('-', ',')}\n" for name in ESSAYS) + "20260007,吴芳\n"
KEYS = {
    "documents": ["name", "path", "student", "role", "units", "flags"],
    "students": ["id", "name", "other_names", "documents", "highest_share", "nearest"],
    "missing_students": ["id", "name"],
    "common_sentences": ["text", "documents"],
    "pairs": [
        *("left", "right", "left_in_right", "right_in_left", "left_in_right_raw", "right_in_left_raw"),
        *("hamming_distance_bits", "longest_passage_units", "possibly_rewritten_units", "group"),
        *("rank_score", "unusual"),
    ],
    "not_checked": ["path", "reason"],
}


def texts():
    """Texts by file name: the last one ends with the story of the first."""
    found = {f"{name}.txt": COVER + text for name, text in ESSAYS.items()}
    found[COPIER] += ESSAYS["20260001-王小明"]
    return found


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """Working folder with the folder `class`, with a draft, a class list and a damaged file."""
    folder = tmp_path / "class"
    folder.mkdir()
    for name, text in texts().items():
        (folder / name).write_text(text, encoding="utf-8")
    draft = COVER + ESSAYS["20260002-李雷"][:30]
    (folder / "20260002-李雷（初稿）.txt").write_text(draft, encoding="utf-8")
    (folder / "名单.csv").write_text(ROSTER, encoding="utf-8")
    (folder / "20260007-吴芳.docx").write_bytes(b"PK\x03\x04 torn")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def check(run):
    """Run the command with JSON as result; return the result and the exit status."""

    def run_check(*arguments):
        result = run("check", *arguments, "--to", "json")
        return json.loads(result.stdout), result.exit_code

    return run_check


def copied_pair(value):
    return next(pair for pair in value["pairs"] if {pair["left"], pair["right"]} == {COPIER, SOURCE})


def test_that_a_folder_gives_students_pairs_common_sentences_and_what_is_not_checked(a_class, check):
    value, status = check("class")
    assert (value["format"], value["version"], status) == ("simcompare-check", 1, 1)
    for part, keys in KEYS.items():
        assert all(list(item) == keys for item in value[part]), part
    current = [item["name"] for item in value["documents"] if item["role"] == "current"]
    assert sorted(current) == sorted(texts())
    assert [d["name"] for d in value["documents"] if d["role"] == "draft"] == ["20260002-李雷（初稿）.txt"]
    pairs = {frozenset((pair["left"], pair["right"])) for pair in value["pairs"]}
    assert pairs == set(map(frozenset, combinations(current, 2)))
    assert value["pairs_not_listed"] == {"with_drafts": 6, "below": 0}
    (damaged,) = value["not_checked"]
    assert damaged["path"] == "class/20260007-吴芳.docx"
    assert damaged["reason"].startswith("20260007-吴芳.docx is damaged")


def test_that_the_copy_is_the_first_pair_and_the_only_unusual_one(a_class, check):
    value, _status = check("class")
    first, *others = value["pairs"]
    assert {first["left"], first["right"]} == {COPIER, SOURCE}
    assert first["unusual"]
    assert not any(pair["unusual"] for pair in others)
    assert max(first["left_in_right"], first["right_in_left"]) == 1
    copied = "外婆家的院子里有一口老井夏天井水凉得刺骨我常把西瓜放进竹篮慢慢沉到水底"
    assert first["longest_passage_units"] == len(copied)
    student = next(student for student in value["students"] if student["id"] == "20260001")
    assert (student["name"], student["nearest"], student["highest_share"]) == ("王小明", COPIER, 1)


def test_that_pairs_are_listed_by_the_rare_text_they_share(tmp_path, check, run):
    write_class(tmp_path / "class")
    value, _status = check(str(tmp_path / "class"))
    first, second, *_others = value["pairs"]
    assert {first["left"], first["right"]} == COPIED
    assert {second["left"], second["right"]} == OF_THE_QUESTION
    assert max(first["left_in_right"], first["right_in_left"]) < max(
        second["left_in_right"], second["right_in_left"]
    )
    scores = [pair["rank_score"] for pair in value["pairs"]]
    assert scores == sorted(scores, reverse=True)
    lines = run("check", str(tmp_path / "class"), "--above", "50%").stdout.splitlines()
    assert [line for line in lines if line.startswith("1. ")] == ["1. Clark.txt – Davis.txt"]
    assert any(f"rare text in common: {percent(0.42)}" in line for line in lines)
    run("check", str(tmp_path / "class"), "--to", "html", "--output", str(tmp_path / "class.html"))
    page = html.fromstring((tmp_path / "class.html").read_bytes())
    pairs, students = (
        page.xpath("//table[not(contains(@class, 'students'))]//tr"),
        page.xpath("(//table[contains(@class, 'students')])[last()]//tbody//th"),
    )
    assert {name.text for name in pairs[1].xpath(".//bdi")} == COPIED
    assert {student.text_content() for student in students[:2]} == COPIED


def test_that_the_cover_is_common_and_counts_only_with_keep_common(a_class, check):
    value, _status = check("class")
    assert any("不少于三百字" in sentence["text"] for sentence in value["common_sentences"])
    current = sorted(texts())  # the draft has them too and does not count
    assert all(sorted(sentence["documents"]) == current for sentence in value["common_sentences"])
    assert value["pairs"][-1]["left_in_right"] == 0
    assert value["pairs"][-1]["left_in_right_raw"] > 0
    kept, _status = check("class", "--keep-common")
    assert kept["pairs"][-1]["left_in_right"] > 0.2
    assert kept["common_sentences"] == value["common_sentences"]


def test_that_a_student_with_a_damaged_file_is_not_missing_but_one_without_is(a_class, check):
    assert check("class")[0]["missing_students"] == []
    (a_class / "20260007-吴芳.docx").unlink()
    value, status = check("class")
    assert (value["missing_students"], status) == ([{"id": "20260007", "name": "吴芳"}], 0)
    other = a_class.parent / "other.txt"
    other.write_text("学号,姓名\n20260001,王小明\n20260009,郑强\n", encoding="utf-8")
    value, _status = check("class", "--roster", "other.txt")
    assert value["missing_students"] == [{"id": "20260009", "name": "郑强"}]


def test_that_a_zip_gives_the_same_figures_as_a_folder(a_class, check):
    folder, _status = check("class")
    write_zip(
        a_class.parent / "class.zip", {path.name: path.read_bytes() for path in a_class.iterdir()}, "gbk"
    )
    zipped, _status = check("class.zip")
    assert zipped["pairs"] == folder["pairs"]
    assert {d["path"] for d in zipped["documents"]} == {f"class.zip/{d['name']}" for d in folder["documents"]}


def test_that_above_lists_fewer_pairs_and_counts_the_others(a_class, check):
    value, _status = check("class", "--above", "50%")
    assert [{pair["left"], pair["right"]} for pair in value["pairs"]] == [{COPIER, SOURCE}]
    assert value["pairs_not_listed"]["below"] == 14


def test_that_earlier_work_is_compared_with_the_class_but_not_with_itself(a_class, check):
    # within the folder of the class
    old = a_class / "2025"
    old.mkdir()
    for name in ("刘洋.txt", "何静.txt"):
        (old / name).write_text(ESSAYS["20260004-赵敏"] + "后来我们输了。", encoding="utf-8")
    value, _status = check("class", "--old", "class/2025")
    roles = {document["name"]: document["role"] for document in value["documents"]}
    assert [name for name, role in roles.items() if role == "old"] == ["何静.txt", "刘洋.txt"]
    with_old = [pair for pair in value["pairs"] if "old" in {roles[pair["left"]], roles[pair["right"]]}]
    assert len(with_old) == 12
    assert all(roles[pair["left"]] == "current" and roles[pair["right"]] == "old" for pair in with_old)
    assert [pair["left"] for pair in with_old if pair["unusual"]] == ["20260004-赵敏.txt"] * 2
    assert {student["id"] for student in value["students"]} == {name[:8] for name in ESSAYS}


def test_that_a_saved_session_opens_and_can_be_earlier_work(a_class, check, run):
    assert run("check", "class", "--session", "last.simcompare").exit_code == 1
    saved = read_session(a_class.parent / "last.simcompare")
    assert [file.path.name for file in saved.documents if file.document] == sorted(
        [*texts(), "20260002-李雷（初稿）.txt"]
    )
    assert [file.path.name for file in saved.documents if file.error] == ["20260007-吴芳.docx"]
    (a_class.parent / "new.txt").write_text(ESSAYS["20260003-韩梅"], encoding="utf-8")
    value, status = check("new.txt", "--old", "last.simcompare")
    assert value["pairs"][0]["right"] == "20260003-韩梅.txt"
    assert len(value["pairs"]) == 6
    # the file that could not be read is in the session too
    assert status == 1


def test_that_a_saved_session_has_the_scores_and_roles_of_the_class(a_class, check, run):
    first = ESSAYS["20260001-王小明"].split("。")[0]
    (a_class / "题目.txt").write_text(f"{first}。", encoding="utf-8")
    (a_class.parent / "old").mkdir()
    (a_class.parent / "old" / "new.txt").write_text(ESSAYS["20260003-韩梅"], encoding="utf-8")
    options = ["--template", "class/题目.txt", "--old", "old", "--session", "last.simcompare"]
    value, _status = check("class", *options)
    saved = read_session(a_class.parent / "last.simcompare")
    names = [file.path.name for file in saved.documents]
    roles = {names[number]: role for number, role in saved.school_class.roles.items()}
    assert roles == {"题目.txt": "template", "new.txt": "old"}
    assert saved.settings.prompt is not None
    assert [student.id for student in saved.school_class.students] == [
        student["id"] for student in value["students"]
    ]
    scores = restored_scores(saved.scores, saved.settings)
    assert len(scores.scores) == len(value["pairs"])
    shares = {
        (names[left], names[right]): float(row["after_exclusions_left_in_right"])
        for (left, right), row in zip(scores.scores, scores.figures, strict=True)
    }
    for pair in value["pairs"]:
        assert shares[pair["left"], pair["right"]] == pair["left_in_right"]


def test_that_a_report_of_a_saved_session_has_the_figures_of_the_check(a_class, check, run):
    first = ESSAYS["20260001-王小明"].split("。")[0]
    (a_class / "题目.txt").write_text(f"{first}。", encoding="utf-8")
    (a_class.parent / "old").mkdir()
    for name in ("a.txt", "b.txt"):
        (a_class.parent / "old" / name).write_text(ESSAYS["20260003-韩梅"], encoding="utf-8")
    options = ["--template", "class/题目.txt", "--old", "old", "--session", "last.simcompare"]
    value, _status = check("class", *options)
    run("report", "last.simcompare", "--to", "csv", "--output", "pairs.csv")
    with (a_class.parent / "pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        _head, *rows = csv.reader(file)
    shares = {(left, right): float(share) for left, right, share, *_others in rows}
    assert shares == {
        (pair["left"], pair["right"]): pytest.approx(100 * pair["left_in_right"], abs=0.051)
        for pair in value["pairs"]
    }


def test_that_the_report_of_a_session_groups_by_the_limit_of_the_class_as_the_check_does(a_class, check, run):
    part = ESSAYS["20260003-韩梅"].split("。")[1]
    own = "操场边的梧桐树去年冬天被大雪压断了，今年春天学校请人补种了一棵小的。我和同桌轮流给它浇水。"
    (a_class / "20260008-吴倩.txt").write_text(f"{COVER}{own}{part}。", encoding="utf-8")
    value, _status = check("class", "--session", "last.simcompare")
    groups = {(pair["left"], pair["right"]): pair["group"] for pair in value["pairs"]}
    (shares,) = (
        {pair["left_in_right"], pair["right_in_left"]}
        for pair in value["pairs"]
        if (pair["left"], pair["right"]) == ("20260003-韩梅.txt", "20260008-吴倩.txt")
    )
    assert value["limit"] <= max(shares) < 0.7
    assert sorted(filter(None, groups.values())) == [1, 2]
    run("report", "last.simcompare", "--to", "csv", "--output", "pairs.csv")
    with (a_class.parent / "pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["A"], row["B"]): int(row["Group"] or 0) or None for row in rows} == groups


def test_that_the_sentences_of_all_templates_do_not_count(a_class, check):
    first, second = ESSAYS["20260001-王小明"].split("。")[:2]
    (a_class / "题目.txt").write_text(f"{first}。", encoding="utf-8")
    (a_class.parent / "提示.txt").write_text(f"{second}。", encoding="utf-8")
    value, _status = check("class", "--template", "class/题目.txt")
    roles = {document["name"]: document["role"] for document in value["documents"]}
    assert roles["题目.txt"] == "template"
    assert 0 < copied_pair(value)["right_in_left"] < 1
    value, _status = check("class", "--template", "class/题目.txt", "--template", "提示.txt")
    assert not copied_pair(value)["right_in_left"]
    assert not any("题目.txt" in {pair["left"], pair["right"]} for pair in value["pairs"])


def test_that_the_text_begins_with_who_handed_in_and_names_the_unusual_pairs(a_class, run):
    result = run("check", "class", "--language", "en")
    lines = result.stdout.splitlines()
    assert lines[0] == "Handed in: 7 students, 8 files (of these 1 draft or other file, 1 not checked)"
    assert lines[2] == "1 pair is unusual: it shares 12% or more."
    (pair,) = (line for line in lines if line.startswith("1. "))
    assert (COPIER in pair, SOURCE in pair) == (True, True)
    figures = lines[lines.index(pair) + 1]
    assert "100% of the first text" in figures
    assert "times the class's usual share" not in figures, "it is below 1%"
    assert {"15 pairs compared.", "6 pairs with a draft were left out."} <= set(lines)
    assert any(line.strip().startswith("6  题目：") for line in lines)
    assert lines[-1].startswith("吴芳 20260007: 20260007-吴芳.docx is damaged")
    assert result.stderr == "名单.csv is a class list, not an essay.\n"


def test_that_a_class_without_copies_has_nothing_unusual(a_class, run):
    (a_class / COPIER).write_text(COVER + ESSAYS["20260006-周杰"], encoding="utf-8")
    assert "No pair is unusual: none reaches 12%." in run("check", "class").stdout.splitlines()


def test_that_csv_has_a_row_for_every_pair_and_errors_go_to_standard_error(a_class, run):
    result = run("check", "class", "--to", "csv", "--output", "pairs.csv")
    written = (a_class.parent / "pairs.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(written)))
    assert len(rows) == 16
    assert set(rows[1][:2]) == {COPIER, SOURCE}
    assert result.stderr.startswith("20260007-吴芳.docx is damaged")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["gone"], 1, "gone cannot be opened: it does not exist."),
        ([f"class/{SOURCE}"], 2, "There are fewer than two essays of different students"),
        (["class", "--above", "most"], 2, "--above cannot be most."),
        (["class", "--roster", "gone.csv"], 1, "gone.csv cannot be opened"),
        (["class", "--template", "gone.txt"], 1, "gone.txt cannot be opened"),
        (["class", "--old", "gone.simcompare"], 1, "gone.simcompare"),
        (["class", "--output", f"class/{SOURCE}"], 2, f"class/{SOURCE} cannot be written: it is one of"),
        (["class", "--session", "class.txt"], 2, "class.txt cannot be written: its name does not end"),
    ],
)
def test_that_wrong_use_and_lost_files_have_one_sentence_errors(a_class, run, arguments, status, message):
    result = run("check", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith(message)
    assert "Traceback" not in result.stderr


def test_that_the_text_names_the_student_of_a_file_whose_name_does_not(a_class, run):
    (a_class / COPIER).rename(a_class / "作文六.txt")
    (a_class / "作文六.txt").write_text(f"姓名：周杰\n学号：20260006\n{texts()[COPIER]}", encoding="utf-8")
    assert f"1. {SOURCE} – 作文六.txt (周杰 20260006)\n" in run("check", "class").stdout
