"""Sections of the Word report in order: header, matrix, passages, single sentences, explanations, texts."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import (
    facing_passages,
    legend_of_kinds,
    matches_outside,
    passage_runs,
    passages_counted,
)
from simcompare.report.heat_picture import (
    LIGHT,
    MOST_CELLS_A_SIDE,
    heat_levels,
    png_data_uri,
    scale_colour,
    ticks,
)
from simcompare.report.how_to_read import how_to_read
from simcompare.report.html_sections import PageView, SideView
from simcompare.report.text_pieces import DECISIONS
from simcompare.report.word.word_markup import (
    CONTENT_TWIPS,
    HALF_TWIPS,
    TWIPS_PER_POINT,
    Bookmarks,
    cell,
    paragraph,
    row,
    run,
    table,
)
from simcompare.report.word.word_match_table import decision_runs, match_table
from simcompare.report.word.word_passages import full_text, passages_side_by_side
from simcompare.report.word.word_styles import DECISION_STYLES, MATCH_STYLES
from simcompare.report.wording import hamming, named
from simcompare.support.i18n import _

AXIS_TWIPS = 640
_MOST_PT, _MOST_CELL_PT, _LEAST_PT = 250, 16, 24
_LEAST_PIXELS = 800
_LABEL_TWIPS = 200
_SCALE_STEPS = 40
_TINY = '<w:sz w:val="15"/><w:szCs w:val="15"/>'
_HALVES = (HALF_TWIPS, HALF_TWIPS)
_HEAT_TWIPS = 5_300
_FACTS = (1_900, CONTENT_TWIPS - 1_900)


def sections(evidence: Evidence, page: PageView, picture: str) -> Iterator[str]:
    """Yield all sections of the report; `picture` is the paragraph with the matrix."""
    bookmarks, passages = Bookmarks(), list(facing_passages(evidence, page))
    yield from _head(page)
    yield table(_HALVES, _cards(page), _("Texts"))
    yield _heading(_("Comparison matrix"))
    yield from _matrix(evidence, page, picture, legend_of_kinds(evidence.comparison, passages))
    if passages:
        yield _heading(_("Passages"), passages_counted(passages))
        yield from passages_side_by_side(page, passages, bookmarks)
    if not page.matches:
        yield paragraph("Normal", run(_("No two sentences are similar under these thresholds.")))
    elif rows := matches_outside(page, passages):
        yield _heading(_("Single sentences"))
        yield from match_table(page, rows)
    yield _heading(_("Figures in detail"))
    yield table(_HALVES, _details(page), _("Figures in detail"))
    hint = _("Ringed cells are the bits in which the two fingerprints differ.")
    distance = named(_("Hamming distance"), hamming(evidence.comparison))
    yield paragraph("Share", run(distance, "Strong"), run(f"   {hint}", "Muted"))
    yield _heading(_("How to read this"))
    yield _facts(((name, run(meaning)) for name, meaning in how_to_read(page)), _("How to read this"))
    yield _heading(_("How this was made"))
    yield from _how_made(evidence, page)
    for side, runs in zip(page.sides, passage_runs(evidence, page), strict=True):
        yield _heading(side.name, side.size)
        yield from full_text(side, runs, passages, bookmarks)


def _head(page: PageView) -> Iterator[str]:
    yield paragraph("Title", run(_("Comparison of two texts")))
    for side in page.sides:
        if side.doubts:
            doubt = _("A doubt about {file}: {doubts}").format(file=side.file, doubts=side.doubts)
            yield paragraph("Doubt", run(doubt))
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


def _matrix(
    evidence: Evidence, page: PageView, picture: str, kinds: Sequence[tuple[str, str, str]]
) -> Iterator[str]:
    rows = heat_rows(evidence.comparison, picture, _HEAT_TWIPS)
    yield table((AXIS_TWIPS, _HEAT_TWIPS), rows, page.heat.in_words)
    yield paragraph("Small", run(page.heat.in_words))
    yield paragraph("Small", run(_("Down: sentences of the left text. Across: sentences of the right text.")))
    low, high = run(_("nothing in common") + " "), run(" " + _("all in common"))
    yield paragraph("Small", low, heat_scale(), high)
    named_kinds = (
        part
        for kind, name, count in kinds
        for part in (run(name, MATCH_STYLES[kind]), run(f" {count}   ", "Muted"))
    )
    if kinds:
        yield paragraph("Share", run(named(_("Passages"), ""), "Strong"), *named_kinds)
    for decision, appearance in page.decisions:
        yield paragraph("Small", run(DECISIONS[decision][0], DECISION_STYLES[decision]), run(appearance))


def _how_made(evidence: Evidence, page: PageView) -> Iterator[str]:
    made = _("Made by simcompare {version} on {date}.")
    date = evidence.made_at.strftime("%Y-%m-%d %H:%M")
    yield paragraph("Small", run(made.format(version=__version__, date=date)))
    yield _facts(((name, run(fact)) for name, fact in page.facts), _("How this was made"))
    for side in page.sides:
        yield paragraph("Small")
        yield _facts(_receipt(side), _("How this was made"))


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


def _receipt(side: SideView) -> Iterator[tuple[str, str]]:
    """Yield the facts of a file, each with its label."""
    yield side.place, run(side.file, "Strong")
    if side.sha256:
        yield _("Size"), run(side.file_size)
        yield _("SHA-256"), run(side.sha256, "Digits")
    yield _("Read"), run(side.receipt)
    yield _("Left out"), run("\n".join(side.dropped))
    yield _("Excluded"), run(side.excluded)
    if side.doubts:
        yield _("To be checked"), run(side.doubts)
    if side.notes:
        yield _("Worth knowing"), run(side.notes)
    for name, fact in side.origin:
        yield name, run(fact)


def heat_png(comparison: Comparison, page: PageView) -> bytes:
    """Return the matrix as PNG, small ones enlarged so that no program blurs their cells."""
    if max(comparison.matrix.shape) > MOST_CELLS_A_SIDE:
        return _decoded(page.heat.light)
    levels = heat_levels(comparison)
    times = -(-_LEAST_PIXELS // max(levels.shape))
    large = np.repeat(np.repeat(levels, times, axis=0), times, axis=1)
    return _decoded(png_data_uri(large, LIGHT))


def _decoded(data_uri: str) -> bytes:
    return base64.b64decode(data_uri.partition(",")[2])


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
