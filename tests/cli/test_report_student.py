"""`simcompare report --student`: one essay of a session with all its sources."""

import pytest

from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.session.school_class import DocumentRole, SchoolClass
from tests.cli.sessions import BRIDGE, BUS, HEART, STORY, session_of
from tests.report.words import WORDS, squeezed


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("name", [BRIDGE, "家乡的石桥", "石桥"])
def test_that_the_essay_is_written_with_all_its_sources(a_class, report, form, name):
    result = report("--student", name, "--to", form)
    assert (result.exit_code, result.stdout) == (0, f"家乡的石桥 – sources.{form}\n")
    words = WORDS[f".{form}"]((a_class / f"家乡的石桥 – sources.{form}").read_bytes())
    assert all(squeezed(other) in words for other in (HEART, STORY))
    assert squeezed(BUS) not in words
    assert squeezed("in 2 other texts together") in words
    assert "copied" in words, "the decision on the pair"


def test_that_a_pair_of_no_concern_does_not_count(saved, report, tmp_path):
    fine = PairReview(NotedDecision(Decision.FINE))
    saved(session_of(BRIDGE, HEART, STORY, reviews={(0, 1): fine}))
    assert report("--student", BRIDGE, "--output", "a.html").exit_code == 0
    words = WORDS[".html"]((tmp_path / "a.html").read_bytes())
    assert squeezed("also in one other text") in words
    assert squeezed("These pairs are marked as no concern") in words


def test_that_names_are_replaced(saved, report, tmp_path):
    saved(session_of("张伟.docx", "李小明.html", "王芳.docx"))
    result = report("--student", "张伟", "--anonymous")
    assert result.exit_code == 0
    [path] = tmp_path.glob("*.html")
    assert path.name.startswith("Student")
    data = path.read_text(encoding="utf-8")
    assert not any(name in data + path.name for name in ("张伟", "李小明", "王芳"))


def test_that_earlier_work_is_named_as_such(saved, report, tmp_path):
    school = SchoolClass(roles={1: DocumentRole.OLD})
    saved(session_of(BRIDGE, HEART, STORY, school_class=school))
    assert report("--student", BRIDGE, "--output", "a.html").exit_code == 0
    words = WORDS[".html"]((tmp_path / "a.html").read_bytes())
    assert squeezed(f"{HEART} earlier work") in words


def test_that_a_template_is_refused(saved, report):
    school = SchoolClass(roles={0: DocumentRole.TEMPLATE})
    saved(session_of(BRIDGE, HEART, STORY, school_class=school))
    result = report("--student", BRIDGE)
    assert result.exit_code == 1
    assert f"{BRIDGE} is compared with no other text of class.simcompare" in result.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--pair", BRIDGE, HEART), "Name one student with --student, or choose pairs, not both."),
        (("--top", "2"), "Name one student with --student, or choose pairs, not both."),
        (("--to", "docx"), "html, pdf"),
        (("--output", "a.csv"), ".html"),
        (("--output", "class.simcompare"), "cannot be written"),
    ],
)
def test_that_other_options_are_refused(a_class, report, options, words):
    result = report("--student", BRIDGE, *options)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_that_an_unknown_student_is_refused_with_the_nearest_names(a_class, report):
    result = report("--student", "心中的路")
    assert result.exit_code == 1
    assert "holds no document called 心中的路. Nearest to it: 心中的桥" in result.stderr
