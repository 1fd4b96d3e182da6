"""A comparison as one HTML file that needs nothing else: no network, no other file."""

import base64
import hashlib
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from simcompare import __version__
from simcompare.i18n import _, current_language
from simcompare.report.evidence import Evidence
from simcompare.report.page import page_view
from simcompare.resources import resource_path
from simcompare.visible import visible

_LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}


def render_html(evidence: Evidence) -> str:
    """Return the page of a comparison, in the language of the moment.

    The same evidence gives the same page but for `made_at`, which the foot names. Texts of the documents
    stay text: they are escaped, and characters that would act instead of being read are shown by name.
    """
    style, script = _inline("comparison.css"), _inline("comparison.js")
    return _template().render(
        lang=_LANGUAGE_TAGS[current_language()],
        policy=_policy(style, script),
        style=style,
        script=script,
        page=page_view(evidence),
        says=_labels(),
        made=_("Made by simcompare {version} on {date}.").format(
            version=__version__, date=evidence.made_at.strftime("%Y-%m-%d %H:%M")
        ),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_readable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("comparison.html.j2")


def _readable(value: Any) -> Any:
    """Make what a template prints visible; our own style and script are Markup and stay as they are."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _inline(name: str) -> Markup:
    # a file of the program, never text of a document
    return Markup(resource_path("templates", name).read_text(encoding="utf-8"))


def _policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows our style, our script and embedded pictures, no more."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _labels() -> dict[str, str]:
    return {
        "heading": _("Comparison of two texts"),
        "texts": _("Texts"),
        "matrix": _("Comparison matrix"),
        "hamming": _("Hamming distance"),
        "of_bits": _("of {size} bits"),
        "hamming_hint": _("Ringed cells are the bits in which the two fingerprints differ."),
        "axes": _("Down: sentences of the left text. Across: sentences of the right text."),
        "low": _("nothing in common"),
        "high": _("all in common"),
        "hint": _("Click a marked sentence: its partner comes alongside. N and P go on and back."),
        "legend": _("Kinds of matches"),
        "common": _("in both sentences, in order"),
        "paired": _("paired as synonyms"),
        "matches": _("Matches"),
        "verdict": _("Judgement of the pair"),
        "undecided": _("undecided"),
        "note": _("Note"),
        "previous": _("Previous match"),
        "next": _("Next match"),
        "file_size": _("Size"),
        "sha256": _("SHA-256"),
        "none": _("No two sentences are similar under these thresholds."),
        "number": _("No."),
        "kind": _("Kind"),
        "sentences": _("The two sentences, and why they match"),
        "left": _("left"),
        "right": _("right"),
        "made_how": _("How this was made"),
        "read": _("Read"),
        "left_out": _("Left out"),
        "excluded": _("Excluded"),
        "excluded_why": _("Excluded: {reason}"),
        "doubts": _("To be checked"),
        "notes": _("Worth knowing"),
        "doubt_about": _("A doubt about {file}: {doubts}"),
    }
