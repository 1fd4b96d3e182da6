"""Pages that need nothing else: no network, no other file, and no leave to do more than they do."""

import base64
import hashlib
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from simcompare import __version__
from simcompare.i18n import _, current_language
from simcompare.resources import resource_path
from simcompare.visible import visible

_LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}


def render_page(name: str, made_at: datetime, *, script: str = "", **values: Any) -> str:
    """Return the page of the template `name`, in the language of the moment, with its style and script in it.

    `values` are what the template asks for beside that. All texts are escaped, and characters that would act
    instead of being read are shown by name.
    """
    style, code = _inline("base.css") + _inline(f"{name}.css"), _inline(script) if script else Markup()
    return (
        _templates()
        .get_template(f"{name}.html.j2")
        .render(
            lang=_LANGUAGE_TAGS[current_language()],
            policy=_policy(style, code),
            style=style,
            script=code,
            made=_("Made by simcompare {version} on {date}.").format(
                version=__version__, date=made_at.strftime("%Y-%m-%d %H:%M")
            ),
            **values,
        )
    )


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_readable,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _readable(value: Any) -> Any:
    """Make what a template prints visible; our own style and script are Markup and stay as they are."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _inline(name: str) -> Markup:
    # a file of the program, never text of a document
    return Markup(resource_path("templates", name).read_text(encoding="utf-8"))


def _policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows our style, our script and embedded pictures, no more."""
    allowed = f"script-src '{_digest(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; {allowed}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
