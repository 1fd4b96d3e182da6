"""HTML report of a comparison: one file that loads nothing else, from the network or from disk."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from simcompare.comparison.figures import FIGURES
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import page_view
from simcompare.report.look_alikes import around_look_alikes
from simcompare.report.receipts import files_hint
from simcompare.report.text_pieces import ends_excluded
from simcompare.report.wording import made_in_words, named, unseen_in_words
from simcompare.support.display_text import UNSEEN, escape_invisible
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.support.resources import resource_path

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_NO_WORDS: Mapping[str, str] = {}
_BAR = Markup('<span class="unseen" title="{}">{}</span>')
_LOOK_ALIKE = Markup('<span class="look-alike" title="{}">{}</span>')
_APOSTROPHE = re.compile(r"(?<=[A-Za-zÀ-ɏ])’(?=[A-Za-zÀ-ɏ])")


def render_html(evidence: Evidence) -> str:
    """Render the report of a comparison as HTML, in the current language.

    Equal evidence gives an equal page except for `made_at`, which the footer shows. Texts of the
    documents are escaped, and control and invisible characters are replaced by their names.
    """
    return render_page(
        "comparison",
        evidence.made_at,
        styles=("text",),
        script="comparison.js",
        page=page_view(evidence),
        ends_excluded=ends_excluded,
        labels=labels("comparison"),
    )


def render_page(
    name: str,
    made_at: datetime,
    *,
    styles: Sequence[str] = (),
    rules: str = "",
    script: str = "",
    **values: Any,
) -> str:
    """Render the template `name` in the current language, with its style sheets and script inline.

    styles: names of style sheets before that of the page itself; rules: of style after it.

    `values` are the other variables of the template. All texts are escaped, and control and invisible
    characters are replaced by their names.
    """
    style = Markup().join(_inline(f"{each}.css") for each in ("base", *styles, name)) + Markup(rules)
    code = _inline(script) if script else Markup()
    return template(f"{name}.html").render(
        lang=LANGUAGES[current_language()].tag,
        policy=_policy(style, code),
        style=style,
        script=code,
        made=made_in_words(made_at),
        **values,
    )


def render_macro(name: str, macro: str, *values: Any) -> str:
    """Render a macro of a template, as a part of a page; texts as in `render_page`."""
    return str(getattr(template(f"{name}.html").module, macro)(*values))


def labels(report: str) -> dict[str, str]:
    """Return the headings and captions of a report in the current language, for all of its forms."""
    captions: dict[str, str] = getattr(template("labels").make_module(), report)
    return captions


def template(name: str) -> "Template":
    return _templates().get_template(f"{name}.j2")


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
    templates.globals |= {"_": _, "named": named, "files_hint": files_hint, "figures": FIGURES}
    templates.filters |= {"with_apostrophes": _with_apostrophes, "data_uri": _data_uri}
    return templates


def _with_apostrophes(text: str, bar: str = "", look_alikes: Mapping[str, str] = _NO_WORDS) -> Markup:
    """Mark the apostrophes in English words of a Chinese text, as CJK fonts draw them a character wide.

    Invisible characters become a bar, of the style sheet or of this text; `look_alikes` get a box.
    """
    parts, start = [], 0
    for run in UNSEEN.finditer(text):
        parts += [text[start : run.start()], _BAR.format(unseen_in_words(len(run[0])), bar)]
        start = run.end()
    parts.append(text[start:])
    return Markup("").join(part if isinstance(part, Markup) else _boxed(part, look_alikes) for part in parts)


def _boxed(text: str, look_alikes: Mapping[str, str]) -> Markup:
    if not look_alikes:
        return _visible(text)
    return Markup("").join(
        _LOOK_ALIKE.format(tip, _visible(part)) if tip else _visible(part)
        for part, tip in around_look_alikes(text, look_alikes)
    )


def _visible(text: str) -> Markup:
    return Markup(_APOSTROPHE.sub('<span lang="en">’</span>', str(escape(escape_invisible(text)))))


def _data_uri(picture: bytes) -> str:
    kind = "png" if picture.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


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
