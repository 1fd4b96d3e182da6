"""Bundle of reports of a cohort's pairs: safe file names, zip or folder, index page and tables."""

import errno
import os
import re
import secrets
import shutil
import unicodedata
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from simcompare.cohort.cohort_scoring import Cohort, CohortPair, sorted_by_rank
from simcompare.comparison.figures import FIGURES, SIDES
from simcompare.model.errors import ReportNotSavedError, cause_of_writing
from simcompare.model.progress import Cancelled, Tick
from simcompare.report.cohort.cohort_rows import (
    COMPARISON_FAILED,
    Number,
    document_rows,
    facts_of,
    figure_name,
    figures_in_words,
    figures_of,
    meanings_of,
    note_of,
    pairs_as_csv,
    uncounted_in_words,
)
from simcompare.report.cohort.workbook import pairs_as_xlsx
from simcompare.report.html_report import labels, render_page
from simcompare.report.wording import (
    before_if_other,
    headline,
    note_in_words,
    pair_decision_in_words,
)
from simcompare.session.decisions import outcome_of
from simcompare.support.atomic_file import unfinished, write_atomically
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext

_NET = "after_exclusions_"
_SHOWN_AS_BARS = ("after_decisions_", f"{_NET}left", f"{_NET}right")


Outcome = str | Exception
"""Path of the report of a pair within its bundle, or why there is none."""


@dataclass(frozen=True, slots=True)
class ShareView:
    """Share of a text after exclusions and decisions, in words and as a bar of 0 to 100.

    remark: the share before them; "" unless nothing counts or something is of no concern. is_known: there
    are figures.
    """

    label: str
    share: str
    remark: str
    bar: float
    is_known: bool


@dataclass(frozen=True, slots=True)
class PairView:
    """Row of the page. Without an address there is no report, and `problem` gives the reason."""

    number: int
    address: str
    names: tuple[str, str]
    shares: Sequence[ShareView]
    figures: Sequence[tuple[str, str]]
    decision: str
    decision_name: str
    note: str
    problem: str


def error_in_words(error: Exception) -> str:
    """Return the message of an error, or its type if it has none."""
    return escape_invisible(str(error)) or type(error).__name__


def render_index(cohort: Cohort, outcomes: Sequence[Outcome], tables: Iterable[str]) -> bytes:
    """Render the page in the current language: pairs in their order, and links to the tables.

    It loads no other file and links only to files of the bundle.
    """
    left_out = set() if any(pair.group for pair in cohort.pairs) else {"group"}
    left_out |= set() if any(pair.facts.kinship for pair in cohort.pairs) else {"shared_ids"}
    left_out |= set() if cohort.by_meaning else {"rewritten_units"}
    shown = [key for key in FIGURES if key not in left_out and not key.startswith(_SHOWN_AS_BARS)]
    names = cohort.student_labels or cohort.names
    views = [
        pair_view(number, cohort, pair, names, outcome, figures_in_words(cohort, pair, shown))
        for number, (pair, outcome) in enumerate(zip(cohort.pairs, outcomes, strict=True), start=1)
    ]
    page = render_page(
        "cohort",
        cohort.made_at,
        pairs=views,
        failed=sum(not view.address for view in views),
        documents=document_rows(cohort),
        tables=[(name, quote(name)) for name in tables],
        facts=list(facts_of(cohort)),
        meanings=list(meanings_of(cohort)),
        labels=labels("bundle"),
        heading=ngettext("Report of {count} pair", "Reports of {count} pairs", len(views)),
    )
    return page.encode("utf-8", "backslashreplace")


def pair_view(
    number: int,
    cohort: Cohort,
    pair: CohortPair,
    names: Sequence[str],
    outcome: Outcome,
    figures: Sequence[tuple[str, str]],
) -> PairView:
    """Return the row of a pair; figures: names and values to show beside the shares."""
    path, problem = (outcome, "") if isinstance(outcome, str) else ("", error_in_words(outcome))
    return PairView(
        number,
        quote(path),
        (names[pair.left], names[pair.right]),
        [_share(figures_of(cohort, pair), side, is_decided=pair.decided is not None) for side in SIDES],
        figures,
        outcome_of(pair.review.overall.decision) or "",
        pair_decision_in_words(pair.review, pair.parts),
        note_in_words(note_of(pair)),
        problem,
    )


def _share(figures: Mapping[str, Number], side: str, *, is_decided: bool) -> ShareView:
    share, before, raw = (figures[f"{part}{side}"] for part in ("after_decisions_", _NET, ""))
    remark = before_if_other(share, before) if is_decided else uncounted_in_words(figures)
    if raw is not None and share is None:
        remark = _("nothing counts; before exclusions {share}").format(share=headline(raw))
    label = figure_name(f"{_NET}{side}")
    return ShareView(label, headline(share), remark, 100 * (share or 0.0), raw is not None)


_LONGEST_CHARACTERS, _LONGEST_BYTES = 40, 105
"""Limits for one document's part: two, a number and a suffix stay below the 255 bytes of a file name."""
_LONGEST_NAME_BYTES = 240
"""Limit for a whole name: file systems allow 255 with the suffix."""
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
# Windows reserves them as device names, whatever their suffix
# not of "J. Smith" or "J.Smith"
_SUFFIX = re.compile(r"\.(?:[a-z0-9]{1,8}|[A-Z0-9]{1,8})$")
_DEVICE_NAME = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$")
_OPEN_BRACKET = re.compile(r"(?<=\S) *[(（][^()（）]*$")
ZIP_SUFFIX = ".zip"
_MEMBER_MODE = 0o644
_FIRST_ZIP_YEAR, _LAST_ZIP_YEAR = 1980, 2107
INDEX, REPORTS = "index.html", N_("reports")
TABLES: dict[str, Callable[[Cohort], bytes]] = {
    N_("pairs.xlsx"): pairs_as_xlsx,
    N_("pairs.csv"): pairs_as_csv,
}
"""Tables beside the index by name, to be translated as that of the folder of reports is."""
_MOST_STARTED = 4
"""Reports started and not yet in the bundle: enough for two processes, little in memory."""
NAME_EXISTS = N_("a file or folder of that name exists and is not replaced")
BeginReport = Callable[[Cohort, CohortPair, str], Callable[[], bytes]]
"""Starts the report of a pair in a format (suffix); the function returned waits for it."""
MakePages = Callable[[Cohort, Sequence[Outcome]], Mapping[str, bytes]]
"""Makes the files beside the reports, by name; `pages_of` is one."""


AddFile = Callable[[str, bytes], None]
"""Adds a file to a bundle by its path with slashes; raises OSError."""


class NotReportedError(Exception):
    """A pair has no report. The one argument is the cause as a msgid, translated for display."""

    def __str__(self) -> str:
        return _(str(self.args[0]))


def pages_of(cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
    """Return the index page of a bundle and the tables beside it, by name."""
    tables = {_(name): table(cohort) for name, table in TABLES.items()}
    return {INDEX: render_index(cohort, outcomes, tables), **tables}


def write_bundle(
    cohort: Cohort,
    suffix: str,
    place: Path,
    tick: Tick,
    begin: BeginReport,
    make_pages: MakePages = pages_of,
) -> tuple[Outcome, ...]:
    """Write the reports of all pairs of a cohort in the form of `suffix`, with an index and tables.

    The reports are numbered in the order of the pairs. index.html links to them; it and the tables contain
    this cohort only (`narrowed` selects pairs). A pair without a report is listed with the reason. `place`
    becomes a zip file if it ends in .zip (replacing an earlier one), otherwise a folder.

    `begin` starts the report of a pair; up to `_MOST_STARTED` are started ahead. `tick` counts pairs.
    Returns the outcome of each pair. Raises ReportNotSavedError, also for a folder that exists and is not
    empty; Cancelled, and whatever `tick` raises. After an exception nothing is left of the bundle, and
    what existed before is unchanged.
    """
    outcomes: list[Outcome] = []
    names = cohort.student_labels or cohort.names

    def finish(add: AddFile, path: str, wait: Callable[[], bytes]) -> None:
        try:
            report = wait()
        except Cancelled:
            raise
        except Exception as error:  # a failure of one pair must not stop the others
            outcomes.append(error.with_traceback(None))  # a traceback would keep the evidence in memory
        else:
            add(path, report)
            outcomes.append(path)
        tick(len(outcomes), len(cohort.pairs))

    def fill(add: AddFile) -> None:
        started: deque[tuple[str, Callable[[], bytes]]] = deque()
        for number, pair in enumerate(cohort.pairs, start=1):
            name = report_name(number, len(cohort.pairs), names[pair.left], names[pair.right], suffix)
            waits = begin(cohort, pair, suffix) if pair.summary else partial(_raise_not_reported, pair)
            started.append((f"{_(REPORTS)}/{name}", waits))
            if len(started) == _MOST_STARTED:
                finish(add, *started.popleft())
        while started:
            finish(add, *started.popleft())
        for name, data in make_pages(cohort, outcomes).items():
            add(name, data)

    try:
        write_all_or_nothing(place, cohort.made_at, fill)
    except FileExistsError as error:
        raise ReportNotSavedError(place, cause=NAME_EXISTS) from error
    except OSError as error:
        raise ReportNotSavedError(place, cause=cause_of_writing(place, error)) from error
    return tuple(outcomes)


def _raise_not_reported(pair: CohortPair) -> bytes:
    raise NotReportedError(pair.cause or COMPARISON_FAILED)


def narrowed(cohort: Cohort, pairs: Sequence[CohortPair]) -> Cohort:
    """Return a cohort of these pairs, those with most in common first, and of their documents only."""
    some = restricted(cohort, pairs)
    return replace(some, pairs=sorted_by_rank(some.documents, some.pairs))


def restricted(cohort: Cohort, pairs: Sequence[CohortPair]) -> Cohort:
    """Return a cohort of these pairs, in their order, and of their documents only.

    Unread documents are kept only if all pairs are: a bundle of some pairs mentions no other document.
    """
    kept = sorted({place for pair in pairs for place in (pair.left, pair.right)})
    number = {place: count for count, place in enumerate(kept)}
    names, shown = cohort.names, cohort.student_labels
    return replace(
        cohort,
        documents=tuple(cohort.documents[place] for place in kept),
        cohort_labels=tuple(names[place] for place in kept),
        student_labels=tuple(shown[place] for place in kept) if shown else (),
        pairs=tuple(replace(pair, left=number[pair.left], right=number[pair.right]) for pair in pairs),
        unread=cohort.unread if len(pairs) == len(cohort.pairs) else (),
        groups=(),
        exclusion_candidates=tuple(cohort.exclusion_candidates[place] for place in kept)
        if cohort.exclusion_candidates
        else (),
    )


def report_name(number: int, count: int, left: str, right: str, suffix: str) -> str:
    """Return the file name of a report: "07 Anna – Ben.html", the number padded to the width of `count`.

    left, right: labels of students or files. The number makes the name unique; characters
    that Windows forbids are replaced.
    """
    return f"{number:0{len(str(count))}} {pair_name(left, right)}{suffix}"


def pair_name(left: str, right: str) -> str:
    """Return "Anna – Ben" for "Anna.docx" and "Ben.pdf", and "a essay – Ben" for "a/essay.docx"."""
    return " – ".join(map(essay_name, (left, right)))


def essay_name(name: str) -> str:
    """Return a file name without suffix for the name of a document: "a essay" for "a/essay.docx"."""
    return safe_name(_SUFFIX.sub("", name).replace("/", " "))


def safe_name(text: str) -> str:
    """Turn a text into a name that any file system accepts, shortened if it is long.

    Characters that Windows forbids become "_"; a device name gets "_" before it.
    """
    name = unicodedata.normalize("NFC", _CONTROLS.sub("_", _FORBIDDEN.sub("_", escape_invisible(text))))
    name = _shortened(" ".join(name.split())).strip(". ") or "_"
    return f"_{name}" if _DEVICE_NAME.match(name) else name


def file_name_problem(text: str) -> str:
    """Return why a file cannot have this name (without suffix) on every system; "" if it can.

    The reason is a msgid, to be translated for display.
    """
    if not text.strip(" ."):
        return N_("Enter a name.")
    if _FORBIDDEN.search(text):
        return N_('Choose a name without the characters < > : " / \\ | ? *')
    if _CONTROLS.search(text) or escape_invisible(text) != text:
        return N_("The name contains an invisible character. Type it again.")
    if _DEVICE_NAME.match(text):
        return N_("Windows reserves this name. Choose another one.")
    if len(text.encode("utf-8")) > _LONGEST_NAME_BYTES:
        return N_("The name is too long for a file. Shorten it.")
    return ""


def _shortened(name: str) -> str:
    short = name[:_LONGEST_CHARACTERS].encode("utf-8")[:_LONGEST_BYTES].decode("utf-8", "ignore")
    return short if short == name else _OPEN_BRACKET.sub("", short)


def write_all_or_nothing(place: Path, made_at: datetime, fill: Callable[[AddFile], object]) -> None:
    """Write the files that `fill` adds to a zip file if `place` ends in .zip, otherwise to a folder.

    All or nothing: if `fill` raises, nothing is left behind. A zip replaces an earlier one. Raises
    OSError, also for a folder that exists and is not empty, which is left unchanged.
    """
    if place.suffix.lower() == ZIP_SUFFIX:
        write_atomically(place, lambda file: _fill_zip(file, made_at, fill))
    else:
        _write_folder(place, fill)


def check_folder(place: Path) -> None:
    """Raise FileExistsError if the path exists and is not an empty folder."""
    if place.is_symlink() or (place.exists() and not (place.is_dir() and not any(place.iterdir()))):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place))


def _fill_zip(file: BinaryIO, made_at: datetime, fill: Callable[[AddFile], object]) -> None:
    """Fill a zip file, whose members have no metadata except `made_at`."""
    year = min(max(made_at.year, _FIRST_ZIP_YEAR), _LAST_ZIP_YEAR)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, data: bytes) -> None:
            member = zipfile.ZipInfo(name, (year, *made_at.timetuple()[1:6]))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = _MEMBER_MODE << 16
            archive.writestr(member, data)

        fill(add)


def _add_to_folder(folder: Path, name: str, data: bytes) -> None:
    place = folder / name
    place.parent.mkdir(exist_ok=True)
    with place.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _write_folder(place: Path, fill: Callable[[AddFile], object]) -> None:
    check_folder(place)
    temporary = place.with_name(f".simcompare-{secrets.token_hex(8)}")
    with unfinished(temporary):
        try:
            temporary.mkdir()  # inside: Ctrl+C as soon as it exists must remove it too
            fill(partial(_add_to_folder, temporary))
            if place.exists():
                place.rmdir()  # it is empty; some systems do not let rename replace a folder
            temporary.rename(place)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
