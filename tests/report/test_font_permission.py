"""A font whose licence forbids embedding is not embedded in a PDF."""

from functools import cache
from io import BytesIO

import pikepdf
import pytest
import typst
from fontTools.ttLib import TTFont

from simcompare.report import pdf_report
from simcompare.report.box_font import box_font
from simcompare.report.pdf_report import render_pdf
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of
from tests.report.words import words_of_pdf

INSTALLABLE, RESTRICTED, PREVIEW, EDITABLE, NO_SUBSET, BITMAPS = 0, 2, 4, 8, 0x100, 0x200
FAMILY = "Simcompare Test"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a font with a permission and all characters of the essays."""
    system_fonts = typst.Fonts

    def install(fs_type):
        folder = tmp_path / "fonts"
        folder.mkdir()
        write_font(folder / "test.ttf", fs_type)
        # searching the fonts of the system takes long
        fonts_in = cache(lambda *paths: system_fonts(font_paths=[folder, *paths]))
        monkeypatch.setattr(typst, "Fonts", lambda font_paths=(): fonts_in(*font_paths))
        assert FAMILY in typst.Fonts().families()

    pdf_report.report_fonts.cache_clear()
    yield install
    pdf_report.report_fonts.cache_clear()


@cache
def has_chinese(path, index):
    with TTFont(path, fontNumber=index, lazy=True) as font:
        return ord("桥") in (font.getBestCmap() or ())


def write_font(path, fs_type):
    """Write a font with all characters of the essays."""
    font = TTFont(BytesIO(box_font(FAMILY, BRIDGE + BRIDGE_REWORDED)))
    font["OS/2"].fsType = fs_type
    font.save(path)


def families_in(data):
    with pikepdf.open(BytesIO(data)) as file:
        names = [str(obj.BaseFont) for obj in file.objects if "/BaseFont" in getattr(obj, "keys", list)()]
    return " ".join(names)


@pytest.mark.parametrize(
    ("fs_type", "is_used"),
    [
        (INSTALLABLE, True),
        (PREVIEW, True),
        (EDITABLE, True),
        # fonts made before 2001 may set several permissions: the least restrictive one applies
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
    monkeypatch.setattr(pdf_report, "_CJK", (FAMILY, *pdf_report._CJK))
    data = render_pdf(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)))
    assert ("SimcompareTest" in families_in(data)) == is_used
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in words_of_pdf(data)


def test_that_a_forbidden_font_is_not_fallen_back_to(installed, tmp_path, monkeypatch):
    installed(RESTRICTED)
    # as if the computer had no other Chinese font
    monkeypatch.setattr(pdf_report, "_CJK", ())
    allowed = pdf_report._may_be_embedded
    # one face of each file: others, such as the regional variants of Noto Sans CJK, share its characters
    faces = {face.path: face.index for face in typst.Fonts().fonts() if face.family != FAMILY}
    paths = {path for path, index in faces.items() if path and has_chinese(path, index)}
    monkeypatch.setattr(
        pdf_report, "_may_be_embedded", lambda path, index: path not in paths and allowed(path, index)
    )
    data = render_pdf(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)))
    assert "SimcompareTest" not in families_in(data)
    assert "SimcompareBoxes" in families_in(data)
    words = words_of_pdf(data)
    assert "Boxesstandforcharactersthatnofontofthiscomputerhas." in words
    assert "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" in words
