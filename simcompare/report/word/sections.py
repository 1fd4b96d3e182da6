"""The sections of a report, one after the other."""

from collections.abc import Iterable, Iterator, Sequence

from simcompare import __version__
from simcompare.i18n import _
from simcompare.report.evidence import Evidence
from simcompare.report.facing import FacingPassage, facing_passages, whole_in_words
from simcompare.report.how_to_read import how_to_read
from simcompare.report.page import PageView, SideView
from simcompare.report.paper import DECISIONS
from simcompare.report.phrases import named
from simcompare.report.word.full_text import text_paragraphs
from simcompare.report.word.heat import AXIS_TWIPS, heat_rows, heat_scale
from simcompare.report.word.markup import Bookmarks, cell, paragraph, row, run, table
from simcompare.report.word.match_table import judged, match_table
from simcompare.report.word.styles import DECISION_STYLES, MATCH_STYLES
from simcompare.report.wording import hamming

CONTENT_TWIPS = 9_866
_HALF = CONTENT_TWIPS // 2
_HALVES = (_HALF, _HALF)
_HEAT_TWIPS = 5_300
_FACTS = (1_900, CONTENT_TWIPS - 1_900)


def sections(evidence: Evidence, page: PageView, picture: str) -> Iterator[str]:
    """Yield the whole report; `picture` is the paragraph that holds the matrix."""
    bookmarks = Bookmarks()
    yield from _head(page)
    yield table(_HALVES, _cards(page), _("Texts"))
    hint = _("Ringed cells are the bits in which the two fingerprints differ.")
    distance = named(_("Hamming distance"), hamming(evidence.comparison))
    yield paragraph("Share", run(distance, "Strong"), run(f"   {hint}", "Muted"))
    yield _heading(_("Comparison matrix"))
    yield from _matrix(evidence, page, picture)
    if len(evidence.comparison.passages):
        yield _heading(_("Passages"), f"{len(evidence.comparison.passages):,}")
        yield from _passages(evidence, page)
    yield _heading(_("Matches"), " · ".join(part for part in (page.matches_count, page.decided) if part))
    yield from match_table(page, bookmarks)
    yield _heading(_("How to read this"))
    yield _facts(((name, run(meaning)) for name, meaning in how_to_read(page)), _("How to read this"))
    yield _heading(_("How this was made"))
    yield from _made(evidence, page)
    for side in page.sides:
        yield _heading(side.name, side.size)
        yield from text_paragraphs(side, side.blocks, bookmarks)


def _heading(text: str, detail: str = "") -> str:
    small = '<w:b w:val="0"/><w:sz w:val="20"/><w:szCs w:val="20"/>'
    return paragraph("Heading1", run(text), run(f"  {detail}" if detail else "", "Muted", small))


def _head(page: PageView) -> Iterator[str]:
    yield paragraph("Title", run(_("Comparison of two texts")))
    for side in page.sides:
        if side.doubts:
            doubt = _("A doubt about {file}: {doubts}").format(file=side.name, doubts=side.doubts)
            yield paragraph("Doubt", run(doubt))
    if page.decision or page.note:
        label = run(named(_("Judgement of the pair"), ""), "Muted")
        undecided = "" if page.decision else run(_("undecided") + " ")
        yield paragraph("Normal", label, undecided, *judged(page.decision, page.decision_name, page.note))


def _cards(page: PageView) -> Iterator[str]:
    """Yield rows of what is said of either text, so that like stands beside like."""
    for pair in zip(*map(_card, page.sides), strict=True):
        yield row(cell(said, _HALF) for said in pair)


def _card(side: SideView) -> Iterator[str]:
    yield (
        paragraph("CardName", run(side.name))
        + paragraph("Normal", run(side.title))
        + paragraph("Small", run(side.size))
    )
    yield paragraph("Share", run(side.share, "ShareFigure"), run(f"  {side.net}", "Muted")) + paragraph(
        "Small", run(side.share_in_words)
    )
    bits = (
        run(str(int(is_one)), f"Bit{'On' if is_one else 'Off'}{'Differs' if differs else ''}")
        for is_one, differs in side.bits
    )
    yield paragraph("Share", *bits) + paragraph("Small", run(side.fingerprint, "Digits"))


def _matrix(evidence: Evidence, page: PageView, picture: str) -> Iterator[str]:
    rows = heat_rows(evidence.comparison, picture, _HEAT_TWIPS)
    yield table((AXIS_TWIPS, _HEAT_TWIPS), rows, page.heat.in_words)
    yield paragraph("Small", run(page.heat.in_words))
    yield paragraph("Small", run(_("Down: sentences of the left text. Across: sentences of the right text.")))
    low, high = run(_("nothing in common") + " "), run(" " + _("all in common"))
    yield paragraph("Small", low, heat_scale(), high)
    kinds = (
        part
        for kind, name, count in page.kinds
        for part in (run(name, MATCH_STYLES[kind]), run(f" {count}   ", "Muted"))
    )
    yield paragraph("Share", run(named(_("Kinds of matches"), ""), "Strong"), *kinds)
    for decision, look in page.decisions:
        yield paragraph("Small", run(DECISIONS[decision][0], DECISION_STYLES[decision]), run(look))


def _passages(evidence: Evidence, page: PageView) -> Iterator[str]:
    passages = list(facing_passages(evidence, page))
    for passage in passages:
        if passage.is_whole:
            yield paragraph("Normal", run(whole_in_words(passage)))
    facing = [passage for passage in passages if not passage.is_whole]
    if facing:
        yield table(_HALVES, _facing(page, facing), _("Passages"))


def _facing(page: PageView, passages: Sequence[FacingPassage]) -> Iterator[str]:
    yield row((cell(paragraph("SmallHead", run(side.name)), _HALF) for side in page.sides), is_head=True)
    for passage in passages:
        title = paragraph("SmallHead", run(_("Passage {number}").format(number=passage.number)))
        yield row([cell(title, CONTENT_TWIPS, span=2, top=True)])
        texts = zip(page.sides, (passage.left, passage.right), strict=True)
        yield row(
            (
                cell("".join(text_paragraphs(side, blocks)) or paragraph("Passage"), _HALF)
                for side, blocks in texts
            ),
            is_whole=False,
        )


def _made(evidence: Evidence, page: PageView) -> Iterator[str]:
    made = _("Made by simcompare {version} on {date}.")
    date = evidence.made_at.strftime("%Y-%m-%d %H:%M")
    yield paragraph("Small", run(made.format(version=__version__, date=date)))
    yield _facts(((name, run(fact)) for name, fact in page.facts), _("How this was made"))
    for side in page.sides:
        yield paragraph("Small")
        yield _facts(_receipt(side), _("How this was made"))


def _facts(facts: Iterable[tuple[str, str]], description: str) -> str:
    """Return a table of names and what is said of them, which no page ends within."""
    known = list(facts)
    rows = (_fact(*fact, is_last=count == len(known)) for count, fact in enumerate(known, start=1))
    return table(_FACTS, rows, description)


def _fact(name: str, said: str, *, is_last: bool) -> str:
    kept = "" if is_last else "<w:keepNext/>"
    texts = run(name, "Muted"), said
    return row(
        cell(paragraph("Cell", text, properties=kept), width, top=True)
        for text, width in zip(texts, _FACTS, strict=True)
    )


def _receipt(side: SideView) -> Iterator[tuple[str, str]]:
    """Yield what is known of a file, each with its label."""
    yield side.place, run(side.name, "Strong")
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
