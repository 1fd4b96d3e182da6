"""A bundle: the reports of some pairs, a page that leads to them, and the table beside."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from simcompare.errors import ReportNotSavedError, cause_of
from simcompare.i18n import N_, _
from simcompare.progress import Cancelled, Tick
from simcompare.report.cohort.csv_table import pairs_as_csv
from simcompare.report.cohort.index_page import BundledReport, render_index
from simcompare.report.cohort.names import report_name
from simcompare.report.cohort.places import Members, write_whole
from simcompare.report.cohort.rows import BROKE_OFF, rows_of
from simcompare.report.cohort.values import Cohort, CohortPair, by_coverage, evidence_of
from simcompare.report.cohort.xlsx_table import pairs_as_xlsx
from simcompare.report.forms import FORMS
from simcompare.visible import visible

INDEX, REPORTS = "index.html", "reports"
TABLES: dict[str, Callable[[Cohort], bytes]] = {"pairs.xlsx": pairs_as_xlsx, "pairs.csv": pairs_as_csv}
_MOST_UNDER_WAY = 4
"""Reports begun and not yet in the bundle: enough for two processes, little in memory."""
_SOMETHING_THERE = N_("something of that name is there, and nothing in it is replaced")
_FOLDER_MISSING = N_("its folder is not there")

Outcome = str | Exception
"""The path of a report within its bundle, or why there is none."""
BeginReport = Callable[[Cohort, CohortPair, str], Callable[[], bytes]]
"""Begins the report of a pair in a form; what it returns waits for it."""
MakePages = Callable[[Cohort, Sequence[Outcome]], Mapping[str, bytes]]
"""Makes what stands beside the reports, by name; `pages_of` is one."""


class NotReportedError(Exception):
    """A pair has no report. Its one argument says why, and is put into words when it is shown."""

    def __str__(self) -> str:
        """Return the cause in the language of the moment."""
        return _(str(self.args[0]))


def report_of(cohort: Cohort, pair: CohortPair, suffix: str) -> bytes:
    """Compare the two of a pair in full and return their report, in the form of `suffix` (forms.FORMS)."""
    return FORMS[suffix].render(evidence_of(cohort, pair))


def pages_of(cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
    """Return the page that leads to the reports of a cohort's pairs, and the tables beside it, by name."""
    page = render_index(cohort, bundled_reports(cohort, outcomes), TABLES)
    return {INDEX: page, **{name: table(cohort) for name, table in TABLES.items()}}


def bundled_reports(cohort: Cohort, outcomes: Sequence[Outcome]) -> list[BundledReport]:
    """Return what became of the report of each pair, in words."""
    return [
        BundledReport(row, path=outcome)
        if isinstance(outcome, str)
        else BundledReport(row, problem=visible(str(outcome)) or type(outcome).__name__)
        for row, outcome in zip(rows_of(cohort), outcomes, strict=True)
    ]


def _begin_here(cohort: Cohort, pair: CohortPair, suffix: str) -> Callable[[], bytes]:
    return partial(report_of, cohort, pair, suffix)


def write_bundle(
    cohort: Cohort,
    suffix: str,
    place: Path,
    tick: Tick,
    begin: BeginReport = _begin_here,
    make_pages: MakePages = pages_of,
) -> tuple[Outcome, ...]:
    """Write the reports of all pairs of a cohort (`narrowed` gives that of some) in the form of `suffix`.

    They are numbered in their order. A page, index.html, leads to them; it and the tables beside it speak of
    this cohort alone. A pair that cannot be reported is named there with the reason. `place` becomes a zip
    where it ends in .zip, in place of an earlier one, else a folder.

    Reports are made here unless `begin` has them made elsewhere: a few of them are under way then. `tick` is
    told of pairs. Returns what became of each. Raises ReportNotSavedError, also where the folder is there and
    holds something; Cancelled, and what `tick` raises. Then nothing is left of it, and what was there is as
    it was.
    """
    bundling = _Bundling(cohort, suffix, tick, begin)
    try:
        write_whole(place, cohort.made_at, partial(bundling.fill, make_pages))
    except FileExistsError as error:
        raise ReportNotSavedError(place, cause=_SOMETHING_THERE) from error
    except OSError as error:
        cause = cause_of(error) if place.parent.is_dir() else _FOLDER_MISSING
        raise ReportNotSavedError(place, cause=cause) from error
    return tuple(bundling.outcomes)


def narrowed(cohort: Cohort, pairs: Sequence[CohortPair]) -> Cohort:
    """Return a cohort of these pairs, those with most in common first, and of their documents alone."""
    some = restricted(cohort, pairs)
    return replace(some, pairs=by_coverage(some.documents, some.pairs))


def restricted(cohort: Cohort, pairs: Sequence[CohortPair]) -> Cohort:
    """Return a cohort of these pairs, in their order, and of their documents alone.

    Documents that were not read stay where all pairs do: a bundle of some speaks of nobody else.
    """
    kept = sorted({place for pair in pairs for place in (pair.left, pair.right)})
    number = {place: count for count, place in enumerate(kept)}
    names = cohort.names
    return replace(
        cohort,
        documents=tuple(cohort.documents[place] for place in kept),
        known_as=tuple(names[place] for place in kept),
        pairs=tuple(replace(pair, left=number[pair.left], right=number[pair.right]) for pair in pairs),
        unread=cohort.unread if len(pairs) == len(cohort.pairs) else (),
        groups=(),
        grounds=tuple(cohort.grounds[place] for place in kept) if cohort.grounds else (),
    )


class _Bundling:
    """A bundle on its way; `outcomes` says what became of the pairs so far."""

    def __init__(self, cohort: Cohort, suffix: str, tick: Tick, begin: BeginReport) -> None:
        self._cohort = cohort
        self._names = cohort.names
        self._suffix = suffix
        self._tick = tick
        self._begin_report = begin
        self.outcomes: list[Outcome] = []

    def fill(self, make_pages: MakePages, members: Members) -> None:
        """Add all reports, and what leads to them; nothing of a report is kept in memory."""
        under_way: deque[tuple[str, Callable[[], bytes]]] = deque()
        for number, pair in enumerate(self._cohort.pairs, start=1):
            under_way.append((self._path(number, pair), self._begin(pair)))
            if len(under_way) == _MOST_UNDER_WAY:
                self._put(members, *under_way.popleft())
        while under_way:
            self._put(members, *under_way.popleft())
        for name, data in make_pages(self._cohort, self.outcomes).items():
            members.add(name, data)

    def _path(self, number: int, pair: CohortPair) -> str:
        left, right = self._names[pair.left], self._names[pair.right]
        return f"{REPORTS}/{report_name(number, len(self._cohort.pairs), left, right, self._suffix)}"

    def _begin(self, pair: CohortPair) -> Callable[[], bytes]:
        if pair.summary is None:
            return partial(_refuse, pair)
        return self._begin_report(self._cohort, pair, self._suffix)

    def _put(self, members: Members, path: str, wait: Callable[[], bytes]) -> None:
        try:
            report = wait()
        except Cancelled:
            raise
        except Exception as error:  # whatever one pair does, the others have their reports
            self.outcomes.append(error.with_traceback(None))  # that would keep what the report was made of
        else:
            members.add(path, report)
            self.outcomes.append(path)
        self._tick(len(self.outcomes), len(self._cohort.pairs))


def _refuse(pair: CohortPair) -> bytes:
    raise NotReportedError(pair.cause or BROKE_OFF)
