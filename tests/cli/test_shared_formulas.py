"""Formulas that two essays share, of several formats, in a check, a comparison, a session and a case file."""

import json
import zipfile

import jsonschema
import pytest

from simcompare.support.resources import resource_path
from tests.helpers.documents import own_texts
from tests.helpers.formulas import MATHML, OMML, write_docx, write_html, written
from tests.pseudonyms.leaks import parts_of

TASK = written("P(t)=K/(1+((K-P_0)/P_0)e^(-rt)), 0<t<30")


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """Class of six reports with the formula of the task; the last has the formula of the first in MathML."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    texts = [text.split("\n") for text in own_texts("zh")[:6]]
    for number, paragraphs in enumerate(texts[:5]):
        own = OMML if number == 0 else written(f"h_{number}(x)=x^{number}+{number}x^3-sin(x)/(2x+{number})^2")
        write_docx(tmp_path / "class" / f"{number}.docx", *paragraphs, TASK, own)
    write_html(tmp_path / "class" / "5.html", *texts[5], MATHML)
    return tmp_path


def test_that_check_names_the_documents_with_the_same_formulas(a_class, run):
    (found,) = json.loads(run("check", "class", "--to", "json").stdout)["shared_formulas"]
    assert found["documents"] == ["0.docx", "5.html"]
    assert found["written"].startswith("𝑇_𝑘=")
    text = run("check", "class").stdout
    assert "1 pair has formulas in common that few other essays have." in text
    assert "0.docx – 5.html: 1" in text


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_that_the_class_report_lists_the_essays_with_the_same_formulas(a_class, run, form):
    run("check", "class", "--to", form, "--output", f"class.{form}")
    parts = parts_of((a_class / f"class.{form}").read_bytes())
    text = " ".join("".join(part.decode("utf-8", "replace") for _name, part in parts).split())
    assert "Essays with the same formulas" in text
    assert "1 pair has formulas in common that few other essays have." in text


def test_that_a_report_shows_the_formula_with_its_places_and_a_case_file_is_verified(a_class, run):
    run("check", "class", "--session", "class.simcompare")
    for path in (a_class / "class").iterdir():
        path.unlink()  # the session has the formulas
    pair = "report", "class.simcompare", "--pair", "5.html", "0.docx"
    run(*pair, "--to", "html", "--output", "pair.html")
    shown = (a_class / "pair.html").read_text(encoding="utf-8")
    assert "Same formula" in shown
    assert "𝑑𝑥” (left: near paragraph" in shown
    run(*pair, "--to", "case", "--output", "case.zip")
    with zipfile.ZipFile("case.zip") as case:
        figures = json.loads(case.read("figures.json"))
    assert len(figures["shared_formulas"]) == 1
    schema = json.loads(resource_path("schemas", "comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(figures, schema)
    assert (
        run("verify", "case.zip").stdout.splitlines()[-1] == "Everything that could be checked is unchanged."
    )
