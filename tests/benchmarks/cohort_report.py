"""Time and memory of the reports of a class: tables of all pairs, and reports of the most similar pairs.

    python tests/benchmarks/cohort_report.py --documents 40 --sentences 25 --reports 20 html pdf docx json

Writes a session of essays (those of class_pairs.py: real sentences, every sixth essay begins like an earlier
one), opens it, prepares its texts, compares all pairs, and writes both tables and a bundle in each of the
given formats. `own` is processor time of this process, which other load on the machine does not lengthen;
memory is the increase of the peak.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from class_pairs import write_essays

from simcompare.cohort.cohort_scoring import Cohort, make_cohort
from simcompare.cohort.session_preparation import prepare_session_documents
from simcompare.export.export_tasks import begin_report
from simcompare.loading import load_document
from simcompare.model.progress import no_tick
from simcompare.report.cohort.cohort_rows import pairs_as_csv
from simcompare.report.cohort.report_bundle import narrowed, write_bundle
from simcompare.report.cohort.workbook import pairs_as_xlsx
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session

KB = 1024 if hasattr(resource, "RUSAGE_THREAD") else 1  # macOS counts bytes


@contextmanager
def measured(what: str) -> Iterator[None]:
    wall, own = time.perf_counter(), time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    wall, own = time.perf_counter() - wall, time.process_time() - own
    grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * KB / 1e6
    print(f"{what:28s}{wall:8.1f} s{own:8.1f} s own{grown_mb:8.0f} MB")


def compared_class(folder: Path, documents: int, sentences: int) -> Cohort:
    files = [
        SessionDocument(p, document=load_document(p)) for p in write_essays(folder, documents, sentences)
    ]
    place = folder / "class.simcompare"
    write_session(Session(tuple(files)), place)
    with measured("open the session"):
        session = read_session(place)
    with measured("make texts ready"):
        found = prepare_session_documents(session, session.settings, range(documents), no_tick, Event())
    with measured("compare every two"):
        return make_cohort(found, session.settings, datetime.now(UTC), no_tick, Event())


def write_tables(cohort: Cohort, folder: Path) -> None:
    for name, table in {"pairs.csv": pairs_as_csv, "pairs.xlsx": pairs_as_xlsx}.items():
        with measured(name):
            (folder / name).write_bytes(table(cohort))
        print(f"{'':28s}{(folder / name).stat().st_size / 1e6:8.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("forms", nargs="*", metavar="form")
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=25)
    parser.add_argument("--reports", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cohort = compared_class(folder, arguments.documents, arguments.sentences)
        print(f"{len(cohort.pairs):,} pairs")
        write_tables(cohort, folder)
        for form in arguments.forms:
            with measured(f"{arguments.reports} reports, {form}"):
                pairs = cohort.pairs[: arguments.reports]
                write_bundle(
                    narrowed(cohort, pairs), f".{form}", folder / f"{form}.zip", no_tick, begin_report
                )
            print(f"{'':28s}{(folder / f'{form}.zip').stat().st_size / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
