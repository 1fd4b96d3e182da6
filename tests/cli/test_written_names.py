"""In every output a file is that of the student whose name is written in it."""

import csv
import json
import re
from io import BytesIO
from pathlib import Path

import docx
import pypdfium2
import pytest

from simcompare.pseudonyms.roster import table_rows
from simcompare.session.session_file import read_session
from tests.helpers.documents import DATA

COPIED = "外婆家的院子里有一口老井，夏天井水凉得刺骨。我常把西瓜放进竹篮，慢慢沉到水底。后来井被填平了。"
OWN = "火车穿过隧道的时候，车厢里忽然安静下来。对面的老人合上报纸，望着窗外漆黑的岩壁。"
ENGLISH = (DATA / "en" / "night_train.txt").read_text("utf-8")
CLASSES = {
    "张敏之": {
        "20250003-张敏之.txt": ("张敏之", f"那天张敏之和孙杰都在。\n{COPIED}"),
        "20250030-萧敏之.docx": ("萧敏之", f"姓名：张敏之\n学号：20250003\n{COPIED}"),
        "20250012-孙杰.txt": ("孙杰", f"{OWN}张敏之说：“走吧。”"),
    },
    "John Smith": {
        "John Smith 20250003.txt": ("John Smith", COPIED),
        "Smith, Emma 20250030.docx": ("Emma Smith", f"John Smith said hello.\n{COPIED}"),
        "John Kowalski.txt": ("John Kowalski", f"{OWN}John Smith said hello."),
    },
    "Anna Maria Van der Berg": {
        "De la Cruz, José.txt": ("José De la Cruz", f"Name: José de la Cruz\n{COPIED}"),
        "Van der Berg, Anna Maria.docx": ("Anna Maria Van der Berg", COPIED),
        "van der Berg Anna.txt": (
            "van der Berg Anna",
            f"{OWN}Maria van der Berg and Anna Maria van der Berg met José.",
        ),
        "Maria van der Berg.txt": (
            "Maria van der Berg",
            "Mr. van der Berg saw Elena Garcia-Lopez-Ruiz-Mora. Ruiz-Mora ran.",
        ),
        "Garcia-Lopez-Ruiz-Mora, Elena.txt": (
            "Elena Garcia-Lopez-Ruiz-Mora",
            "De la Cruz, José met St. James and Tom Miller. Cruz ran.",
        ),
        "a\\b Miller, Tom.txt": ("Tom Miller", "Van der Berg, Anna met Elena Garcia and José de la Cruz."),
        "St. James, Lucy.txt": ("Lucy St. James", "Anna van der Berg and Tom. Garcia-Lopez laughed."),
    },
}


def traces_in(text, names):
    """Find words of names, of Chinese names the given name, in the words of an output."""
    words = {word for name in names for word in re.findall(r"[^\W\d_]{3,}", name)}
    words = [word[1:] if not word.isascii() and word[0] in "张萧孙" else rf"\b{word}\b" for word in words]
    shown = re.sub(r"(?s)<(style|script).*?</\1>", "", text)
    return re.findall(f"(?i).*(?:{'|'.join(words)}).*", shown)


@pytest.fixture(params=CLASSES)
def school_class(request, tmp_path, monkeypatch):
    """Files of a class in the folder 3班, two of them copies, with the names that are written in them."""
    (tmp_path / "3班").mkdir()
    for file, (_name, text) in CLASSES[request.param].items():
        if file.endswith(".docx"):
            document = docx.Document()
            for line in text.splitlines():
                document.add_paragraph(line)
            document.save(str(tmp_path / "3班" / file))
        else:
            (tmp_path / "3班" / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return {file: name for file, (name, _text) in CLASSES[request.param].items()}


def rows_by_file(rows):
    heads, *others = rows
    file, student = heads.index("File"), heads.index("Student")
    return {row[file]: row[student] for row in others if row[file]}


def text_of(page):
    return page.get_textpage().get_text_bounded()


def letters(text):
    """Return the letters of a text, as a PDF divides names at hyphens."""
    return "".join(filter(str.isalpha, text))


def test_that_every_output_of_a_class_has_the_written_names(school_class, run, tmp_path):
    both = list(school_class)[:2]
    checked = run("check", "3班", "--session", "s.simcompare", "--to", "json")
    assert checked.exit_code == 0, checked.stderr
    check = json.loads(checked.stdout)
    assert {s["documents"][0]: s["name"] for s in check["students"]} == school_class
    assert all(len(student["documents"]) == 1 for student in check["students"])
    students = read_session(tmp_path / "s.simcompare").school_class.students
    assert {student.name for student in students} <= set(school_class.values())
    assert run("check", "3班", "--to", "html", "--output", "out").exit_code == 0
    table = (tmp_path / "out/students.csv").read_text("utf-8-sig").splitlines()
    assert rows_by_file(list(csv.reader(table))) == school_class
    for suffix in ("xlsx", "pdf"):
        assert run("check", "3班", "--to", suffix, "--output", f"class.{suffix}").exit_code == 0
    assert rows_by_file([cells for _row, cells in table_rows(tmp_path / "class.xlsx")]) == school_class
    pages = "".join(map(text_of, pypdfium2.PdfDocument(tmp_path / "class.pdf")))
    html = (tmp_path / "out/index.html").read_text("utf-8")
    numbers = {file: student["id"] for student in check["students"] for file in student["documents"]}
    for file, name in school_class.items():
        assert name in html
        assert letters(name) in letters(pages)
        for other in school_class.values():
            assert name == other or f"{other} {numbers[file]}" not in html + pages or numbers[file] == name
    pair = " – ".join(" ".join(dict.fromkeys((school_class[file], numbers[file]))) for file in both)
    assert (tmp_path / f"out/reports/1 {pair}.html").is_file()


def test_that_every_output_of_a_pair_and_the_library_have_the_written_names(school_class, run, tmp_path):
    both = [f"3班/{file}" for file in list(school_class)[:2]]
    for suffix in ("json", "html", "pdf", "docx"):
        assert run("compare", *both, "--to", suffix, "--output", f"pair.{suffix}").exit_code == 0
    pages = "".join(map(text_of, pypdfium2.PdfDocument(tmp_path / "pair.pdf")))
    report = docx.Document(BytesIO((tmp_path / "pair.docx").read_bytes()))
    words = "\n".join(node.text or "" for node in report.element.body.iter() if node.tag.endswith("}t"))
    for text in (
        *((tmp_path / f"pair.{form}").read_text("utf-8") for form in ("json", "html")),
        pages,
        words,
    ):
        assert all(Path(file).stem in " ".join(text.split()) for file in both), text[:900]
    run("annotate", *both, "--output-dir", "marked")  # a text file has no copy
    (copy,) = Path("marked").iterdir()
    assert Path(both[1]).stem in copy.name
    library = "--library", "school.sqlite"
    assert run("library", "add", "3班", *library).exit_code == 0
    entries = json.loads(run("library", "list", *library, "--to", "json").stdout)["entries"]
    assert {entry["name"]: entry["tags"]["student"] for entry in entries} == {
        file: [name] for file, name in school_class.items()
    }


def test_that_no_anonymous_output_has_a_word_of_a_name(school_class, run, tmp_path):
    both, names = list(school_class)[:2], list(school_class.values())
    assert run("check", "3班", "--session", "s.simcompare", "--to", "json", "--output", "j").exit_code == 0
    pair = [f"3班/{file}" for file in both]
    for command, forms in (
        (("check", "3班"), ("text", "json", "csv", "html")),
        (("report", "s.simcompare", "--pairs", "all"), ("csv",)),
        (("report", "s.simcompare", "--pair", *both), ("json", "html")),
        (("compare", *pair), ("text", "json", "html")),
    ):
        for form in forms:
            place = tmp_path / f"{command[0]}.{form.replace('text', 'txt')}"
            result = run(*command, "--anonymous", "--to", form, "--output", str(place))
            assert result.exit_code == 0, result.stderr
            text = place.read_text("utf-8-sig")
            assert "Student 0" in text
            # the names of others stay in a comparison of two texts
            assert traces_in(text, names[:2] if command[0] == "compare" else names) == [], place.name


def test_that_students_of_one_name_without_numbers_are_told_apart(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("A/Smith, Emma.txt", "B/Smith, Emma.txt"):
        (tmp_path / "class" / name).parent.mkdir(parents=True)
        (tmp_path / "class" / name).write_text(COPIED * 3, "utf-8")
    assert run("check", "class", "--to", "html", "--output", "out").exit_code == 0
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert "A/Smith, Emma.txt" in page
    assert "B/Smith, Emma.txt" in page
    assert [path.name for path in (tmp_path / "out/reports").iterdir()] == [
        "1 A Smith, Emma – B Smith, Emma.html"
    ]


def test_that_students_of_one_name_have_a_pseudonym_each_in_every_anonymous_output(
    run, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    names = ("A/Smith, Emma.txt", "B/Smith, Emma.txt", "C/Holiday.txt")
    for name in names:
        (tmp_path / "class" / name).parent.mkdir(parents=True)
        (tmp_path / "class" / name).write_text(f"{COPIED * 3}\nEmma Smith was here.", "utf-8")
    unknown = "No name was recognised in Holiday.txt."
    checked = run("check", "class", "--anonymous", "--to", "json", "--session", "a.simcompare")
    assert unknown in checked.stderr
    check = json.loads(checked.stdout)
    ids = [student["id"] for student in check["students"]]
    assert len(set(ids)) == 3
    assert not any("(" in held for student in check["students"] for held in student["documents"])
    run("check", "class", "--session", "b.simcompare", "--to", "json", "--output", "b.json")
    pairs = [f"class/{name}" for name in names]
    for arguments in (
        ("report", "a.simcompare", "--pairs", "all"),
        ("report", "b.simcompare", "--pairs", "all"),
        ("compare", *pairs[:2]),
        ("compare", *pairs[1:]),
    ):
        to = "csv" if arguments[0] == "report" else "json"
        result = run(*arguments, "--anonymous", "--to", to, "--output", f"out.{to}")
        assert result.exit_code == 0, result.stderr
        assert "(2)" not in (tmp_path / f"out.{to}").read_text("utf-8-sig")
        assert (unknown in result.stderr) == (pairs[1] != arguments[-1])


def test_that_a_report_of_a_session_names_students_as_check_does(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    own = "The ferry was late, and nobody on the pier seemed to mind the rain that evening."
    texts = (f"{ENGLISH} {own}", ENGLISH, own)
    for number, name in enumerate(("Emma Smith", "Liam Jones", "Ava Wilson"), 1):
        lines = f"Name: {name}\nStudent ID: 2025000{number}\n{texts[number - 1]}"
        (tmp_path / f"class/essay{number}.txt").write_text(lines, "utf-8")
    assert run("check", "class", "--session", "s.simcompare", "--to", "json").exit_code == 0
    assert run("check", "class", "--to", "html", "--output", "checked").exit_code == 0
    assert run("report", "s.simcompare", "--output", "reported").exit_code == 0
    checked, reported = (
        {path.name for path in Path(folder, "reports").iterdir()} for folder in ("checked", "reported")
    )
    assert "1 Emma Smith 20250001 – Liam Jones 20250002.html" in reported & checked
    page = (tmp_path / "reported/index.html").read_text("utf-8")
    assert "Emma Smith 20250001" in page
    both = "Emma Smith 20250001", "Liam Jones 20250002"
    others = ("Emma Smith", "liam jones"), ("20250001", "20250002"), ("essay1", "essay2.txt")
    for first, second in (both, *others):
        result = run("report", "s.simcompare", "--pair", first, second, "--output", "pair.html")
        assert result.exit_code == 0, result.stderr
        words = " ".join((tmp_path / "pair.html").read_text("utf-8").split())
        assert "of the text of “Emma Smith 20250001” is also in that of “Liam Jones 20250002”" in words
        (tmp_path / "pair.html").unlink()
    unknown = run("report", "s.simcompare", "--pair", "Emma Smyth", "essay2").stderr
    assert "Nearest to it: Emma Smith 20250001" in unknown


def test_that_the_first_pair_alone_is_one_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    for name, text in {"Emma Smith": COPIED * 2, "Liam Jones": COPIED * 2, "Ava Wilson": OWN}.items():
        (tmp_path / f"class/{name}.txt").write_text(text, "utf-8")
    assert run("check", "class", "--session", "s.simcompare").exit_code == 0
    result = run("report", "s.simcompare", "--top", "1", "--output", "x.html")
    assert (result.exit_code, result.stdout) == (0, "x.html\n"), result.stderr
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "Emma Smith" in page
    assert "Liam Jones" in page
    assert "Ava Wilson" not in page
    hidden = run("report", "s.simcompare", "--top", "1", "--output", "y.html", "--anonymous")
    assert hidden.exit_code == 0, hidden.stderr
    assert "Smith" not in (tmp_path / "y.html").read_text("utf-8")
    wrong = run("report", "s.simcompare", "--top", "1", "--to", "pdf", "--output", "z.html")
    assert "Rename it to z.pdf" in wrong.stderr
    several = run("report", "s.simcompare", "--top", "2", "--output", "z.html").stderr
    assert "each pair has a report of its own" in several
