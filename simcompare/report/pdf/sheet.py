"""What every section of a report is set with: headings, paragraphs, facts."""

from collections.abc import Iterable, Sequence

from simcompare.i18n import current_language
from simcompare.report.paper import MUTED, RULE
from simcompare.report.pdf.binding import Bookmark
from simcompare.report.pdf.flow import CONTENT_WIDTH_PT, Cell, Flow, Strip
from simcompare.report.pdf.runs import Measure, Run, Style, run
from simcompare.report.pdf.typesetting import TextLine, Typesetter

BODY, BODY_LEADING_PT = Style(9.5), 14.5
SMALL, SMALL_LEADING_PT = Style(8.5, MUTED), 12.5
_HEADING, _HEADING_LEADING_PT = Style(14, is_bold=True), 20
_ABOVE_HEADING_PT, _UNDER_HEADING_PT = 22, 64
_LABEL_WIDTH_PT = 92


class Sheet:
    """A flow of pages and a typesetter, with the bookmarks set so far."""

    def __init__(self, flow: Flow, setter: Typesetter) -> None:
        self.flow = flow
        self.bookmarks: list[Bookmark] = []
        self._setter = setter

    def lines(
        self,
        runs: Sequence[Run],
        width_pt: float,
        leading_pt: float,
        *,
        language: str = "",
        indent_pt: float = 0,
        is_centred: bool = False,
    ) -> list[TextLine]:
        """Set runs in lines; without a language in that of the report."""
        measure = Measure(width_pt, leading_pt, language or current_language(), indent_pt, is_centred)
        return self._setter.lines(runs, measure)

    def heading(self, text: str, detail: str = "", *, under_pt: float = _UNDER_HEADING_PT) -> None:
        """Begin a section, with so much of it on the same page, and a bookmark."""
        self.flow.under(())
        self.flow.keep(_ABOVE_HEADING_PT + _HEADING_LEADING_PT + under_pt)
        runs = [run(text, _HEADING), run(f"  {detail}" if detail else "", Style(10, MUTED))]
        self.bookmarks.append(Bookmark(text, self.flow.page_number, self.flow.y))
        self.flow.put(
            Strip([Cell(0, self.lines(runs, CONTENT_WIDTH_PT, _HEADING_LEADING_PT))], _ABOVE_HEADING_PT)
        )
        self.flow.skip(6)

    def paragraph(self, *runs: Run, leading_pt: float = BODY_LEADING_PT, above_pt: float = 0) -> None:
        """Put a paragraph across the page."""
        self.flow.put(Strip([Cell(0, self.lines(runs, CONTENT_WIDTH_PT, leading_pt))], above_pt))

    def facts(self, facts: Iterable[tuple[str, Run]]) -> None:
        """Put names and what is said of them, with a line above each."""
        for name, said in facts:
            label = self.lines([run(name, SMALL)], _LABEL_WIDTH_PT - 8, BODY_LEADING_PT)
            value = self.lines([said], CONTENT_WIDTH_PT - _LABEL_WIDTH_PT, BODY_LEADING_PT)
            self.flow.put(Strip([Cell(0, label), Cell(_LABEL_WIDTH_PT, value)], 5, RULE))
