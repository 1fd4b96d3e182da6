"""Make PDF reports: Typst typesets a template and the page footers, which are put together; their fonts."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import pikepdf
import typst
from msgspec import to_builtins
from pikepdf import Array, Name, Object, Pdf

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.report.box_font import box_font
from simcompare.report.case_file import SheetPart, case_passages, case_title, committee_sheet
from simcompare.report.evidence import Evidence
from simcompare.report.heat_picture import LIGHT, ticks
from simcompare.report.html_report import labels
from simcompare.report.html_sections import PageView, page_view
from simcompare.report.text_pieces import (
    BIT_DIFFERS,
    BIT_OFF,
    BIT_ON,
    CHANGED,
    DECISIONS,
    DOUBT,
    INK,
    KINDS,
    MUTED,
    PASSAGE_LOOKS,
    RULE,
    UNSEEN_INK,
)
from simcompare.report.wording import made_in_words, named
from simcompare.support.atomic_file import unfinished
from simcompare.support.display_text import UNSEEN, display_name, escape_invisible
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.support.resources import resource_path

_CJK = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "SimSun",
)
# the last one comes with Typst
_LATIN = ("Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Libertinus Serif")
_FIXED = ("Cascadia Mono", "Consolas", "Menlo", "DejaVu Sans Mono")
_BOLD_FROM = 600

# fsType in the table OS/2 of OpenType: the usage in its low bits, and two more bits. The other usages
# (installable, preview and print, editable) allow a file that is read with the font in it.
_FS_TYPE_OFFSET = 8
_USAGE, _RESTRICTED = 0x000F, 0x0002
_NO_SUBSETTING, _BITMAPS_ONLY = 0x0100, 0x0200


_BOXES = "Simcompare Boxes"


@dataclass(frozen=True, slots=True)
class ReportFonts:
    """Typst's fonts, and the families to use: the first one that has a character shows it.

    has_bold: whether the first family of each language has a bold face.
    fallback: whether Typst may show other characters with any font of the computer.
    """

    book: typst.Fonts
    chinese: Sequence[str]
    latin: Sequence[str]
    digits: Sequence[str]
    has_bold: bool
    fallback: bool

    @property
    def has_chinese(self) -> bool:
        """True if one of the known Chinese families is there."""
        return bool(set(self.chinese) & set(_CJK))


@cache
def report_fonts() -> ReportFonts:
    """Return the fonts of this computer without those that must not be embedded."""
    return _fonts_of(typst.Fonts(), is_all=False)


@contextmanager
def fonts_with_boxes(characters: str) -> Iterator[ReportFonts]:
    """Yield all permitted fonts of this computer, and a font with a box for each of some characters.

    Typst also shows a character that no font has as a box, but that box cannot be copied as text.
    """
    with TemporaryDirectory(prefix="simcompare-fonts-") as folder, unfinished(Path(folder)):
        Path(folder, "boxes.ttf").write_bytes(box_font(_BOXES, characters))
        yield _fonts_of(typst.Fonts(font_paths=[folder]), is_all=True)


def _fonts_of(book: typst.Fonts, *, is_all: bool) -> ReportFonts:
    faces = book.fonts()
    forbidden = {face.family for face in faces if face.path and not _may_be_embedded(face.path, face.index)}
    permitted = {face.family for face in faces} - forbidden
    bold = {face.family for face in faces if face.weight >= _BOLD_FROM}
    chinese, latin, fixed = (
        [name for name in names if name in permitted] for names in (_CJK, _LATIN, _FIXED)
    )
    # with its fallback, Typst would show a character with a forbidden font
    is_listed = is_all or bool(forbidden)
    others = sorted(permitted - {*_CJK, *_LATIN, _BOXES}) if is_listed else []
    last = [_BOXES] if is_all else []
    return ReportFonts(
        book,
        [*chinese, *latin, *others, *last],
        [*latin, *chinese, *others, *last],
        [*fixed, *latin],
        all(names[0] in bold for names in (chinese, latin) if names),
        not is_listed,
    )


@cache
def _may_be_embedded(path: str, index: int) -> bool:
    """Return whether a font permits embedding of subsets; a font without the table OS/2 does."""
    with Path(path).open("rb") as file:

        def number(at: int, size: int) -> int:
            file.seek(at)
            return int.from_bytes(file.read(size), "big")

        file.seek(0)
        start = number(12 + 4 * index, 4) if file.read(4) == b"ttcf" else 0
        for at in range(start + 12, start + 12 + 16 * number(start + 4, 2), 16):
            file.seek(at)
            if file.read(4) == b"OS/2":
                fs_type = number(number(at + 8, 4) + _FS_TYPE_OFFSET, 2)
                return fs_type & _USAGE != _RESTRICTED and not fs_type & (_NO_SUBSETTING | _BITMAPS_ONLY)
    return True


_LINK_SCHEME = "simcompare:"
_ABOVE_PLACE_PT = 12


def first_page(body: bytes) -> bytes:
    """Return a PDF with only the first page, without links."""
    with Pdf.open(BytesIO(body)) as file:
        del file.pages[1:]
        if "/Annots" in file.pages[0]:
            del file.pages[0].obj["/Annots"]
        written = BytesIO()
        file.save(written, deterministic_id=True)
        return written.getvalue()


def _link(file: Pdf, place_names: Mapping[str, str]) -> None:
    """Convert the addresses "simcompare:HERE/THERE" to internal links.

    A link leads to the place of the first link whose HERE equals its THERE.
    """
    places: dict[str, Array] = {}
    links: list[tuple[Object, str]] = []
    for page in file.pages:
        for link in page.get("/Annots", ()):
            here, _slash, there = str(link.A.URI).removeprefix(_LINK_SCHEME).partition("/")
            top = float(link.Rect[3]) + _ABOVE_PLACE_PT
            places.setdefault(here, Array([page.obj, Name.XYZ, None, round(top, 1), None]))
            links.append((link, there))
    for link, there in links:
        del link["/A"]
        link.Dest = places[there]
        link.Contents = place_names[there[0]].format(number=there[1:])


def _describe(file: Pdf, program: str, made_at: datetime) -> None:
    with file.open_metadata(set_pikepdf_as_editor=False) as about:
        about["xmp:CreatorTool"] = program
        about["xmp:CreateDate"] = about["xmp:ModifyDate"] = made_at.isoformat(timespec="seconds")


MOST_ROWS = 500
"""Rows of the table of matches; Typst needs 2.6 GB for a table of 6,000 rows."""

MOST_FACING_CHARACTERS = 200_000
"""Limit of all passages side by side, some 60 pages; others are in the texts, which are shown in full."""

_MOST_HEAT_PT, _MOST_CELL_PT, _LEAST_HEAT_PT = 230, 16, 24
_ROW_LABEL_PT, _COLUMN_LABEL_PT = 24, 46
_BEGINNING = 30
PAPER = {
    "ink": INK,
    "muted": MUTED,
    "rule": RULE,
    "doubt": DOUBT,
    "unseen": UNSEEN_INK,
    "changed": CHANGED,
    "bits": {"on": BIT_ON, "off": BIT_OFF, "differs": BIT_DIFFERS},
    "scale": LIGHT.stops,
    "kinds": KINDS | PASSAGE_LOOKS,
    "decisions": DECISIONS,
}
"""Colours of the page, of kinds of matches and of decisions."""

Values = dict[str, Any]


def report_values(
    report: object,
    captions: dict[str, str],
    made_at: datetime,
    title: str,
    names: str,
    look_alikes: Iterable[str] = (),
    **others: Any,
) -> Values:
    """Return the values of a template: the view data of a report, and others, as JSON types.

    names: shown beside the page number; look_alikes: words that get a box.
    """
    says = {
        "made": made_in_words(made_at),
        "boxes": _(
            "Boxes stand for characters that no font of this computer has. They can be copied as text."
        ),
    }
    values = {
        "language": current_language(),
        "title": title,
        "names": names,
        "paper": PAPER,
        "report": report,
        "says": captions | says,
        "has_boxes": False,
        "look_alikes": "|".join(rf"\b{each}\b" if len(each) > 1 else each for each in look_alikes)
        if look_alikes
        else _NO_TEXT,
        **others,
    }
    builtins: Values = _visible(to_builtins(values, builtin_types=(bytes,), enc_hook=_builtin))
    return builtins


def _builtin(value: Any) -> str | float:
    return str(value) if isinstance(value, str) else float(value)


def _visible(value: Any) -> Any:
    """Replace control and invisible characters in all strings, and tabs, for which no font has a glyph."""
    if isinstance(value, str):
        return escape_invisible(UNSEEN.sub(_BAR, value)).replace("\t", "\N{EM SPACE}")
    if isinstance(value, dict):
        return {key: _visible(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_visible(item) for item in value]
    return list(value) if isinstance(value, bytes) else value


def _beginning(page: PageView) -> PageView:
    """Return the page with each list shortened to more than enough for the first page."""
    return replace(
        page,
        passages=[
            replace(each, left=each.left[:_BEGINNING], right=each.right[:_BEGINNING])
            for each in page.passages[:_BEGINNING]
        ],
        matches=page.matches[:_BEGINNING],
        sides=[replace(side, blocks=side.blocks[:_BEGINNING]) for side in page.sides],
        pictures=[],
    )


def _values(evidence: Evidence, page: PageView) -> Values:
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    captions, matrix = labels("comparison"), _matrix(evidence.comparison)
    title = named(captions["heading"], names)
    return report_values(page, captions, evidence.made_at, title, names, page.look_alikes, matrix=matrix)


def _matrix(comparison: Comparison) -> Values:
    """Return the size of the picture of the matrix, whose cells are square if that leaves it visible."""
    rows, columns = comparison.matrix.shape
    cell = min(_MOST_HEAT_PT / columns, _MOST_HEAT_PT / rows, _MOST_CELL_PT)
    width, height = max(columns * cell, _LEAST_HEAT_PT), max(rows * cell, _LEAST_HEAT_PT)
    return {
        "width": width,
        "height": height,
        "rows": _axis(rows, height, _ROW_LABEL_PT),
        "columns": _axis(columns, width, _COLUMN_LABEL_PT),
    }


def _axis(count: int, extent_pt: float, label_pt: float) -> list[tuple[str, float]]:
    """Return the numbers of an axis with the centres of their cells in points."""
    return [(f"{n:,}", (n - 0.5) / count * extent_pt) for n in ticks(count, round(extent_pt / label_pt))]


_BAR = "\ufdd0"
"""No character, for which `report.typ` draws a bar."""
_NO_TEXT = "\ufdd1"
"""No character, which is in no text."""
_FIXED_TIME = 0
"""Passed to Typst in place of the clock, so that the same report gives the same bytes."""

_KEPT_DOCUMENTS = 10


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a comparison, in the current language.

    It is tagged as PDF/UA-1 requires. Equal evidence gives equal bytes on the same computer; with another
    `made_at` only the date in it differs. May be called from any thread.
    """
    page = page_view(evidence, MOST_ROWS, MOST_FACING_CHARACTERS)
    return typeset_report("comparison", _values(evidence, page), evidence.made_at, _places())


def render_case(evidence: Evidence, page: PageView, sheet: Sequence[SheetPart]) -> bytes:
    """Return the PDF of a case file: the sheet for a committee, and the report of the comparison."""
    return typeset_report("case", _case_values(evidence, page, sheet), evidence.made_at, _places())


def _case_values(evidence: Evidence, page: PageView, sheet: Sequence[SheetPart]) -> Values:
    values = _values(evidence, page)
    sheet_values = report_values(sheet, {}, evidence.made_at, "", "")
    return values | {"sheet": sheet_values["report"], "title": named(case_title(), values["names"])}


def render_first_page(evidence: Evidence, *, is_case: bool = False) -> bytes:
    """Return a PDF of only the first page of a report or a case file; its footer omits the number of pages.

    Takes a fraction of a second even if the report has hundreds of pages.
    """
    page = _beginning(page_view(evidence, MOST_ROWS, MOST_FACING_CHARACTERS))
    if is_case:
        sheet = committee_sheet(evidence, page, case_passages(evidence, page))
        values = _case_values(evidence, page, sheet)
    else:
        values = _values(evidence, page)
    body = first_page(_typeset("case" if is_case else "comparison", values))
    return _completed(body, values["names"], evidence.made_at, _("Page {number}"), _places())


def _places() -> Mapping[str, str]:
    return {
        "p": _("Passage {number}"),
        "l": _("Passage {number} in the left text"),
        "r": _("Passage {number} in the right text"),
    }


def typeset_report(
    template: str, values: Values, made_at: datetime, place_names: Mapping[str, str] = MappingProxyType({})
) -> bytes:
    """Return the PDF of a template with page footers; `values["names"]` is beside the page number.

    place_names: as in `_completed`.
    """
    body = _typeset(template, values)
    return _completed(body, values["names"], made_at, _("Page {number} of {count}"), place_names)


def _typeset(name: str, values: Values) -> bytes:
    try:
        return _compiled(name, values, report_fonts())
    except typst.TypstError:
        # PDF/UA-1 does not allow a character that no font has
        with fonts_with_boxes("".join(sorted(set(json.dumps(values, ensure_ascii=False))))) as fonts:
            return _compiled(name, values | {"has_boxes": True}, fonts)


def _completed(
    body: bytes, names: str, made_at: datetime, words: str, place_names: Mapping[str, str]
) -> bytes:
    """Return the report `body` with its links, page footers and metadata.

    place_names: text alternatives of links, with {number}, by the first letter of the place they lead to.
    """
    with Pdf.open(BytesIO(body)) as file:
        count = len(file.pages)
        feet = {
            "language": current_language(),
            "ink": MUTED,
            "names": names,
            "pages": [words.format(number=f"{n:,}", count=f"{count:,}") for n in range(1, count + 1)],
        }
        typeset_feet = _typeset("feet", feet)
        # Free what Typst caches for ten more documents: 5 GB after ten long reports
        for _number in range(_KEPT_DOCUMENTS + 1):
            typst.compile(b"", font_paths=report_fonts().book)
        _link(file, place_names)
        with Pdf.open(BytesIO(typeset_feet)) as foot_file:
            for page, foot in zip(file.pages, foot_file.pages, strict=True):
                # Draw a footer before the content of a page, as an artifact, which screen readers skip
                page.add_resource(file.copy_foreign(foot.as_form_xobject()), Name.XObject, Name.Foot)
                artifact = b"/Artifact <</Type /Pagination /Subtype /Footer>> BDC q /Foot Do Q EMC\n"
                page.contents_add(artifact, prepend=True)
        # false is the default, and Poppler (25.03) treats the entry as an error
        del file.Root.MarkInfo["/Suspects"]
        _describe(file, f"simcompare {__version__}", made_at)
        written = BytesIO()
        file.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return written.getvalue()


def _compiled(name: str, values: Values, fonts: ReportFonts) -> bytes:
    """Return the PDF of a template. Texts are JSON values: Typst reads no markup in them, and no file."""
    template = resource_path("templates", f"{name}.typ")
    template_values = values | {
        "region": LANGUAGES[values["language"]].region,
        "fonts": {
            "zh": fonts.chinese,
            "en": fonts.latin,
            "digits": fonts.digits,
            "has_bold": fonts.has_bold,
            "fallback": fonts.fallback,
        },
    }
    return typst.compile(
        template,
        root=template.parent,
        sys_inputs={"values": json.dumps(template_values, ensure_ascii=False)},
        font_paths=fonts.book,
        format="pdf",
        pdf_standards="ua-1",
        timestamp=_FIXED_TIME,
    )
