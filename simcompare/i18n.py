"""Text for people, in the language of the moment: gettext catalogues kept in resources/i18n.

The English text stands in the code as `_("...")`. `N_` marks a text that is translated later, when it
is shown. No text is translated at import time, so the language can change while the program runs.
"""

import gettext
import locale
import os

from simcompare.resources import resource_path

LANGUAGES = {"en": "English", "zh": "中文"}
_DOMAIN = "simcompare"


class _Current:
    """The catalogue in use; one a process."""

    language = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def _(text: str) -> str:
    """Return `text` in the current language."""
    return _Current.catalogue.gettext(text) if text else ""


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for a deferred text
    """Mark `text` for translation and return it as it is."""
    return text


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits `count`, in the current language."""
    return _Current.catalogue.ngettext(one, many, count)


def current_language() -> str:
    """Return the code of the language in use."""
    return _Current.language


def set_language(language: str) -> None:
    """Use `language` ("en" or "zh") from now on in this process."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")
    _Current.catalogue = _catalogue(language)
    _Current.language = language


def in_every_language(text: str) -> frozenset[str]:
    """Return what stands for `text` in each language, to know it again where it was written in another."""
    return frozenset(_catalogue(language).gettext(text) for language in LANGUAGES)


def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(_DOMAIN, resource_path("i18n"), [language], fallback=language == "en")


def system_language() -> str:
    """Return the language the user's system speaks, English where it is neither of ours."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    name = spoken or locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"
