"""Text for people, in the language of the moment: gettext catalogues kept in resources/i18n.

The English text stands in the code as `_("...")`. `N_` marks a text that is translated later, when it
is shown. No text is translated at import time, so the language can change while the program runs.
"""

import gettext
import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from simcompare.support.resources import resource_path

LANGUAGES = {"en": "English", "zh": "中文"}
_DOMAIN = "simcompare"


class _Current:
    """The catalogue in use; one a process."""

    language = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


_for_a_moment: ContextVar[str | None] = ContextVar("language", default=None)
"""The language of `using_language`; a thread has its own."""


def _(text: str) -> str:
    """Return `text` in the current language."""
    return _spoken().gettext(text) if text else ""


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for a deferred text
    """Mark `text` for translation and return it as it is."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits `count`, in the current language."""
    return _spoken().ngettext(one, many, count)


def current_language() -> str:
    """Return the code of the language in use."""
    return _for_a_moment.get() or _Current.language


def set_language(language: str) -> None:
    """Use `language` ("en" or "zh") from now on in this process."""
    _check(language)
    _Current.catalogue = _catalogue(language)
    _Current.language = language


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Use another language within, in this thread alone: for what is written in it beside a window."""
    _check(language)
    before = _for_a_moment.set(language)
    try:
        yield
    finally:
        _for_a_moment.reset(before)


def _check(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")


def _spoken() -> gettext.NullTranslations:
    language = _for_a_moment.get()
    return _Current.catalogue if language is None else _catalogue(language)


def all_translations(text: str) -> frozenset[str]:
    """Return what stands for `text` in each language, to know it again where it was written in another."""
    return frozenset(_catalogue(language).gettext(text) for language in LANGUAGES)


def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(_DOMAIN, resource_path("i18n"), [language], fallback=language == "en")


def system_language() -> str:
    """Return the language the user's system speaks, English where it is neither of ours."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    name = spoken or locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"
