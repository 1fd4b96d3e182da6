"""Make PDF reports: Typst typesets a template and the page footers, and binding.py combines them."""

import json
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

import typst

from simcompare import __version__
from simcompare.report.evidence import Evidence
from simcompare.report.pdf.binding import bound, first_page, page_count
from simcompare.report.pdf.content import Values, beginning, report_values
from simcompare.report.pdf.fonts import ReportFonts, fonts_with_boxes, report_fonts
from simcompare.report.text_pieces import MUTED
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.support.resources import resource_path

_FIXED_TIME = 0
"""Passed to Typst in place of the clock, so that the same report gives the same bytes."""

_KEPT_DOCUMENTS = 10


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a comparison, in the current language.

    It is tagged as PDF/UA-1 requires. Equal evidence gives equal bytes on the same computer; with another
    `made_at` only the date in it differs. May be called from any thread.
    """
    return typeset_report("comparison", report_values(evidence), evidence.made_at, _places())


def render_first_page(evidence: Evidence) -> bytes:
    """Return a PDF of only the first page; its footer omits the number of pages.

    Takes a fraction of a second even if the report has hundreds of pages.
    """
    values = beginning(report_values(evidence))
    body = first_page(_typeset("comparison", values))
    return _completed(body, values["names"], evidence.made_at, _("Page {number}"), _places())


def _places() -> Mapping[str, str]:
    return {
        "p": _("Passage {number}"),
        "l": _("Passage {number} in the left text"),
        "r": _("Passage {number} in the right text"),
    }


def typeset_report(
    template: str, values: Values, made_at: datetime, place_names: Mapping[str, str] = MappingProxyType({})
) -> bytes:
    """Return the PDF of a template with page footers; `values["names"]` is beside the page number.

    place_names: as in `bound`.
    """
    body = _typeset(template, values)
    return _completed(body, values["names"], made_at, _("Page {number} of {count}"), place_names)


def _typeset(name: str, values: Values) -> bytes:
    try:
        return _compiled(name, values, report_fonts())
    except typst.TypstError:
        # PDF/UA-1 does not allow a character that no font has
        with fonts_with_boxes("".join(sorted(set(json.dumps(values, ensure_ascii=False))))) as fonts:
            return _compiled(name, values | {"has_boxes": True}, fonts)


def _completed(
    body: bytes, names: str, made_at: datetime, words: str, place_names: Mapping[str, str]
) -> bytes:
    count = page_count(body)
    feet = {
        "language": current_language(),
        "ink": MUTED,
        "names": names,
        "pages": [words.format(number=f"{n:,}", count=f"{count:,}") for n in range(1, count + 1)],
    }
    typeset_feet = _typeset("feet", feet)
    _forget_documents()
    return bound(body, typeset_feet, place_names, f"simcompare {__version__}", made_at)


def _compiled(name: str, values: Values, fonts: ReportFonts) -> bytes:
    """Return the PDF of a template. Texts are JSON values: Typst reads no markup in them, and no file."""
    template = resource_path("templates", f"{name}.typ")
    template_values = values | {
        "region": LANGUAGES[values["language"]].region,
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
