"""HTML report of a comparison: one file that loads nothing else, from the network or from disk."""

import base64
import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from simcompare import __version__
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import (
    facing_passages,
    legend_of_kinds,
    passage_runs,
    remarks_on_passages,
)
from simcompare.report.how_to_read import how_to_read
from simcompare.report.html_sections import page_view
from simcompare.report.text_pieces import ends_excluded
from simcompare.report.wording import named
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.support.resources import resource_path

if TYPE_CHECKING:
    from jinja2 import Environment

_APOSTROPHE = re.compile(r"(?<=[A-Za-zÀ-ɏ])’(?=[A-Za-zÀ-ɏ])")


def render_html(evidence: Evidence) -> str:
    """Render the report of a comparison as HTML, in the current language.

    Equal evidence gives an equal page except for `made_at`, which the footer shows. Texts of the
    documents are escaped, and control and invisible characters are replaced by their names.
    """
    page = page_view(evidence)
    passages = list(facing_passages(evidence, page))
    return render_page(
        "comparison",
        evidence.made_at,
        script="comparison.js",
        page=page,
        runs=passage_runs(evidence, page),
        passage_count=len(passages),
        passage_kinds=legend_of_kinds(evidence.comparison, passages),
        passages=[passage for passage in passages if not (passage.is_whole or passage.is_single)],
        passage_remarks=remarks_on_passages(passages),
        help=list(how_to_read(page)),
        ends_excluded=ends_excluded,
        labels=_labels(),
    )


def render_page(
    name: str, made_at: datetime, *, styles: Sequence[str] = (), script: str = "", **values: Any
) -> str:
    """Render the template `name` in the current language, with its style sheets and script inline.

    styles: names of style sheets before that of the page itself.

    `values` are the other variables of the template. All texts are escaped, and control and invisible
    characters are replaced by their names.
    """
    style = Markup().join(_inline(f"{each}.css") for each in ("base", *styles, name))
    code = _inline(script) if script else Markup()
    return (
        _templates()
        .get_template(f"{name}.html.j2")
        .render(
            lang=LANGUAGES[current_language()].tag,
            policy=_policy(style, code),
            style=style,
            script=code,
            made=_("Made by simcompare {version} on {date}.").format(
                version=__version__, date=made_at.strftime("%Y-%m-%d %H:%M")
            ),
            **values,
        )
    )


def _labels() -> dict[str, str]:
    return {
        "heading": _("Comparison of two texts"),
        "texts": _("Texts"),
        "share": _("Share"),
        "details": _("Figures in detail"),
        "matrix": _("Comparison matrix"),
        "hamming": _("Hamming distance"),
        "of_bits": _("of {size} bits"),
        "hamming_hint": _("Ringed cells are the bits in which the two fingerprints differ."),
        "axes": _("Down: sentences of the left text. Across: sentences of the right text."),
        "low": _("nothing in common"),
        "high": _("all in common"),
        "hint": _(
            "Click a number or a marked sentence to see its counterpart beside it. "
            "N and P go to the next and previous passage."
        ),
        "common": _("in both sentences, in order"),
        "paired": _("paired as synonyms"),
        "passages": _("Passages"),
        "matches": _("Matches"),
        "verdict": named(_("Decision on the pair"), ""),
        "undecided": _("undecided"),
        "previous": _("Previous passage"),
        "next": _("Next passage"),
        "file_size": _("Size"),
        "sha256": _("SHA-256"),
        "none": _("No two sentences are similar under these thresholds."),
        "passage": _("Passage"),
        "kind": _("Kind"),
        "sentences": _("The two sentences, and why they match"),
        "left": _("left"),
        "right": _("right"),
        "how_to_read": _("How to read this"),
        "made_how": _("How this was made"),
        "read": _("Read"),
        "left_out": _("Left out"),
        "excluded": _("Excluded"),
        "excluded_why": _("Excluded: {reason}"),
        "doubts": _("To be checked"),
        "notes": _("Worth knowing"),
        "doubt_about": _("A doubt about {file}: {doubts}"),
    }


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - the window needs none

    templates = Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_readable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["with_apostrophes"] = _with_apostrophes
    return templates


def _with_apostrophes(text: str) -> Markup:
    """Mark the apostrophes in English words of a Chinese text, as CJK fonts draw them a character wide."""
    return Markup(_APOSTROPHE.sub('<span lang="en">’</span>', str(escape(escape_invisible(text)))))


def _readable(value: Any) -> Any:
    """Make invisible characters visible in template output, but not in our own style and script (Markup)."""
    return escape_invisible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _inline(name: str) -> Markup:
    # safe as markup: a file of the program, never text of a document
    return Markup(resource_path("templates", name).read_text(encoding="utf-8"))


def _policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows only our style, our script and embedded pictures."""
    allowed = f"script-src '{_digest(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; {allowed}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
