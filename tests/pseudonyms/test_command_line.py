"""The options `--anonymous` and `--names`, and the command `whois`."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import docx
import pytest

from simcompare.loading import load_document
from simcompare.model.errors import DamagedFileError
from simcompare.pseudonyms import pseudonyms
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent
from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from tests.pseudonyms.leaks import leaks_in, parts_of
from tests.pseudonyms.students import copy_buses, write_bridges
from tests.report.words import squeezed, words_of_html


@pytest.fixture
def essays(tmp_path, monkeypatch):
    """The working folder with the planted bridges and the buses."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.csv").write_text(
        "姓名,学号\n张三,20231234\n李小明,20231235\n欧阳娜娜,\n", encoding="gb18030"
    )
    return *write_bridges(Path()), *copy_buses(Path())


def test_that_an_anonymous_page_has_no_names_and_the_terminal_lists_the_pseudonyms(essays, run):
    names = "John Smith\nMary-Ann O'Neil\n张三\t20231234\n李小明\t20231235\n欧阳娜娜\n"
    Path("list.txt").write_text(names, encoding="utf-8")
    left, right = map(str, essays[:2])
    arguments = ("--to", "html", "--output", "report.html", "--anonymous", "--names", "list.txt")
    result = run("compare", left, right, *arguments)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "stands for 张三 20231234" in result.stderr
    page = Path("report.html").read_bytes()
    assert leaks_in(page) == []
    assert b"Student 0" in page


def test_that_names_are_recognised_in_file_names_without_a_roster(essays, run):
    result = run("compare", *map(str, essays[3:]), "--anonymous")
    assert result.exit_code == 0
    assert leaks_in(result.stdout.encode()) == []
    line = result.stderr.splitlines()[0]
    assert line.startswith("Smith_John_essay2.docx: Student 0")
    assert line.endswith(" stands for Smith John (looks like a personal name)")


def test_that_a_student_is_recognised_in_the_first_lines_of_a_text(essays, run):
    Path("one.txt").write_text("姓名：周小雨\n我家门前有一条小河。周小雨爱看河。", encoding="utf-8")
    Path("two.txt").write_text("姓名：郑大山\n我家门前有一条小河。雾很薄。", encoding="utf-8")
    result = run("compare", "one.txt", "two.txt", "--anonymous")
    assert "stands for 周小雨" in result.stderr
    assert "周小雨" not in result.stdout
    assert "郑大山" not in result.stdout


def test_that_a_file_without_a_recognised_name_is_reported(essays, run):
    essays[3].rename("essay2.docx")
    result = run("compare", "essay2.docx", str(essays[4]), "--anonymous")
    assert "No name was recognised in essay2.docx." in result.stderr
    assert "Text 0" in result.stdout
    assert "essay2" not in result.stdout


def test_that_an_ambiguous_file_is_reported(essays, run):
    essays[3].rename("王伟.docx")
    Path("list.txt").write_text("王伟,20230001\n王伟,20230002\n", encoding="utf-8")
    result = run("compare", "王伟.docx", str(essays[4]), "--anonymous", "--names", "list.txt")
    message = "王伟.docx may be from several students called 王伟. Put the student number into its name."
    assert message in result.stderr.splitlines()
    assert "Text 0" in result.stdout


def test_that_a_roster_without_anonymous_is_refused(essays, run):
    result = run("compare", *map(str, essays[:2]), "--names", "list.csv")
    assert result.exit_code == 2
    assert result.stderr == ("--names works only with --anonymous. Add --anonymous, or leave --names out.\n")


def test_that_an_invalid_roster_ends_the_program_before_files_are_read(essays, run):
    result = run("compare", *map(str, essays[:2]), "--anonymous", "--names", str(essays[0]))
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "三年级2班_张三_20231234_作文.docx cannot be used as a list of students: "
    )


def test_that_annotated_word_copies_are_anonymous(essays, run):
    result = run(
        "annotate", *map(str, essays[:2]), "--output-dir", "out", "--anonymous", "--names", "list.csv"
    )
    assert result.exit_code == 0
    copies = sorted(Path("out").iterdir())
    assert len(copies) == 2
    assert all(copy.name.startswith("Student 0") for copy in copies)
    chinese = ("张三", "張三", "20231234", "李小明", "20231235", "欧阳娜娜")
    assert [leaks_in(copy.read_bytes(), copy.name, chinese) for copy in copies] == [[], []]


def test_that_a_number_in_a_page_header_is_that_of_the_student(tmp_path, run):
    files = []
    for name, number in (("Ann Fields", "2024019"), ("Bo Carter", "2024020")):
        document = docx.Document()
        document.sections[0].header.paragraphs[0].text = f"{name} {number}"
        document.add_paragraph("The walk began before sunrise, when the hills were still grey.")
        document.add_paragraph(f"Please give {number} the book that lies on the desk by the window.")
        document.save(tmp_path / f"{name}.docx")
        files.append(str(tmp_path / f"{name}.docx"))
    result = run("compare", *files, "--anonymous", "--to", "json")
    assert "stands for Ann Fields 2024019" in result.stderr
    assert "page_header" in result.stdout
    assert "202401" not in result.stdout
    run("annotate", *files, "--anonymous", "--output-dir", str(tmp_path / "copies"))
    copies = [path.read_bytes() for path in (tmp_path / "copies").iterdir()]
    planted = ("2024019", "2024020", "Fields", "Carter")
    assert [leaks_in(copy, spellings=planted) for copy in copies] == [[], []]


def test_that_copies_and_their_file_names_are_in_the_same_language(essays, run):
    names = ("--anonymous", "--names", "list.csv")
    run("annotate", *map(str, essays[:2]), "--output-dir", "out", *names, "--language", "zh")
    parts = [
        part.decode("utf-8", "replace")
        for copy in Path("out").glob("学生 *.docx")
        for _name, part in parts_of(copy.read_bytes())
    ]
    assert any("学生 0" in part for part in parts)
    assert not any("Student 0" in part for part in parts)


def test_that_an_anonymous_annotated_pdf_is_refused_and_the_word_copy_is_written(essays, run):
    Path("english.csv").write_text("John Smith,20231235\nMary-Ann O'Neil\n", encoding="utf-8")
    arguments = (*map(str, essays[3:]), "--output-dir", "out", "--anonymous", "--names", "english.csv")
    result = run("annotate", *arguments)
    assert result.exit_code == 1
    assert (
        f"No anonymous copy of {essays[4].name} can be made: names cannot be removed from the pages of a "
        "PDF. Export the anonymous report of the pair, which holds both texts, or compare a Word copy of "
        "the file.\n"
    ) in result.stderr
    (copy,) = Path("out").iterdir()
    assert copy.suffix == ".docx"
    assert leaks_in(copy.read_bytes(), copy.name) == []


@pytest.mark.parametrize("command", ["compare", "report"])
def test_that_an_anonymous_report_contains_the_whole_text_of_a_pdf(essays, run, command):
    pdf = load_document(essays[4])
    write_session(
        Session(tuple(SessionDocument(path, document=load_document(path)) for path in essays[3:])),
        Path("buses.simcompare"),
    )
    inputs = ["buses.simcompare"] if command == "report" else list(map(str, essays[3:]))
    result = run(command, *inputs, "--to", "html", "--output", "report.html", "--anonymous")
    assert result.exit_code == 0, result.stderr
    # the numbers of the matches are between the sentences
    page = re.sub(r"\d", "", words_of_html(Path("report.html").read_bytes()))
    paragraphs = [re.sub(r"\d", "", squeezed(block.span.of(pdf.text))) for block in pdf.blocks]
    assert [paragraph for paragraph in paragraphs if paragraph not in page] == []


def test_that_whois_reads_the_student_of_a_pseudonym_from_a_session(essays, run):
    names = make_pseudonyms(propose([essays[0], essays[3], Path("source.html")]))
    write_session(Session(pseudonyms=names), Path("class.simcompare"))
    owner = names.owner_of(essays[0])
    for asked in (f"Student {owner.number:02}", f"学生 {owner.number:02}", str(owner.number)):
        result = run("whois", "class.simcompare", asked)
        assert result.stdout == f"Student {owner.number:02}: 张三 20231234 ({essays[0].name})\n"
    everybody = run("whois", "class.simcompare").stdout.splitlines()
    assert len(everybody) == 3
    assert f"Text {names.owner_of(Path('source.html')).number:02}: source.html" in everybody


def test_that_whois_finds_a_pseudonym_used_before_a_correction(essays, run):
    files = [Path("John Smith.docx"), Path("Jon Smith.docx")]
    names = make_pseudonyms(propose(files))
    corrected = names.corrected([RecognisedStudent(files[1], "John Smith")])
    write_session(Session(pseudonyms=corrected), Path("class.simcompare"))
    numbers = [names.owner_of(file).number for file in files]
    expected = (
        f"Student {numbers[0]:02}, Student {numbers[1]:02}: John Smith (John Smith.docx, Jon Smith.docx)\n"
    )
    for asked in (*map(str, numbers), f"Student {numbers[1]:02}"):
        assert run("whois", "class.simcompare", asked).stdout == expected


def test_that_whois_reports_missing_and_unknown_pseudonyms(essays, run):
    write_session(Session(), Path("new.simcompare"))
    assert run("whois", "new.simcompare", "1").stderr.startswith("new.simcompare has no name key.")
    write_session(Session(pseudonyms=make_pseudonyms(propose(essays))), Path("class.simcompare"))
    result = run("whois", "class.simcompare", "Student 99")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "class.simcompare has no “Student 99”. Its pseudonyms go from 1 to 5.\n"


@pytest.fixture
def session(essays):
    """A session of the essays with a decision on a pair, and a damaged file."""
    documents = [SessionDocument(path, document=load_document(path)) for path in essays]
    broken = Path("Mary-Ann O'Neil 20231236.docx")
    documents.append(SessionDocument(broken, error=DamagedFileError(broken, cause="a part of it is broken")))
    review = PairReview(NotedDecision(Decision.COPIED, "张三 knows J. Smith, see 20231235"))
    place = Path("三班 李小明.simcompare")
    write_session(Session(tuple(documents), reviews={(1, 0): review}), place)
    return place


NAMES = "John Smith\nMary-Ann O'Neil,20231236\n张三,20231234\n李小明,20231235\n欧阳娜娜\n"


@pytest.mark.parametrize("place", ["pairs.csv", "pairs.xlsx", "all.zip"])
def test_that_tables_and_bundles_of_a_session_contain_no_names(session, run, place):
    Path("list.txt").write_text(NAMES, encoding="utf-8")
    form = Path(place).suffix[1:] if place.startswith("pairs") else "html"
    for options in ((), ("--anonymous", "--names", "list.txt")):
        result = run("report", str(session), "--to", form, "--output", f"{len(options)}{place}", *options)
        assert result.exit_code in {0, 1}, result.stderr
    assert leaks_in(Path(f"0{place}").read_bytes())
    assert leaks_in(Path(f"3{place}").read_bytes()) == []


def test_that_an_anonymous_table_is_not_in_the_order_of_the_files(session, run):
    run("report", str(session), "--to", "csv", "--output", "pairs.csv", "--anonymous")
    rows = list(csv.reader(Path("pairs.csv").read_text(encoding="utf-8-sig").splitlines()))
    pairs = [row[:2] for row in rows if row and row[0].startswith(("Student", "Text"))]
    assert len(pairs) == 10
    assert all(int(left.split()[1][:2]) < int(right.split()[1][:2]) for left, right in pairs)


def test_that_a_session_stores_the_pseudonyms_of_its_reports(session, run, tmp_path):
    before = read_session(session)
    first = run("report", str(session), "--to", "csv", "--output", "1.csv", "--anonymous")
    names = read_session(session).pseudonyms
    assert before.pseudonyms is None
    assert replace(read_session(session), pseudonyms=None).reviews == before.reviews
    data = session.read_bytes()
    run("report", str(session), "--to", "csv", "--output", "2.csv", "--anonymous")
    assert session.read_bytes() == data
    assert Path("1.csv").read_bytes() == Path("2.csv").read_bytes()
    assert first.exit_code == 1  # the damaged file is reported
    zhang = names.owner_of(before.documents[0].path)
    output = run("whois", str(session), names.label(zhang)).stdout
    assert output == f"{names.label(zhang)}: 张三 20231234 ({before.documents[0].path.name})\n"


def test_that_a_session_saved_meanwhile_is_not_overwritten(session, run, monkeypatch):
    recognise = pseudonyms.propose

    def save_in_a_window_first(files, *listed):
        write_session(Session(reviews={}), session)
        return recognise(files, *listed)

    monkeypatch.setattr(pseudonyms, "propose", save_in_a_window_first)
    result = run("report", str(session), "--to", "csv", "--output", "1.csv", "--anonymous")
    assert result.exit_code == 1
    assert result.stderr == (
        f"{session.name} was saved elsewhere while it was read here, so nothing was saved over it. "
        "Run the command again.\n"
    )
    assert read_session(session).pseudonyms is None
    assert not Path("1.csv").exists()


def test_that_the_help_says_that_pseudonyms_are_saved_in_the_session(run):
    help_text = " ".join(run("report", "--help").stdout.replace("│", " ").split())
    assert "the name key is saved in the session" in help_text


def test_that_a_single_anonymous_report_is_named_by_pseudonyms(session, run):
    names = [path.name for path in sorted(Path().iterdir())]
    left, right = (document.path.name for document in read_session(session).documents[:2])
    result = run("report", str(session), "--pair", left, right, "--anonymous", "--names", "list.csv")
    assert result.exit_code == 0, result.stderr
    (made,) = [path for path in Path().iterdir() if path.name not in names]
    assert made.name.startswith("Student 0")
    assert leaks_in(made.read_bytes(), "", ("张三", "張三", "20231234", "李小明", "20231235")) == []


def test_that_a_later_roster_is_merged_with_known_students(session, run):
    run("report", str(session), "--to", "csv", "--output", "1.csv", "--anonymous")
    before = read_session(session).pseudonyms
    Path("list.txt").write_text("张三,20231234,小三子\n赵六,20231299\n", encoding="utf-8")
    run("report", str(session), "--to", "csv", "--output", "2.csv", "--anonymous", "--names", "list.txt")
    after = read_session(session).pseudonyms
    assert [owner.files for owner in after.owners[:-1]] == [owner.files for owner in before.owners]
    zhang = after.owner_of(read_session(session).documents[0].path)
    assert after.replaced("小三子来了") == f"{after.label(zhang)}来了"
    assert after.owners[-1].student.names == ("赵六",)


def test_that_the_default_output_name_contains_no_names(session, run):
    names = {path.name for path in Path().iterdir()}
    run("report", str(session), "--to", "csv", "--anonymous")
    (made,) = {path.name for path in Path().iterdir()} - names
    assert made == "Comparison – pairs – anonymous.csv", "neither a student nor the class"


def test_that_a_run_without_roster_warns_that_other_names_stay(essays, run):
    warning = "Names of other students stay in the texts"
    assert warning in run("compare", *map(str, essays[3:]), "--anonymous").stderr
    assert warning in run("compare", *map(str, essays[3:]), "--anonymous", "--replace", "三子").stderr
    with_list = run("compare", *map(str, essays[:2]), "--anonymous", "--names", "list.csv")
    assert warning not in with_list.stderr
