"""A font whose maker forbids it does not get into a PDF."""

import re

import pytest

from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of

pytest.importorskip("PySide6", reason="the lines of a PDF are set by Qt")

from PySide6.QtGui import QFont, QFontDatabase, QRawFont

from simcompare.report.pdf import fonts
from simcompare.report.pdf import fonts as font_permission
from simcompare.report.pdf.report import render_pdf
from tests.helpers.font_files import font_file
from tests.report.words import squeezed, words_of_pdf

INSTALLABLE, RESTRICTED, PREVIEW, EDITABLE, NO_SUBSET, BITMAPS = 0, 2, 4, 8, 0x100, 0x200
FAMILY = "Simcompare Test"


@pytest.fixture
def installed(qapp):
    """Install a font with a permission; the fonts of Qt are its glyphs."""
    numbers = []

    def install(fs_type):
        raw = QRawFont.fromFont(QFont(fonts._CJK[0]))
        numbers.append(QFontDatabase.addApplicationFontFromData(font_file(raw, FAMILY, fs_type)))
        assert QFontDatabase.applicationFontFamilies(numbers[-1]) == [FAMILY]
        return QRawFont.fromFont(QFont(FAMILY))

    forget()
    yield install
    for number in numbers:
        QFontDatabase.removeApplicationFont(number)
    forget()


def forget():
    font_permission.permitted.cache_clear()
    font_permission._face.cache_clear()


def faces_in(data):
    return {name.decode() for name in re.findall(rb"/BaseFont /[A-Z]{6}\+(\w+)-", data)}


@pytest.mark.parametrize(
    ("fs_type", "is_used"),
    [
        (INSTALLABLE, True),
        (PREVIEW, True),
        (EDITABLE, True),
        # a font of before 2001 may say several: the least restrictive holds
        (RESTRICTED | EDITABLE, True),
        (RESTRICTED, False),
        (EDITABLE | NO_SUBSET, False),
        (PREVIEW | BITMAPS, False),
    ],
)
def test_that_the_first_font_is_used_where_its_maker_allows_it(
    installed, tmp_path, monkeypatch, fs_type, is_used
):
    installed(fs_type)
    monkeypatch.setattr(fonts, "_CJK", (FAMILY, *fonts._CJK))
    monkeypatch.setattr(fonts, "_LATIN", (FAMILY, *fonts._LATIN))
    data = render_pdf(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)))
    assert ("SimcompareTest" in faces_in(data)) == is_used
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in words_of_pdf(data)


def test_that_a_forbidden_font_that_qt_falls_back_to_is_drawn_with_another(installed, tmp_path, monkeypatch):
    locked = installed(RESTRICTED)
    # as if no family of ours had the signs, and the machine no other font that Qt would rather take
    monkeypatch.setattr(fonts, "permitted", lambda families: (FAMILY,))
    data = render_pdf(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)))
    assert not font_permission.may_be_embedded(locked)
    assert "SimcompareTest" not in faces_in(data)
    assert "Substitute" in faces_in(data)
    assert squeezed("Comparison of two texts") in words_of_pdf(data)
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in words_of_pdf(data)
