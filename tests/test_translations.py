"""Every text for users has a translation with the same placeholders."""

import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from simcompare.support.i18n import LANGUAGES

ROOT = Path(__file__).parents[1]
CATALOGUES = ROOT / "resources" / "i18n"
TRANSLATED = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
PLACE = re.compile(r"\{\w+")


@cache
def texts_in_code() -> set[str | tuple[str, ...]]:
    code = extract_from_dir(str(ROOT / "simcompare"), [("**.py", "python")], keywords=KEYWORDS)
    captions = extract_from_dir(
        str(ROOT / "resources" / "templates"), [("**.j2", "jinja2")], keywords=KEYWORDS
    )
    return {message for _, _, message, _, _ in (*code, *captions) if message}


@cache
def catalogue(language: str) -> Catalog:
    return read_po(io.BytesIO(po_file(language).read_bytes()), locale=language)


def po_file(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / "simcompare.po"


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def test_that_each_language_but_english_has_a_catalogue() -> None:
    assert {folder.parent.name for folder in CATALOGUES.glob("*/LC_MESSAGES")} == set(LANGUAGES) - {"en"}


@TRANSLATED
def test_that_every_text_in_the_code_is_translated(language: str) -> None:
    translated = {message.id for message in catalogue(language) if message.id and all(translations(message))}
    assert texts_in_code() - translated == set()


@TRANSLATED
def test_that_no_translation_outlives_its_english_text(language: str) -> None:
    assert {message.id for message in catalogue(language) if message.id} - texts_in_code() == set()


@TRANSLATED
def test_that_every_translation_has_places_for_the_same_values(language: str) -> None:
    messages = [message for message in catalogue(language) if message.id]
    assert len(messages) > 900
    assert [message.id for message in messages if not has_same_places(message)] == []


def has_same_places(message: Message) -> bool:
    english = message.id if isinstance(message.id, str) else message.id[1]
    places = sorted(PLACE.findall(english))
    return all(sorted(PLACE.findall(text)) == places for text in translations(message))


@TRANSLATED
def test_that_the_compiled_catalogue_is_that_of_the_texts(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled.getvalue()
