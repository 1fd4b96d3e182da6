"""Make the PDF of a comparison: Typst typesets two templates, and binding.py combines them."""

import json

import typst

from simcompare import __version__
from simcompare.report.evidence import Evidence
from simcompare.report.pdf.binding import bound, first_page, page_count
from simcompare.report.pdf.content import Values, beginning, report_values
from simcompare.report.pdf.fonts import ReportFonts, fonts_with_boxes, report_fonts
from simcompare.report.text_pieces import MUTED
from simcompare.support.i18n import _, current_language
from simcompare.support.resources import resource_path

_REGIONS = {"zh": "CN", "en": None}
_FIXED_TIME = 0
"""Passed to Typst in place of the clock, so that the same report gives the same bytes."""

_KEPT_DOCUMENTS = 10


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a comparison, in the current language.

    It is tagged as PDF/UA-1 requires. Equal evidence gives equal bytes on the same computer; with another
    `made_at` only the date in it differs. May be called from any thread.
    """
    values = report_values(evidence)
    return _completed(
        _typeset("comparison", values), values["names"], evidence, _("Page {number} of {count}")
    )


def render_first_page(evidence: Evidence) -> bytes:
    """Return a PDF of only the first page; its footer omits the number of pages.

    Takes a fraction of a second even if the report has hundreds of pages.
    """
    values = beginning(report_values(evidence))
    return _completed(
        first_page(_typeset("comparison", values)), values["names"], evidence, _("Page {number}")
    )


def _typeset(name: str, values: Values) -> bytes:
    try:
        return _compiled(name, values, report_fonts())
    except typst.TypstError:
        # PDF/UA-1 does not allow a character that no font has
        with fonts_with_boxes("".join(sorted(set(json.dumps(values, ensure_ascii=False))))) as fonts:
            return _compiled(name, values | {"has_boxes": True}, fonts)


def _completed(body: bytes, names: str, evidence: Evidence, words: str) -> bytes:
    count = page_count(body)
    feet = {
        "language": current_language(),
        "ink": MUTED,
        "names": names,
        "pages": [words.format(number=f"{n:,}", count=f"{count:,}") for n in range(1, count + 1)],
    }
    places = {
        "m": _("Match {number}"),
        "l": _("Sentence {number} of the left text"),
        "r": _("Sentence {number} of the right text"),
    }
    typeset_feet = _typeset("feet", feet)
    _forget_documents()
    return bound(body, typeset_feet, places, f"simcompare {__version__}", evidence.made_at)


def _compiled(name: str, values: Values, fonts: ReportFonts) -> bytes:
    """Return the PDF of a template. Texts are JSON values: Typst reads no markup in them, and no file."""
    template = resource_path("templates", f"{name}.typ")
    template_values = values | {
        "region": _REGIONS[values["language"]],
        "fonts": {
            "zh": fonts.chinese,
            "en": fonts.latin,
            "digits": fonts.digits,
            "has_bold": fonts.has_bold,
            "fallback": fonts.fallback,
        },
    }
    return typst.compile(
        template,
        root=template.parent,
        sys_inputs={"values": json.dumps(template_values, ensure_ascii=False)},
        font_paths=fonts.book,
        format="pdf",
        pdf_standards="ua-1",
        timestamp=_FIXED_TIME,
    )


def _forget_documents() -> None:
    """Free what Typst caches for ten more documents: 5 GB after ten long reports."""
    for _number in range(_KEPT_DOCUMENTS + 1):
        typst.compile(b"", font_paths=report_fonts().book)
