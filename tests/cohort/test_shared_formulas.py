"""Formulas that documents have in common."""

from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cohort.pair_facts import facts_of_class
from simcompare.cohort.shared_facts import find_shared_formulas, normal_forms
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_document, load_pasted
from simcompare.model.document import Anchor
from simcompare.session.school_class import DocumentRole, SchoolClass
from tests.helpers.essay_files import ENGLISH_PARAGRAPHS
from tests.helpers.formulas import MATHML, OMML, TEX, write_docx, write_html, written

FIRST, SECOND = ENGLISH_PARAGRAPHS[:2]
OWN = r"g_{}(x)=\frac{{x^{{{}}}-7x+\sin(3x)}}{{\sqrt{{x^2+{}}}}}+5x^3"


def text(*parts):
    return load_pasted(Path("pasted"), PastedText("\n".join(parts)))


def own(number):
    return f"$${OWN.format(number, number, number)}$$"


def shared(*documents):
    return find_shared_formulas(dict(enumerate(documents))).get((0, 1), ())


def written_file(path, content):
    path.write_text(content, encoding="utf-8")
    return path


OTHER_FORMS = {
    "mathml": lambda folder: write_html(folder / "a.html", SECOND, MATHML),
    "tex in brackets": lambda folder: write_html(folder / "a.html", SECOND, rf"as \[{TEX}\] shows"),
    "tex in lines": lambda folder: write_html(folder / "a.html", SECOND, f"$${TEX}$$"),
    "tex in a line": lambda folder: write_html(folder / "a.html", SECOND, rf"that \({TEX}\) holds"),
    "tex in a script": lambda folder: write_html(
        folder / "a.html", SECOND, f'<script type="math/tex">{TEX}</script>'
    ),
    "katex": lambda folder: write_html(
        folder / "a.html", SECOND, f"<span class=katex><span class=katex-mathml>{MATHML}</span></span>"
    ),
    "markdown": lambda folder: written_file(folder / "a.md", f"# {SECOND}\n\n${TEX}$"),
    "table cell": lambda folder: write_html(
        folder / "a.html", SECOND, f"<table><tr><td>{MATHML}</td><td>(1)</td></tr></table>"
    ),
    "word": lambda folder: write_docx(folder / "b.docx", SECOND, OMML, "and so on."),
    "word table": lambda folder: write_docx(folder / "b.docx", SECOND, OMML, "and so on.", in_table=True),
}


@pytest.mark.parametrize("other", OTHER_FORMS.values(), ids=OTHER_FORMS)
def test_that_a_formula_of_word_is_found_in_other_formats(other, tmp_path):
    word = load_document(write_docx(tmp_path / "a.docx", FIRST, "It follows", OMML))
    (found,) = shared(word, load_document(other(tmp_path)))
    assert (found.left, found.right) == ((Anchor(3),), (Anchor(2),))
    assert found.written.startswith("𝑇_𝑘=√(a_0+𝑏^2𝑘)/(3𝑐-1)")


SAME = [
    (r"\frac{a}{b}", "a/b"),
    (r"\dfrac{a+1}{b}", "((a+1))/b"),
    (r"\left(a+b\right)c", "(a + b) c"),
    (r"\displaystyle\sum_{i=1}^{n} x_i", "∑_(i=1)^n x_i"),
    (r"\sum^{n}_{i=1} x_i", "Σ_(i=1)^n x_i"),
    (r"x^2_1 \leqslant y", "x_1² ⩽ y"),
    (r"a \cdot b - c", "a × b − c"),
    (r"\sqrt[3]{x+1}", "∛(x+1)"),
    (r"\vec{F}=m\hat{a}", "F^→=ma^^"),
    (r"f^{\prime}(x)", "f'(x)"),
    (r"\mathbf{X}^\mathrm{T}", "𝐗^T"),
    (r"\varphi = \epsilon", "φ=ε"),
    (r"x = 1. \tag{3}", "x=1#(3)"),
    (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} x", "([a b; c d])x"),
    (r"{n \choose k} A^\top", "(n/k)A^T"),
    (r"\frac12 \text{ if } x<0", "1/2 if x<0"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_that_ways_of_writing_a_formula_are_the_same(one, other):
    assert normal_forms(one) == normal_forms(other) != [""]


@pytest.mark.parametrize(
    ("one", "other"), [("a+b/c", "(a+b)/c"), ("x_1", "x_2"), ("x^2", "x_2"), ("2x", "2y")]
)
def test_that_other_formulas_are_not_the_same(one, other):
    assert normal_forms(one) != normal_forms(other)


@pytest.mark.parametrize(
    "formula", ["", "((({", "}})", r"\frac", r"\frac{a}", "^_^_", r"\\", r"\begin{x", "{" * 1999]
)
def test_that_broken_formulas_are_read(formula):
    assert all(isinstance(each, str) for each in normal_forms(formula))


def test_that_a_semicolon_in_a_bracket_ends_no_row():
    assert normal_forms("f(x;(y+z)w)") == ["f(x;(y+z)w)"]


def test_that_a_line_break_with_a_distance_begins_no_formula():
    rows = r"x \\[2pt] " + OWN.format(1, 2, 3)
    assert not shared(text(FIRST, rf"{rows} \]"), text(SECOND, rf"{rows} \]"))


def test_that_rows_of_one_formula_are_found_as_formulas_of_their_own():
    rows = OWN.format(1, 2, 3), OWN.format(4, 5, 6)
    aligned = r"\\ ".join(row.replace("=", "&=", 1) for row in rows)
    block = rf"$$\begin{{aligned}}{aligned}\end{{aligned}}$$"
    found = shared(text(FIRST, block), text(SECOND, f"$${rows[1]}$$"))
    assert [each.written for each in found] == [rows[1].replace("=", "&=", 1)]


@pytest.mark.parametrize(
    "formula",
    ["E=mc^2", "x=1", "a+b=c", r"x=\frac{-b\pm\sqrt{b^2-4ac}}{2a}", r"\bar{x}=\frac1n\sum_{i=1}^n x_i"],
)
def test_that_short_formulas_tell_nothing(formula):
    assert not shared(text(FIRST, f"$${formula}$$"), text(SECOND, f"$${formula}$$"))


def test_that_words_in_the_place_of_a_formula_tell_nothing(tmp_path):
    words = written("so the whole of the argument holds, as was said")
    paths = [write_docx(tmp_path / f"{n}.docx", each, words) for n, each in enumerate((FIRST, SECOND))]
    assert not shared(*map(load_document, paths))


def test_that_formulas_of_the_task_and_of_the_class_do_not_count():
    answers = {number: text(FIRST, own(99), own(number)) for number in range(40)}
    answers[7] = text(SECOND, own(99), "By the way", own(3), f"Again {own(3)}")
    found = find_shared_formulas(answers)
    assert [(pair, each.left, each.right) for pair, (each,) in found.items()] == [
        ((3, 7), (Anchor(3),), (Anchor(4), Anchor(5)))
    ]
    school = SchoolClass({99: DocumentRole.TEMPLATE})
    assert not any(facts.formulas for facts in facts_of_class({**answers, 99: text(own(3))}, school).values())


def test_that_turned_facts_exchange_the_sides_and_anonymous_ones_have_names_replaced():
    documents = {0: text(FIRST, own(1)), 1: text(SECOND, "Here", own(1))}
    facts = facts_of_class(documents, SchoolClass())[0, 1]
    (turned,) = facts.mirrored.formulas
    assert (turned.left, turned.right) == ((Anchor(3),), (Anchor(2),))
    (anonymous,) = facts.anonymous(lambda words: words.replace("sin", "?")).formulas
    assert anonymous == replace(facts.formulas[0], written=facts.formulas[0].written.replace("sin", "?"))
