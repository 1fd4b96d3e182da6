"""A bundle: the reports of some pairs, a page that leads to them, and the table beside."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from simcompare.errors import ReportNotSavedError, cause_of
from simcompare.i18n import N_
from simcompare.progress import Cancelled, Tick
from simcompare.report.cohort.csv_table import pairs_as_csv
from simcompare.report.cohort.index_page import BundledReport, render_index
from simcompare.report.cohort.names import report_name
from simcompare.report.cohort.places import Members, write_whole
from simcompare.report.cohort.rows import PairRow, rows_of
from simcompare.report.cohort.values import Cohort, CohortPair, by_coverage, evidence_of
from simcompare.report.cohort.xlsx_table import pairs_as_xlsx
from simcompare.report.forms import FORMS
from simcompare.visible import visible

INDEX, REPORTS = "index.html", "reports"
TABLES: dict[str, Callable[[Cohort], bytes]] = {"pairs.xlsx": pairs_as_xlsx, "pairs.csv": pairs_as_csv}
_SOMETHING_THERE = N_("something of that name is there, and nothing in it is replaced")
_FOLDER_MISSING = N_("its folder is not there")


def write_bundle(
    cohort: Cohort, pairs: Sequence[CohortPair], suffix: str, place: Path, tick: Tick, stop: Event
) -> tuple[BundledReport, ...]:
    """Write the reports of some pairs of a cohort, one at a time, in the form of `suffix` (forms.FORMS).

    They are numbered by how much the two have in common. A page, index.html, leads to them; it and the tables
    beside it speak of these pairs and their documents alone. A pair that cannot be reported is named there
    with the reason. `place` becomes a zip where it ends in .zip, in place of an earlier one, else a folder.

    `tick` is told of pairs. Returns what became of each. Raises ReportNotSavedError, also where the folder
    is there and holds something; Cancelled soon after `stop` is set, and what `tick` raises. Then nothing is
    left of it, and what was there is as it was.
    """
    bundling = _Bundling(narrowed(cohort, pairs), suffix, tick, stop)
    try:
        write_whole(place, cohort.made_at, bundling.fill)
    except FileExistsError as error:
        raise ReportNotSavedError(place, cause=_SOMETHING_THERE) from error
    except OSError as error:
        cause = cause_of(error) if place.parent.is_dir() else _FOLDER_MISSING
        raise ReportNotSavedError(place, cause=cause) from error
    return tuple(bundling.reports)


def narrowed(cohort: Cohort, pairs: Sequence[CohortPair]) -> Cohort:
    """Return a cohort of these pairs, those with most in common first, and of their documents alone.

    Documents that were not read stay where all pairs do: a bundle of some speaks of nobody else.
    """
    kept = sorted({place for pair in pairs for place in (pair.left, pair.right)})
    number = {place: count for count, place in enumerate(kept)}
    documents = tuple(cohort.documents[place] for place in kept)
    renumbered = [replace(pair, left=number[pair.left], right=number[pair.right]) for pair in pairs]
    return replace(
        cohort,
        documents=documents,
        pairs=by_coverage(documents, renumbered),
        unread=cohort.unread if len(pairs) == len(cohort.pairs) else (),
    )


class _Bundling:
    """A bundle on its way; `reports` says what became of the pairs so far."""

    def __init__(self, cohort: Cohort, suffix: str, tick: Tick, stop: Event) -> None:
        self._cohort = cohort
        self._suffix = suffix
        self._tick = tick
        self._stop = stop
        self.reports: list[BundledReport] = []

    def fill(self, members: Members) -> None:
        """Add all reports, and what leads to them; nothing of a report is kept in memory."""
        rows = rows_of(self._cohort)
        for pair, row in zip(self._cohort.pairs, rows, strict=True):
            self.reports.append(self._add_report(pair, row, members))
            self._tick(len(self.reports), len(rows))
        members.add(INDEX, render_index(self._cohort, self.reports, TABLES))
        for name, table in TABLES.items():
            members.add(name, table(self._cohort))

    def _add_report(self, pair: CohortPair, row: PairRow, members: Members) -> BundledReport:
        self._look_for_stop()
        if row.problem:
            return BundledReport(row, problem=row.problem)
        try:
            report = FORMS[self._suffix].render(evidence_of(self._cohort, pair, self._look_for_stop))
        except Cancelled:
            raise
        except Exception as error:  # whatever one pair does, the others have their reports
            return BundledReport(row, problem=visible(str(error)) or type(error).__name__)
        path = f"{REPORTS}/{self._name(pair)}"
        members.add(path, report)
        return BundledReport(row, path)

    def _name(self, pair: CohortPair) -> str:
        left, right = (self._cohort.documents[place].document.path for place in (pair.left, pair.right))
        return report_name(len(self.reports) + 1, len(self._cohort.pairs), left, right, self._suffix)

    def _look_for_stop(self, _done: int = 0, _total: int = 0) -> None:
        if self._stop.is_set():
            raise Cancelled
