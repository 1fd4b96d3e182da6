"""Documents with formulas: Word's own, MathML, TeX and OpenDocument."""

from pathlib import Path

import docx
from lxml import etree

WORD = "http://schemas.openxmlformats.org/officeDocument/2006/math"
TEX = r"T_k = \sqrt{\frac{a_0+b^{2k}}{3c-1}} \cdot \int_{0}^{L} q(x)\,\mathrm{d}x"
"""The formula that `MATHML` and `OMML` are, too."""
MATHML = (
    "<math><msub><mi>T</mi><mi>k</mi></msub><mo>=</mo><msqrt><mfrac><mrow><msub><mi>a</mi><mn>0</mn></msub>"
    "<mo>+</mo><msup><mi>b</mi><mrow><mn>2</mn><mi>k</mi></mrow></msup></mrow><mrow><mn>3</mn><mi>c</mi>"
    "<mo>−</mo><mn>1</mn></mrow></mfrac></msqrt><mo>×</mo><msubsup><mo>∫</mo><mn>0</mn><mi>L</mi></msubsup>"
    "<mi>q</mi><mo>(</mo><mi>x</mi><mo>)</mo><mi>d</mi><mi>x</mi></math>"
)


def _run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


OMML = (
    f"<m:sSub><m:e>{_run('𝑇')}</m:e><m:sub>{_run('𝑘')}</m:sub></m:sSub>{_run('=')}"
    f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e><m:f><m:num><m:sSub><m:e>{_run('a')}</m:e>"
    f"<m:sub>{_run('0')}</m:sub></m:sSub>{_run('+')}<m:sSup><m:e>{_run('𝑏')}</m:e><m:sup>{_run('2𝑘')}</m:sup>"
    f"</m:sSup></m:num><m:den>{_run('3𝑐-1')}</m:den></m:f></m:e></m:rad>{_run('∙')}"
    f"<m:nary><m:sub>{_run('0')}</m:sub><m:sup>{_run('𝐿')}</m:sup><m:e>{_run('𝑞')}<m:d><m:e>{_run('𝑥')}</m:e></m:d>"
    f"{_run('𝑑𝑥')}</m:e></m:nary>"
)


def written(text: str) -> str:
    """Return Word's markup of a formula that was typed as one run."""
    return _run(text.replace("<", "&lt;"))


def write_docx(path: Path, *parts: str, in_table: bool = False) -> Path:
    """Write paragraphs, and formulas in Word's markup; in_table: in a row with their number."""
    document = docx.Document()
    for number, part in enumerate(parts):
        if not part.startswith("<"):
            document.add_paragraph(part)
            continue
        row = document.add_table(1, 2).rows[0].cells if in_table else ()
        if row:
            row[1].text = f"({number})"
        paragraph = row[0].paragraphs[0] if row else document.add_paragraph()
        paragraph._p.append(etree.fromstring(f'<m:oMath xmlns:m="{WORD}">{part}</m:oMath>'))
    document.save(str(path))
    return path


def write_html(path: Path, *parts: str) -> Path:
    body = "".join(f"<p>{part}</p>" for part in parts)
    path.write_text(f'<html><head><meta charset="utf-8"></head><body>{body}</body></html>', encoding="utf-8")
    return path
