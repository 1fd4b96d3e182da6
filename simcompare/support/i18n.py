"""Translation of user texts with gettext catalogues in resources/i18n.

The English text is in the code as `_("...")`. `N_` marks a text that is translated later, when it is
displayed. No text is translated at import time, so that the language can change at run time.
"""

import gettext
import locale
import os
import re
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from simcompare.support.resources import resource_path


@dataclass(frozen=True, slots=True)
class InterfaceLanguage:
    """A language of the program.

    name: in the language itself, for menus
    english_name: as Windows names it
    locale: of Qt's texts and of numbers, with a region where reports need one
    tag: of web pages (BCP 47)
    before_sentence, between_items: what joins sentences, and items
    """

    name: str
    english_name: str
    locale: str
    tag: str
    before_sentence: str = " "
    between_items: str = ", "

    @property
    def region(self) -> str | None:
        """The region of the locale, such as CN."""
        return self.locale.partition("_")[2] or None


LANGUAGES = {
    "en": InterfaceLanguage("English", "English", "en", "en"),
    "zh": InterfaceLanguage("中文", "Chinese", "zh_CN", "zh-Hans", before_sentence="", between_items="、"),
}
"""The languages by their codes; each but English has a catalogue in resources/i18n."""
_DOMAIN = "simcompare"


class _CurrentLanguage:
    language = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


_language_override: ContextVar[str | None] = ContextVar("language", default=None)
"""The language set by `using_language`; separate for each thread."""


_HAN = r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_PARTED = re.compile(rf"(?<={_HAN}) \{{(\w+)\}}"), re.compile(rf"\{{(\w+)\}} (?={_HAN})")
"""A blank between Chinese and an inserted value, before and after it."""


class _ChineseText(str):
    __slots__ = ()

    def format(self, *args: object, **values: object) -> str:
        """Insert the values; a blank parts only others from Chinese: "张三与", but "Anna 与"."""

        def parted(found: re.Match[str]) -> str:
            value = str(values.get(found[1], "")) or " "
            neighbour = value[0 if found[0].startswith(" ") else -1]
            return found[0].strip() if re.match(_HAN, neighbour) else found[0]

        before, after = _PARTED
        return str.format(after.sub(parted, before.sub(parted, self)), *args, **values)


def _(text: str) -> str:
    """Translate `text` to the current language."""
    translated = _current_catalogue().gettext(text) if text else ""
    return _ChineseText(translated) if "{" in translated and not translated.isascii() else translated


def N_(text: str) -> str:  # noqa: N802 - gettext's conventional name
    """Mark `text` for translation and return it unchanged."""
    return text


def ngettext(singular: str, plural: str, count: int, **values: object) -> str:
    """Return the translated singular or plural form for `count`, with `count` and `values` inserted."""
    translated = _current_catalogue().ngettext(singular, plural, count)
    return _ChineseText(translated).format(count=f"{count:,}", **values)


def joined_sentences(sentences: Iterable[str]) -> str:
    return LANGUAGES[current_language()].before_sentence.join(sentences)


def joined_items(items: Iterable[str]) -> str:
    """Join names or other items of the same kind: "A, B", or "A、B" in Chinese."""
    return LANGUAGES[current_language()].between_items.join(items)


def current_language() -> str:
    return _language_override.get() or _CurrentLanguage.language


def language_among(codes: Container[str]) -> str:
    """Return the current language if it is one of these, otherwise English, which everything has."""
    language = current_language()
    return language if language in codes else "en"


def set_language(language: str) -> None:
    """Set the language of this process, by its code."""
    _check(language)
    _CurrentLanguage.catalogue = _catalogue(language)
    _CurrentLanguage.language = language


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Use another language within the context, in this thread only: for files written beside a window."""
    _check(language)
    before = _language_override.set(language)
    try:
        yield
    finally:
        _language_override.reset(before)


def _check(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")


def _current_catalogue() -> gettext.NullTranslations:
    language = _language_override.get()
    return _CurrentLanguage.catalogue if language is None else _catalogue(language)


def all_translations(text: str) -> frozenset[str]:
    """Return `text` in each language, to recognise it in a file that was written in another language."""
    return frozenset(_catalogue(language).gettext(text) for language in LANGUAGES)


def _catalogue(language: str) -> gettext.NullTranslations:
    return _catalogue_in(resource_path("i18n"), language)


# gettext looks for its file at each call
@lru_cache(maxsize=16)
def _catalogue_in(folder: Path, language: str) -> gettext.NullTranslations:
    return gettext.translation(_DOMAIN, folder, [language], fallback=language == "en")


def system_language() -> str:
    """Return the language code of the user's system, or "en" if the program does not have that language."""
    locale_name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    # "zh_CN.UTF-8", "zh-Hans", or "Chinese (Simplified)_China" on Windows
    first = re.split("[^a-z]", (locale_name or locale.getlocale()[0] or "").lower())[0]
    codes = (code for code, language in LANGUAGES.items() if first in {code, language.english_name.lower()})
    return next(codes, "en")
