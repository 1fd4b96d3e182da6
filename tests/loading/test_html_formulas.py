"""Formulas of web pages: each one is read once, however many forms of it the page has."""

# ruff: noqa: E501 - the lines are as long as those of the pages

import pytest

from simcompare.loading import load_document
from tests.loading.readings import lines

MATH = "<math><semantics><mrow><mi>n</mi><mo>=</mo><mfrac><mi>b</mi><mn>2</mn></mfrac></mrow>{}</semantics></math>"
TEX = r"n=\frac b2"
WITH_TEX = MATH.format(f"<annotation encoding=application/x-tex>{TEX}</annotation>")
DRAWN = "<span class=mord>n</span><span class=mrel>=</span><span class=mord>b2</span>"
HIDDEN = "style='position:absolute;clip:rect(1px,1px,1px,1px);height:1px;width:1px;overflow:hidden'"


def _load(folder, body):
    path = folder / "page.html"
    path.write_text(f"<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>", "utf-8")
    return load_document(path)


def _katex(before=""):
    return (
        f"<span class=katex><span class=katex-mathml {before}>{WITH_TEX}</span>"
        f"<span class=katex-html aria-hidden=true>{DRAWN}</span></span>"
    )


def _mathjax_2(attributes="", assistive="", script=TEX):
    return (
        "<span class=MathJax_Preview style='color:inherit'>[Math]</span>"
        f"<span class=MathJax id=MathJax-Element-1-Frame {attributes}><nobr aria-hidden=true>"
        f"<span class=math>{DRAWN}</span></nobr>{assistive}</span>"
        f"<script type=math/tex id=MathJax-Element-1>{script}</script>"
    )


ASSISTIVE = f"<span class=MJX_Assistive_MathML {HIDDEN}>{MATH.format('')}</span>"
GLYPHS = "".join(f"<mjx-c class='mjx-c{code} TEX-I'></mjx-c>" for code in ("1D45B", "3D", "1D44F"))
USES = "".join(
    f"<use data-c={code} xlink:href=#MJX-1-TEX-I-{code}></use>" for code in ("1D45B", "3D", "1D44F")
)
WORD = (
    "<!--[if gte msEquation 12]><m:oMath><i><span style='font-family:\"Cambria Math\"'><m:r>n</m:r><m:r><m:rPr>"
    '<m:sty m:val="p"/></m:rPr>=</m:r></span></i><m:f><m:fPr><span lang=EN-US><m:ctrlPr></m:ctrlPr></span></m:fPr>'
    "<m:num><i><span><m:r>b</m:r></span></i></m:num><m:den><i><m:r>2</m:r></i></m:den></m:f></m:oMath><![endif]-->"
    "<![if !msEquation]><span><img width=30 height=20 src=x.files/image001.png></span><![endif]>"
)


@pytest.mark.parametrize(
    ("formula", "seen"),
    [
        (_katex(), "n=b/2"),
        (f"<span class=katex-display>{_katex(HIDDEN)}</span>", "n=b/2"),
        (f"<span class=katex><span class=katex-html>{DRAWN}</span></span>", "n=b2"),
        (f"<span class=katex><span class=katex-mathml>{WITH_TEX}</span></span>", "n=b/2"),
        (_mathjax_2(assistive=ASSISTIVE), "n=b/2"),
        (_mathjax_2(f"data-mathml='{MATH.format('')}'"), "n=b/2"),
        (_mathjax_2(), "n=b2"),
        (f"<span class=MathJax_Preview>[Math]</span><script type='math/tex; mode=display'>{TEX}</script>", TEX),
        (f"<script type=math/tex>{TEX}</script>", TEX),
        (
            f"<mjx-container class=MathJax jax=CHTML><mjx-math aria-hidden=true>{GLYPHS}</mjx-math>"
            f"<mjx-assistive-mml {HIDDEN}>{MATH.format('')}</mjx-assistive-mml></mjx-container>",
            "n=b/2",
        ),
        (f"<mjx-container class=MathJax><mjx-math><mjx-mi>{GLYPHS}</mjx-mi></mjx-math></mjx-container>", "n=b"),
        (f"<mjx-container class=MathJax jax=SVG><svg><g>{USES}</g></svg></mjx-container>", "n=b"),
        (
            f"<span class=mwe-math-element><span class=mwe-math-mathml-inline style='display:none'>{WITH_TEX}"
            f"</span><img class='mwe-math-fallback-image-inline' alt='{{\\displaystyle {TEX}}}' src=x.svg></span>",
            "n=b/2",
        ),
        (f"<img class=mwe-math-fallback-image-inline alt='{{\\displaystyle {TEX}}}' src=x.svg>", TEX),
        (f"<img src='https://www.zhihu.com/equation?tex=n%3Db' alt='{TEX}' eeimg=1>", TEX),
        (f"<img src='https://latex.csdn.net/eq?n%3Db' alt='{TEX}'>", TEX),
        (f"<img src='https://math.jianshu.com/math?formula=n%3Db' class=math-inline alt='{TEX}'>", TEX),
        (
            f"<span class=ztext-math data-tex='{TEX}'><span></span><span><span class=MathJax_SVG><svg></svg></span>"
            f"<script type='math/tex'>{TEX}</script></span></span>",
            TEX,
        ),
        ("<math><mi>sin</mi><mo>&#x2061;</mo><mi>x</mi></math>", "sinx"),
        ("<math>n=b</math>", "n=b"),
        ("<span class=katex data-mathml=' '>n=b</span>", "n=b"),
        (WORD, "n=b/2"),
    ],
)  # fmt: skip
def test_that_a_formula_is_read_once(tmp_path, formula, seen):
    document = _load(tmp_path, f"<p>Let {formula} be the number of boats.</p><p>{formula}</p>")
    assert lines(document) == [f"Let {seen} be the number of boats.", seen]
    assert document.receipt.state == "ok"


def test_that_the_description_of_another_picture_is_not_text(tmp_path):
    body = "<p>A <img src='aftermath/photo.jpg' alt='the storm' class=photo> passed.</p>"
    assert _load(tmp_path, body).text == "A passed."


def test_that_formulas_nested_beyond_all_reason_are_read(tmp_path):
    body = f"<math>{'<mrow>' * 1500}<mi>n</mi>{'</mrow>' * 1500}</math>"
    assert _load(tmp_path, body).text == "n"
