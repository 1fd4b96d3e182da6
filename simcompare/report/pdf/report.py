"""Make PDF reports: Typst typesets a template and the page footers, and binding.py combines them."""

import base64
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from types import MappingProxyType
from typing import Any

import pikepdf
import typst
from pikepdf import Array, Name, Object, Pdf

from simcompare import __version__
from simcompare.model.document import BlockKind
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import (
    ChosenRows,
    FacingPassage,
    PassageRun,
    SharedWords,
    chosen_rows,
    facing_passages,
    legend_of_kinds,
    matches_outside,
    passage_runs,
    passages_counted,
    remarks_on_passages,
)
from simcompare.report.heat_picture import LIGHT, ticks
from simcompare.report.how_to_read import how_to_read
from simcompare.report.html_sections import MatchView, PageView, SideView, page_view
from simcompare.report.pdf.fonts import ReportFonts, fonts_with_boxes, report_fonts
from simcompare.report.text_pieces import (
    BIT_DIFFERS,
    BIT_OFF,
    BIT_ON,
    DECISIONS,
    DOUBT,
    INK,
    KINDS,
    MUTED,
    PASSAGE_LOOKS,
    RULE,
    BlockPieces,
    SharedPiece,
    TextPiece,
    ends_excluded,
)
from simcompare.report.wording import enumerated, first_of, hamming, named, rows_left_out_in_words
from simcompare.session.decisions import Decision
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.support.resources import resource_path

LINK_SCHEME = "simcompare:"
_ABOVE_PLACE_PT = 12


def bound(body: bytes, feet: bytes, place_names: Mapping[str, str], program: str, made_at: datetime) -> bytes:
    """Return the report `body` with its links, page footers and metadata.

    feet: a PDF with the same number of pages, each with only a footer.
    place_names: text alternatives of links, with {number}, by the first letter of the place they lead to.
    """
    with Pdf.open(BytesIO(body)) as file, Pdf.open(BytesIO(feet)) as foot_file:
        _link(file, place_names)
        for page, foot in zip(file.pages, foot_file.pages, strict=True):
            _add_foot(file, page, foot)
        # false is the default, and Poppler (25.03) treats the entry as an error
        del file.Root.MarkInfo["/Suspects"]
        _describe(file, program, made_at)
        written = BytesIO()
        file.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return written.getvalue()


def page_count(body: bytes) -> int:
    """Return the number of pages of a PDF."""
    with Pdf.open(BytesIO(body)) as file:
        return len(file.pages)


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
            here, _slash, there = str(link.A.URI).removeprefix(LINK_SCHEME).partition("/")
            top = float(link.Rect[3]) + _ABOVE_PLACE_PT
            places.setdefault(here, Array([page.obj, Name.XYZ, None, round(top, 1), None]))
            links.append((link, there))
    for link, there in links:
        del link["/A"]
        link.Dest = places[there]
        link.Contents = place_names[there[0]].format(number=there[1:])


def _add_foot(file: Pdf, page: pikepdf.Page, foot: pikepdf.Page) -> None:
    """Draw a footer before the content of a page, as an artifact, which screen readers skip."""
    page.add_resource(file.copy_foreign(foot.as_form_xobject()), Name.XObject, Name.Foot)
    artifact = b"/Artifact <</Type /Pagination /Subtype /Footer>> BDC q /Foot Do Q EMC\n"
    page.contents_add(artifact, prepend=True)


def _describe(file: Pdf, program: str, made_at: datetime) -> None:
    with file.open_metadata(set_pikepdf_as_editor=False) as about:
        about["xmp:CreatorTool"] = program
        about["xmp:CreateDate"] = about["xmp:ModifyDate"] = made_at.isoformat(timespec="seconds")


MOST_ROWS = 500
"""Rows of the table of matches; Typst needs 2.6 GB for a table of 6,000 rows."""

MOST_FACING_CHARACTERS = 200_000
"""Limit of all passages side by side, some 60 pages; others are in the texts, which are shown in full."""

_MOST_NUMBERED = 20
_MOST_HEAT_PT, _MOST_CELL_PT, _LEAST_HEAT_PT = 230, 16, 24
_ROW_LABEL_PT, _COLUMN_LABEL_PT = 24, 46
_LONGEST_UNBROKEN = 600
_BEGINNING = 30

Values = dict[str, Any]


def report_values(evidence: Evidence) -> Values:
    """Return the values of the whole report, in the current language."""
    chosen = chosen_rows(evidence, MOST_ROWS)
    page = page_view(evidence, chosen.rows)
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    passages = list(facing_passages(evidence, page))
    facing, long = _shown_facing(
        [passage for passage in passages if not (passage.is_whole or passage.is_single)]
    )
    links = _Links({passage.number for passage in facing})
    words = SharedWords(page.matches)
    rows = matches_outside(page, passages)
    values: Values = visible(
        {
            "language": current_language(),
            "title": named(_("Comparison of two texts"), names),
            "names": names,
            "paper": paper_looks(),
            "says": _labels(evidence),
            "has_boxes": False,
            "doubts": [
                _("A doubt about {file}: {doubts}").format(file=side.file, doubts=side.doubts)
                for side in page.sides
                if side.doubts
            ],
            "noted_decision": _noted_decision(page),
            "result": page.result,
            "meaning": page.meaning,
            "sides": [
                _side(side, runs, links)
                for side, runs in zip(page.sides, passage_runs(evidence, page), strict=True)
            ],
            "hamming": named(_("Hamming distance"), hamming(evidence.comparison)),
            "heat": _heat(evidence, page),
            "kinds": legend_of_kinds(evidence.comparison, passages),
            "decisions": page.decisions,
            "passages": {
                "none": not passages,
                "counted": passages_counted(passages),
                "not_facing": [*remarks_on_passages(passages), *_long_in_words(long)],
                "facing": [_passage(page, passage, links, words) for passage in facing],
            },
            "matches": {
                "none": not evidence.comparison.matches,
                "rows": [_row(match) for match in rows],
                "left_out": [part for part in (_left_out(chosen), page.matches_not_listed) if part and rows],
            },
            "help": list(how_to_read(page)),
            "facts": page.facts,
        }
    )
    return values


def _left_out(chosen: ChosenRows) -> str:
    if not chosen.outside_left_out:
        return ""
    return rows_left_out_in_words(chosen.outside, chosen.outside_left_out)


def beginning(values: Values) -> Values:
    """Return the values with each list shortened to more than enough for the first page."""
    passages, matches = values["passages"], values["matches"]
    facing = [
        passage | {"texts": [blocks[:_BEGINNING] for blocks in passage["texts"]]}
        for passage in passages["facing"][:_BEGINNING]
    ]
    return values | {
        "passages": passages | {"facing": facing},
        "matches": matches | {"rows": matches["rows"][:_BEGINNING]},
        "sides": [side | {"blocks": side["blocks"][:_BEGINNING]} for side in values["sides"]],
    }


class _Links:
    """Internal links between the passages side by side and the texts; see binding.py.

    A place is a letter and the number of a passage: p for both sides, l or r for its beginning in a text.
    """

    def __init__(self, facing: Collection[int]) -> None:
        self._facing = facing

    def of_passage(self, side: SideView, number: int) -> str:
        """Return the address behind a number in a text: the two sides, or the other text."""
        there = "p" if number in self._facing else side.partner_letter
        return f"{LINK_SCHEME}{side.letter}{number}/{there}{number}"

    def of_title(self, number: int) -> str:
        """Return the address behind the title of a passage: its beginning in the left text."""
        return f"{LINK_SCHEME}p{number}/l{number}"


def visible(value: Any) -> Any:
    """Replace control and invisible characters in all strings, and tabs, for which no font has a glyph."""
    if isinstance(value, str):
        return escape_invisible(value).replace("\t", "\N{EM SPACE}")
    if isinstance(value, Mapping):
        return {key: visible(item) for key, item in value.items()}
    return [visible(item) for item in value] if isinstance(value, list | tuple) else value


def paper_looks() -> Values:
    """Return the colours of the page, of kinds of matches and of decisions."""
    return {
        "ink": INK,
        "muted": MUTED,
        "rule": RULE,
        "doubt": DOUBT,
        "bits": {"on": BIT_ON, "off": BIT_OFF, "differs": BIT_DIFFERS},
        "scale": LIGHT.stops,
        "kinds": {
            kind: {"ink": look.ink, "tint": look.tint, "line": look.line, "pattern": look.pattern}
            for kind, look in (*KINDS.items(), *PASSAGE_LOOKS.items())
        },
        "decisions": {
            decision.value: {"sign": sign.strip(), "ink": ink} for decision, (sign, ink) in DECISIONS.items()
        },
    }


def _labels(evidence: Evidence) -> dict[str, str]:
    made = _("Made by simcompare {version} on {date}.")
    return {
        "heading": _("Comparison of two texts"),
        "decision": named(_("Decision on the pair"), ""),
        "undecided": _("undecided"),
        "hamming_hint": _("Ringed cells are the bits in which the two fingerprints differ."),
        "share": _("Share"),
        "details": _("Figures in detail"),
        "matrix": _("Comparison matrix"),
        "axes": _("Down: sentences of the left text. Across: sentences of the right text."),
        "low": _("nothing in common"),
        "high": _("all in common"),
        "passages": _("Passages"),
        "matches": _("Single sentences"),
        "common": _("in both sentences, in order"),
        "paired": _("paired as synonyms"),
        "same": _("the same sentence"),
        "none": _("No two sentences are similar under these thresholds."),
        "number": _("Passage"),
        "kind": _("Kind"),
        "sentences": _("The two sentences, and why they match"),
        "left": _("left"),
        "right": _("right"),
        "how_to_read": _("How to read this"),
        "how_made": _("How this was made"),
        "made": made.format(version=__version__, date=evidence.made_at.strftime("%Y-%m-%d %H:%M")),
        "boxes": _(
            "Boxes stand for characters that no font of this computer has. They can be copied as text."
        ),
    }


def _side(side: SideView, runs: Sequence[Sequence[PassageRun]], links: _Links) -> Values:
    return {
        "language": side.language,
        "name": side.name,
        "title": side.title,
        "size": side.size,
        "share": side.share,
        "remark": side.remark,
        "details": side.details,
        "bits": [[int(is_one), int(differs)] for is_one, differs in side.bits],
        "fingerprint": side.fingerprint,
        "fingerprint_in_words": side.fingerprint_in_words,
        "receipt": list(_receipt(side)),
        "blocks": [
            _block(side, block.kind, parts, links) for block, parts in zip(side.blocks, runs, strict=True)
        ],
    }


def _receipt(side: SideView) -> Iterator[tuple[str, str, str]]:
    """Yield label, value and style of each known fact about a file."""
    yield side.place, side.file, "name"
    if side.sha256:
        yield _("Size"), side.file_size, ""
        yield _("SHA-256"), side.sha256, "digits"
    yield _("Read"), side.receipt, ""
    yield _("Left out"), "\n".join(side.dropped), ""
    yield _("Excluded"), side.excluded, ""
    if side.doubts:
        yield _("To be checked"), side.doubts, "doubt"
    if side.notes:
        yield _("Worth knowing"), side.notes, ""
    for label, value in side.origin:
        yield label, value, ""


def _heat(evidence: Evidence, page: PageView) -> Values:
    """Return the picture of the matrix; its cells are square if that leaves it visible."""
    rows, columns = evidence.comparison.matrix.shape
    cell = min(_MOST_HEAT_PT / columns, _MOST_HEAT_PT / rows, _MOST_CELL_PT)
    width, height = max(columns * cell, _LEAST_HEAT_PT), max(rows * cell, _LEAST_HEAT_PT)
    return {
        "png": list(base64.b64decode(page.heat.light.partition(",")[2])),
        "in_words": page.heat.in_words,
        "width": width,
        "height": height,
        "rows": _axis(rows, height, _ROW_LABEL_PT),
        "columns": _axis(columns, width, _COLUMN_LABEL_PT),
    }


def _axis(count: int, extent_pt: float, label_pt: float) -> list[tuple[str, float]]:
    """Return the numbers of an axis with the centres of their cells in points."""
    return [(f"{n:,}", (n - 0.5) / count * extent_pt) for n in ticks(count, round(extent_pt / label_pt))]


def _shown_facing(passages: Sequence[FacingPassage]) -> tuple[list[FacingPassage], list[FacingPassage]]:
    """Return the passages to show side by side, and those too long for that."""
    short: list[FacingPassage] = []
    long: list[FacingPassage] = []
    remaining_characters = MOST_FACING_CHARACTERS
    for passage in passages:
        length = _length(passage)
        (short if length <= remaining_characters else long).append(passage)
        remaining_characters -= length if length <= remaining_characters else 0
    return short, long


def _length(passage: FacingPassage) -> int:
    return sum(len(piece.text) for block in (*passage.left, *passage.right) for piece in block.pieces)


def _long_in_words(passages: Sequence[FacingPassage]) -> Iterator[str]:
    """Yield a remark with the numbers of all passages, and the title of each with a decision or a note."""
    if passages:
        numbers = enumerated(first_of([f"{passage.number:,}" for passage in passages], _MOST_NUMBERED))
        words = _("Too long to be shown side by side, but marked in the texts of this report: {numbers}.")
        yield words.format(numbers=numbers)
    yield from (passage.title for passage in passages if passage.is_noted)


def _passage(page: PageView, passage: FacingPassage, links: _Links, words: SharedWords) -> Values:
    sides = zip(page.sides, (passage.left, passage.right), strict=True)
    return {
        "title": passage.title,
        "address": links.of_title(passage.number),
        "texts": [[_excerpt(side, block, passage.kind, words) for block in blocks] for side, blocks in sides],
    }


def _excerpt(side: SideView, block: BlockPieces, kind: str, words: SharedWords) -> Values:
    pieces = [_piece(block.pieces, at, kind) for at in range(len(block.pieces))]
    for piece, value in zip(block.pieces, pieces, strict=True):
        if piece.sentence is not None and isinstance(value, dict):
            value["words"] = _shared(words.of(side, piece))
    return {"kind": block.kind.value, "pieces": pieces}


def _block(side: SideView, kind: BlockKind, runs: Sequence[PassageRun], links: _Links) -> Values:
    """Return a block of a text with the numbers of the passages that begin in it."""
    pieces: list[str | Values] = []
    for run in runs:
        pieces += [
            {
                "number": f"{passage.number}",
                "address": links.of_passage(side, passage.number),
                "kind": passage.kind,
                "decision": passage.decision or "",
            }
            for passage in run.starting
        ]
        is_fine = run.passage is not None and run.passage.decision is Decision.FINE
        kind_of_run = run.passage.kind if run.passage is not None and not is_fine else ""
        pieces += [_piece(run.pieces, at, kind_of_run) for at in range(len(run.pieces))]
    return {"kind": kind.value, "pieces": pieces}


def _piece(pieces: Sequence[TextPiece], at: int, kind: str) -> str | Values:
    """Return plain text as a string; text in a passage of a kind, or excluded text, as values."""
    piece = pieces[at]
    # also if it is matched: what is a quotation in one text only counts in the other
    if piece.excluded:
        return {"text": piece.text, "excluded": piece.excluded if ends_excluded(pieces, at) else ""}
    if piece.sentence is not None:
        return {
            "text": piece.text,
            "kind": kind or piece.sentence.kind,
            "decision": piece.sentence.decision or "",
            "is_fine": piece.sentence.decision is Decision.FINE,
            "words": [],
        }
    return {"text": piece.text, "around": kind} if kind else piece.text


def _noted_decision(view: PageView | MatchView) -> Values | None:
    if not (view.decision or view.note):
        return None
    return {"decision": view.decision, "name": view.decision_name, "note": view.note}


def _row(match: MatchView) -> Values:
    pieces = match.left_pieces, match.right_pieces
    length = sum(len(piece.text) for piece in (*pieces[0], *pieces[1])) + len(match.reasons)
    return {
        "number": "" if match.passage is None else f"{match.passage}",
        "kind": match.kind,
        "kind_name": match.kind_name,
        "p": match.p,
        "w": match.w,
        "left": match.left,
        "right": match.right,
        "texts": [_shared(some) for some in pieces],
        "is_same_text": match.is_same_text,
        "reasons": match.reasons,
        "noted_decision": _noted_decision(match),
        "is_breakable": length > _LONGEST_UNBROKEN,
    }


def _shared(pieces: Sequence[SharedPiece]) -> list[str | list[Any]]:
    return [
        [piece.text, piece.is_common, piece.is_synonym] if piece.is_common or piece.is_synonym else piece.text
        for piece in pieces
    ]


_FIXED_TIME = 0
"""Passed to Typst in place of the clock, so that the same report gives the same bytes."""

_KEPT_DOCUMENTS = 10


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a comparison, in the current language.

    It is tagged as PDF/UA-1 requires. Equal evidence gives equal bytes on the same computer; with another
    `made_at` only the date in it differs. May be called from any thread.
    """
    return typeset_report("comparison", report_values(evidence), evidence.made_at, _places())


def render_first_page(evidence: Evidence) -> bytes:
    """Return a PDF of only the first page; its footer omits the number of pages.

    Takes a fraction of a second even if the report has hundreds of pages.
    """
    values = beginning(report_values(evidence))
    body = first_page(_typeset("comparison", values))
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

    place_names: as in `bound`.
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
    count = page_count(body)
    feet = {
        "language": current_language(),
        "ink": MUTED,
        "names": names,
        "pages": [words.format(number=f"{n:,}", count=f"{count:,}") for n in range(1, count + 1)],
    }
    typeset_feet = _typeset("feet", feet)
    _forget_documents()
    return bound(body, typeset_feet, place_names, f"simcompare {__version__}", made_at)


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


def _forget_documents() -> None:
    """Free what Typst caches for ten more documents: 5 GB after ten long reports."""
    for _number in range(_KEPT_DOCUMENTS + 1):
        typst.compile(b"", font_paths=report_fonts().book)
