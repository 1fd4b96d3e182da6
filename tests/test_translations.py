"""Every text for users has a Chinese translation with the same placeholders."""

import io
import re
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
PO = ROOT / "resources" / "i18n" / "zh" / "LC_MESSAGES" / "simcompare.po"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
PLACE = re.compile(r"\{\w+")


@cache
def texts_in_code() -> set[str | tuple[str, ...]]:
    found = extract_from_dir(str(ROOT / "simcompare"), [("**.py", "python")], keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found if message}


@cache
def catalogue() -> Catalog:
    return read_po(io.BytesIO(PO.read_bytes()))


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def test_that_every_text_in_the_code_has_a_chinese_one() -> None:
    translated = {message.id for message in catalogue() if message.id and all(translations(message))}
    assert texts_in_code() - translated == set()


def test_that_no_chinese_text_outlives_its_english_one() -> None:
    assert {message.id for message in catalogue() if message.id} - texts_in_code() == set()


def test_that_every_translation_has_places_for_the_same_values() -> None:
    messages = [message for message in catalogue() if message.id]
    assert len(messages) > 900
    assert [message.id for message in messages if not has_same_places(message)] == []


def has_same_places(message: Message) -> bool:
    english = message.id if isinstance(message.id, str) else message.id[1]
    places = sorted(PLACE.findall(english))
    return all(sorted(PLACE.findall(chinese)) == places for chinese in translations(message))


def test_that_the_compiled_catalogue_is_that_of_the_texts() -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue())
    assert PO.with_suffix(".mo").read_bytes() == compiled.getvalue()
