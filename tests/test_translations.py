"""Every text for users has a Chinese translation with the same placeholders."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
PO = ROOT / "resources" / "i18n" / "zh" / "LC_MESSAGES" / "simcompare.po"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
PLACE = re.compile(r"\{\w+")


def texts_in_code() -> set[str | tuple[str, ...]]:
    found = extract_from_dir(str(ROOT / "simcompare"), [("**.py", "python")], keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found if message}


def catalogue() -> Catalog:
    return read_po(io.BytesIO(PO.read_bytes()))


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def test_that_every_text_in_the_code_has_a_chinese_one() -> None:
    translated = {message.id for message in catalogue() if message.id and all(translations(message))}
    assert texts_in_code() - translated == set()


def test_that_no_chinese_text_outlives_its_english_one() -> None:
    assert {message.id for message in catalogue() if message.id} - texts_in_code() == set()


@pytest.mark.parametrize("message", [m for m in catalogue() if m.id], ids=lambda m: str(m.id)[:40])
def test_that_a_translation_has_places_for_the_same_values(message: Message) -> None:
    english = message.id if isinstance(message.id, str) else message.id[1]
    for chinese in translations(message):
        assert sorted(PLACE.findall(chinese)) == sorted(PLACE.findall(english))


def test_that_the_compiled_catalogue_is_that_of_the_texts() -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue())
    assert PO.with_suffix(".mo").read_bytes() == compiled.getvalue()
