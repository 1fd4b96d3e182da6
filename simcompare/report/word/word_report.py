"""Word report of a comparison: document, page set-up and file."""

import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from io import BytesIO
from itertools import count, pairwise

import docx
import numpy as np
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.shared import Pt, Twips
from lxml import etree

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.report.case_file import SheetPart, case_title
from simcompare.report.evidence import Evidence
from simcompare.report.heat_picture import (
    LIGHT,
    MOST_CELLS_A_SIDE,
    heat_levels,
    png,
    scale_colour,
    ticks,
)
from simcompare.report.html_sections import MatchView, PageView, SideView, page_view
from simcompare.report.receipts import files_hint
from simcompare.report.text_pieces import DECISIONS, SharedPiece
from simcompare.report.word.word_passages import (
    CONTENT_TWIPS,
    DECISION_STYLES,
    HALF_TWIPS,
    MATCH_STYLES,
    NAMESPACES,
    TWIPS_PER_POINT,
    Bookmarks,
    cell,
    excerpts,
    field,
    full_text,
    link,
    paragraph,
    passages_side_by_side,
    readable,
    row,
    run,
    styles_markup,
    table,
)
from simcompare.report.wording import made_in_words, named
from simcompare.session.decisions import Decision
from simcompare.support.display_text import display_name
from simcompare.support.i18n import LANGUAGES, _, current_language

_WIDTHS = (620, 1080, 640, 640, 6886)
_LONGEST_WHOLE_ROW = 1_500
"""Characters of a row that is kept on one page; a longer one would leave most of a page empty."""


def match_table(page: PageView) -> Iterator[str]:
    yield paragraph(
        "Small",
        run(_("changed or moved"), "Changed"),
        run(" · "),
        run(_("paired as synonyms"), "Paired"),
        properties="<w:keepNext/>",
    )
    rows = [_match_table_head(), *map(_row, page.matches)]
    yield table(_WIDTHS, rows, _("Single sentences"))
    yield from (paragraph("Small", run(words)) for words in page.matches_left_out)


def decision_runs(decision: str, name: str, note: str) -> list[str]:
    """Return runs with a decision and its note; empty without either."""
    runs = []
    if decision:
        known = Decision(decision)
        runs.append(run(DECISIONS[known][0] + name, DECISION_STYLES[known]))
    if note:
        runs.append(run(f" – {note}" if decision else note))
    return runs


def _match_table_head() -> str:
    names = (_("Passage"), _("Kind"), "P", "w", _("The two sentences, and why they match"))
    cells = (
        cell(paragraph("SmallHead", run(name)), width) for name, width in zip(names, _WIDTHS, strict=True)
    )
    return row(cells, is_head=True)


def _row(match: MatchView) -> str:
    kind = run(match.kind_name, MATCH_STYLES[match.kind])
    pair = [
        _sentence(_("left"), match.left, match.left_pieces),
        _same_sentence(_("right"), match.right)
        if match.is_same_text
        else _sentence(_("right"), match.right, match.right_pieces),
    ]
    if match.reasons:
        pair.append(paragraph("Reason", run(match.reasons)))
    if value := decision_runs(match.decision, match.decision_name, match.note):
        pair.append(paragraph("Reason", *value))
    number = ""
    if match.passage is not None:
        number = link(run(f"{match.passage:,}", "Strong"), f"l{match.passage}")
    figures = (number, kind, run(match.p), run(match.w))
    contents = [*(paragraph("Cell", figure) for figure in figures), "".join(pair)]
    size = sum(len(piece.text) for piece in (*match.left_pieces, *match.right_pieces))
    cells = (cell(content, width, top=True) for content, width in zip(contents, _WIDTHS, strict=True))
    return row(cells, is_whole=size <= _LONGEST_WHOLE_ROW)


def _sentence(side: str, number: int, pieces: Sequence[SharedPiece]) -> str:
    words = (run(piece.text, _shared(piece)) for piece in pieces)
    return paragraph("Pair", run(f"{side} {number}", "Muted"), run("\t"), *words)


def _same_sentence(side: str, number: int) -> str:
    same = run(_("the same sentence"), "Muted")
    return paragraph("Pair", run(f"{side} {number}", "Muted"), run("\t"), same)


def _shared(piece: SharedPiece) -> str:
    return "Paired" if piece.is_synonym else "Changed" if piece.is_changed else ""


AXIS_TWIPS = 640
_MOST_PT, _MOST_CELL_PT, _LEAST_PT = 250, 16, 24
_LEAST_PIXELS = 800
_LABEL_TWIPS = 200
_SCALE_STEPS = 40
_TINY = '<w:sz w:val="15"/><w:szCs w:val="15"/>'
_HALVES = (HALF_TWIPS, HALF_TWIPS)
_HEAT_TWIPS = 5_300
_PICTURE_PT = 80
_FACTS = (1_900, CONTENT_TWIPS - 1_900)
_FILES = (1_900, *[(CONTENT_TWIPS - 1_900) // 2] * 2)
_FACT_STYLES = {"name": "Strong", "digest": "Digits"}


def sections(
    evidence: Evidence, page: PageView, picture: str, pictures: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """Yield all sections of the report; `picture` is the paragraph with the matrix.

    pictures: paragraphs with those that both texts have.
    """
    bookmarks = Bookmarks()
    yield from _head(page)
    yield table(_HALVES, _cards(page), _("Texts"))
    yield _heading(_("Comparison matrix"))
    yield from _matrix(evidence, page, picture)
    if page.passage_count:
        yield _heading(_("Passages"), page.passages_counted)
        yield from passages_side_by_side(page, bookmarks)
    if page.matches_count == "0":
        yield paragraph("Normal", run(_("No two sentences are similar under these thresholds.")))
    elif page.matches:
        yield _heading(_("Single sentences"))
        yield from match_table(page)
    yield _heading(_("Figures in detail"))
    yield table(_HALVES, _details(page), _("Figures in detail"))
    hint = _("Ringed cells are the bits in which the two fingerprints differ.")
    yield paragraph("Share", run(page.hamming, "Strong"), run(f"   {hint}", "Muted"))
    if page.file_facts or page.common_facts:
        yield _heading(_("The two files"))
        yield from _files(page, pictures)
    yield _heading(_("How to read this"))
    yield _facts(((name, run(meaning)) for name, meaning in page.help), _("How to read this"))
    yield _heading(_("How this was made"))
    yield from _how_made(evidence, page)
    for side in page.sides:
        yield _heading(side.name, side.size)
        yield from full_text(side, page.passages, bookmarks)


def _head(page: PageView) -> Iterator[str]:
    yield paragraph("Title", run(_("Comparison of two texts")))
    yield from (paragraph("Doubt", run(side.doubt)) for side in page.sides if side.doubt)
    if page.decision or page.note:
        label = run(named(_("Decision on the pair"), ""), "Muted")
        undecided = "" if page.decision else run(_("undecided") + " ")
        yield paragraph(
            "Normal", label, undecided, *decision_runs(page.decision, page.decision_name, page.note)
        )
    yield paragraph("Result", run(page.result))
    yield paragraph("Normal", run(page.meaning, "Muted"))


def _heading(text: str, detail: str = "") -> str:
    small = '<w:b w:val="0"/><w:sz w:val="20"/><w:szCs w:val="20"/>'
    return paragraph("Heading1", run(text), run(f"  {detail}" if detail else "", "Muted", small))


def _cards(page: PageView) -> Iterator[str]:
    """Yield table rows with the data of both texts, the same item side by side."""
    for pair in zip(*map(_card, page.sides), strict=True):
        yield row(cell(value, HALF_TWIPS) for value in pair)


def _card(side: SideView) -> Iterator[str]:
    yield (
        paragraph("CardName", run(side.name))
        + paragraph("Normal", run(side.title))
        + paragraph("Small", run(side.size))
    )
    remark = run(f"  {side.remark}" if side.remark else "", "Muted")
    yield paragraph("Share", run(_("Share") + "  ", "Muted"), run(side.share, "ShareFigure"), remark)


def _details(page: PageView) -> Iterator[str]:
    """Yield table rows with the figures behind the shares and the fingerprints, the texts side by side."""
    for pair in zip(*map(_detail, page.sides), strict=True):
        yield row(cell(value, HALF_TWIPS) for value in pair)


def _detail(side: SideView) -> Iterator[str]:
    yield paragraph("Normal", run(side.name, "Strong"))
    yield "".join(
        paragraph("Normal", run(named(name, ""), "Muted"), run(figure)) for name, figure in side.details
    )
    bits = (
        run(str(int(is_set)), f"Bit{'On' if is_set else 'Off'}{'Differs' if differs else ''}")
        for is_set, differs in side.bits
    )
    yield paragraph("Share", *bits) + paragraph("Small", run(side.fingerprint, "Digits"))


def _matrix(evidence: Evidence, page: PageView, picture: str) -> Iterator[str]:
    rows = heat_rows(evidence.comparison, picture, _HEAT_TWIPS)
    yield table((AXIS_TWIPS, _HEAT_TWIPS), rows, page.heat.in_words)
    yield paragraph("Small", run(page.heat.in_words))
    yield paragraph("Small", run(_("Down: sentences of the left text. Across: sentences of the right text.")))
    low, high = run(_("nothing in common") + " "), run(" " + _("all in common"))
    yield paragraph("Small", low, heat_scale(), high)
    named_kinds = (
        part
        for kind, name, count in page.passage_kinds
        for part in (run(name, MATCH_STYLES[kind]), run(f" {count}   ", "Muted"))
    )
    if page.passage_kinds:
        yield paragraph("Share", run(named(_("Passages"), ""), "Strong"), *named_kinds)
    for decision, appearance in page.decisions:
        yield paragraph("Small", run(DECISIONS[decision][0], DECISION_STYLES[decision]), run(appearance))


def _how_made(evidence: Evidence, page: PageView) -> Iterator[str]:
    yield paragraph("Small", run(made_in_words(evidence.made_at)))
    yield _facts(((name, run(fact)) for name, fact in page.facts), _("How this was made"))
    for side in page.sides:
        yield paragraph("Small")
        facts = ((name, run(fact, _FACT_STYLES.get(look, ""))) for name, fact, look in side.facts)
        yield _facts(facts, _("How this was made"))


def _files(page: PageView, pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield paragraph("Small", run(files_hint()), properties="<w:keepNext/>")
    if page.file_facts:
        names = [run(side.name, "Strong") for side in page.sides]
        lines = [["", *names], *([run(name, "Muted"), run(a), run(b)] for name, a, b in page.file_facts)]
        rows = (
            row(
                (
                    cell(paragraph("Cell", text), width, top=True)
                    for text, width in zip(line, _FILES, strict=True)
                ),
                is_head=number == 0,
            )
            for number, line in enumerate(lines)
        )
        yield table(_FILES, rows, _("The two files"))
        yield paragraph("Small")
    if page.common_facts:
        yield _facts(((name, run(fact)) for name, fact in page.common_facts), _("The two files"))
    if pictures:
        yield paragraph("Small")
        words = (paragraph("Cell", run(each.in_words, "Muted")) for each in page.pictures)
        shown = ((each, *both) for each, both in zip(words, pictures, strict=True))
        yield table(_FILES, (row(map(cell, line, _FILES)) for line in shown), _("Common pictures"))


def _facts(facts: Iterable[tuple[str, str]], description: str) -> str:
    """Return a table of labels and values whose rows stay on one page."""
    known = list(facts)
    rows = (_fact(*fact, is_last=count == len(known)) for count, fact in enumerate(known, start=1))
    return table(_FACTS, rows, description)


def _fact(name: str, value: str, *, is_last: bool) -> str:
    kept = "" if is_last else "<w:keepNext/>"
    texts = run(name, "Muted"), value
    return row(
        cell(paragraph("Cell", text, properties=kept), width, top=True)
        for text, width in zip(texts, _FACTS, strict=True)
    )


_RULE = 'w:val="single" w:sz="4" w:space="1" w:color="D5D5CE"'
# without the second border, neighbouring lines have only the last one
_LINE = f"<w:pBdr><w:bottom {_RULE}/><w:between {_RULE}/></w:pBdr>"
_SHEET_STYLES = {"title": "Title", "heading": "Heading1", "text": "Normal", "muted": "Small"}


def page_break() -> str:
    """Return a page break in a line too low to be seen."""
    return paragraph("Normal", '<w:r><w:br w:type="page"/></w:r>', properties=_exact_spacing(0, 20))


def sheet_markup(parts: Iterable[SheetPart]) -> Iterator[str]:
    for part in parts:
        if part.kind == "facts":
            yield from _sheet_facts(part)
        elif part.passage is not None:
            if part.text:
                yield paragraph("SmallHead", run(part.text), properties="<w:keepNext/>")
            heads = (cell(paragraph("SmallHead", run(name)), HALF_TWIPS, top=True) for name in part.heads)
            sides = part.passage.left, part.passage.right
            texts = ("".join(excerpts(part.passage.kind, blocks)) for blocks in sides)
            rows = [row(heads, is_head=True), row(cell(text, HALF_TWIPS) for text in texts)]
            yield table(_HALVES, rows, part.text or _("Passages"))
            yield paragraph("Small")
        elif part.kind == "lines":
            asked = run(part.text)
            yield paragraph(_SHEET_STYLES["text"], asked, properties="<w:keepNext/>") if part.text else ""
            yield paragraph("Normal", properties="<w:keepNext/>" + _LINE) * (part.count - 1)
            yield paragraph("Normal", properties=_LINE)
        elif part.kind == "new_page":
            yield page_break()
        else:
            yield paragraph(_SHEET_STYLES[part.kind], run(part.text))


def _sheet_facts(part: SheetPart) -> Iterator[str]:
    has_sides = len(part.facts[0]) > len(_FACTS)
    widths = _FILES if has_sides else _FACTS
    lines = [("", *part.heads)] * has_sides + list(part.facts)
    yield table(
        widths,
        (
            row(
                cell(paragraph("Cell", run(text, "Muted" if place == 0 else "")), width, top=True)
                for place, (text, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in lines
        ),
        part.facts[0][0],
    )
    yield paragraph("Small")


def heat_png(comparison: Comparison, page: PageView) -> bytes:
    """Return the matrix as PNG, small ones enlarged so that no program blurs their cells."""
    if max(comparison.matrix.shape) > MOST_CELLS_A_SIDE:
        return page.heat.light
    levels = heat_levels(comparison)
    times = -(-_LEAST_PIXELS // max(levels.shape))
    return png(np.repeat(np.repeat(levels, times, axis=0), times, axis=1), LIGHT)


def heat_size_pt(comparison: Comparison) -> tuple[float, float]:
    """Return width and height of the picture in points, with square cells unless that makes it too small."""
    rows, columns = comparison.matrix.shape
    size = min(_MOST_PT / columns, _MOST_PT / rows, _MOST_CELL_PT)
    return max(columns * size, _LEAST_PT), max(rows * size, _LEAST_PT)


def heat_rows(comparison: Comparison, picture: str, width: int) -> Iterator[str]:
    """Yield the table rows: the axis of the right text, then the axis of the left text beside the picture."""
    (rows, columns), size = comparison.matrix.shape, heat_size_pt(comparison)
    wide, high = (round(extent * TWIPS_PER_POINT) for extent in size)
    positions = _label_positions(columns, wide, 38)
    stops = "".join(f'<w:tab w:val="center" w:pos="{place}"/>' for _count, place in positions)
    across = "".join(run(f"\t{count:,}", "Muted", _TINY) for count, _place in positions)
    head = paragraph("Small", across, properties=f"<w:tabs>{stops}</w:tabs>{_exact_spacing(0, _LABEL_TWIPS)}")
    yield row([cell(paragraph("Small"), AXIS_TWIPS), cell(head, width)])
    yield row([cell("".join(_left_axis(rows, high)), AXIS_TWIPS), cell(picture, width)])


def heat_scale() -> str:
    """Return runs in the colours of the scale from nothing to everything in common."""
    colours = (scale_colour(LIGHT.stops, step / (_SCALE_STEPS - 1)) for step in range(_SCALE_STEPS))
    return "".join(
        run(" ", properties=f'<w:shd w:val="clear" w:color="auto" w:fill="{colour[1:].upper()}"/>')
        for colour in colours
    )


def _label_positions(count: int, extent: int, label_space_pt: float) -> list[tuple[int, int]]:
    """Return the numbers of an axis and the centres of their sentences in twips."""
    numbers = ticks(count, round(extent / TWIPS_PER_POINT / label_space_pt))
    return [(number, round((number - 0.5) / count * extent)) for number in numbers]


def _left_axis(count: int, extent: int) -> Iterator[str]:
    """Yield a paragraph for each number, spaced so that it is level with its sentence."""
    positions = _label_positions(count, extent, 24)
    middles = [_LABEL_TWIPS // 2, *(place for _number, place in positions)]
    for (number, _place), (above, place) in zip(positions, pairwise(middles), strict=True):
        space = max(place - above - (0 if number == 1 else _LABEL_TWIPS), 0)
        yield paragraph(
            "Small",
            run(f"{number:,}", "Muted", _TINY),
            properties=_exact_spacing(space, _LABEL_TWIPS) + '<w:jc w:val="right"/>',
        )


def _exact_spacing(before: int, line: int) -> str:
    return f'<w:spacing w:before="{before}" w:after="0" w:line="{line}" w:lineRule="exact"/>'


_PAGE_TWIPS, _MARGIN_TWIPS = (11_906, 16_838), 1_020
# earliest time that zip files can hold; written so that equal reports are equal files
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_LONGEST_PROPERTY = 255
_BODY_NAME, _MAIN_PART = "simcompare", "word/document.xml"
_BODY_PLACEHOLDER = f"<!--{_BODY_NAME}-->".encode()
_PARSER = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)


def render_docx(evidence: Evidence, sheet: Sequence[SheetPart] = ()) -> bytes:
    """Render the report of a comparison as a Word document, in the current language.

    sheet: put before it, as in a case file. Equal evidence gives equal bytes except for `made_at`, which is
    shown and also stored as creation time. Control and invisible characters, and those that XML forbids, are
    replaced by their names.
    """
    page, document = page_view(evidence, sys.maxsize), docx.Document()
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    title = case_title() if sheet else _("Comparison of two texts")
    before = [*sheet_markup(sheet), page_break()] if sheet else []
    return _saved(document, evidence, named(title, names), names, [*before, *_body(document, evidence, page)])


def render_sheet(evidence: Evidence, title: str, sheet: Sequence[SheetPart]) -> bytes:
    """Render a sheet as a Word document of its own; equal evidence gives equal bytes, as in `render_docx`."""
    return _saved(docx.Document(), evidence, title, title, sheet_markup(sheet))


def _saved(document: Document, evidence: Evidence, title: str, foot: str, body: Iterable[str]) -> bytes:
    """Return the file of a document with its styles, footer and properties.

    The markup of the body is inserted into the saved file: moving a long body into the document tree would
    take minutes.
    """
    _set_styles_and_page(document)
    document.element.body[:-1] = [etree.Comment(_BODY_NAME)]
    _add_footer(document, foot)
    _set_properties(document, evidence, title)
    return _zip_with_body(document, "".join(body).encode())


def _elements(markup: str) -> list[etree._Element]:
    return list(etree.fromstring(f"<w:all {NAMESPACES}>{markup}</w:all>".encode(), _PARSER))


def _set_styles_and_page(document: Document) -> None:
    """Replace the styles of python-docx's template by ours, and its page by A4."""
    styles = document.styles.element
    styles[:] = _elements(styles_markup())
    (section,) = document.sections
    section.page_width, section.page_height = map(Twips, _PAGE_TWIPS)
    section.left_margin = section.right_margin = Twips(_MARGIN_TWIPS)
    section.top_margin = section.bottom_margin = Twips(_MARGIN_TWIPS)


def _body(document: Document, evidence: Evidence, page: PageView) -> Iterator[str]:
    """Return the markup of the body; the pictures in it become part of the document."""
    numbers, size = count(1), heat_size_pt(evidence.comparison)
    names = _("Comparison matrix"), page.heat.in_words
    matrix = _picture(document, heat_png(evidence.comparison, page), size, names, next(numbers))

    def small(data: bytes, words: str) -> str:
        if not data:
            return paragraph("Cell")
        return _picture(document, data, (None, _PICTURE_PT), (words, words), next(numbers))

    pictures = [(small(each.left, each.in_words), small(each.right, each.in_words)) for each in page.pictures]
    return sections(evidence, page, matrix, pictures)


def _picture(
    document: Document, data: bytes, size_pt: tuple[float | None, float], names: tuple[str, str], number: int
) -> str:
    """Return a paragraph with a picture; names: its name and its description."""
    width, height = (None if side is None else Pt(side) for side in size_pt)
    inline = document.part.new_pic_inline(BytesIO(data), width, height)
    for attribute, value in zip(("id", "name", "descr"), (str(number), *names), strict=True):
        inline.docPr.set(attribute, value)
    for side in "TBLR":
        # without the attribute, LibreOffice adds a margin
        inline.set(f"dist{side}", "0")
    drawing = etree.tostring(inline, encoding="unicode")
    return paragraph("Normal", f"<w:r><w:drawing>{drawing}</w:drawing></w:r>")


def _add_footer(document: Document, names: str) -> None:
    """Put the file names and "page n of N" into the footer."""
    parts = re.split(r"\{(number|count)\}", _("Page {number} of {count}"))
    fields = {"number": field("PAGE"), "count": field("NUMPAGES")}
    numbers = (fields.get(part) or run(part) for part in parts)
    footer = document.sections[0].footer
    footer.is_linked_to_previous = False
    footer._element[:] = _elements(paragraph("Footer", run(names), run("\t"), *numbers))


def _set_properties(document: Document, evidence: Evidence, title: str) -> None:
    about = document.core_properties
    made_at = evidence.made_at
    moment = made_at.astimezone(UTC).replace(tzinfo=None) if made_at.tzinfo else made_at
    about.title = readable(title)[:_LONGEST_PROPERTY]
    about.author = about.last_modified_by = f"simcompare {__version__}"
    about.created = about.modified = moment
    about.comments = about.keywords = about.subject = ""
    about.language = LANGUAGES[current_language()].locale.replace("_", "-")
    thumbnails = [
        key
        for key, relation in document.part.package.rels.items()
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL
    ]
    for key in thumbnails:
        del document.part.package.rels[key]


def _zip_with_body(document: Document, body: bytes) -> bytes:
    """Save the document with its body, and with no time of writing in the zip."""
    written, packed = BytesIO(), BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = old.read(name)
            new.writestr(entry, data.replace(_BODY_PLACEHOLDER, body, 1) if name == _MAIN_PART else data)
    return packed.getvalue()
