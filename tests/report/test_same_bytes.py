"""Reproducibility: equal evidence gives equal bytes in every format and process."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simcompare.report.report_forms import NAMED_FORMS
from tests.helpers.patience import PATIENCE_S
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of
from tests.report.render_every_form import hashes as every_form

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "resources" / "samples"


def hashes(seed, made_at, *files):
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "tests.report.render_every_form", made_at, *map(str, files)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=2 * PATIENCE_S)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_that_every_format_is_byte_identical_between_processes():
    names = ("家乡的石桥.docx", "石桥记.pdf", "Waiting for the last bus.pdf", "The last bus.docx")
    files = [SAMPLES / name for name in names]
    made_at = "2026-01-02T03:04:05+00:00"
    here = [every_form(left, right, made_at) for left, right in zip(files[::2], files[1::2], strict=True)]
    runs = here, hashes("1", made_at, *files)
    assert len(runs[0]) == len(names) // 2
    for first, second in zip(*runs, strict=True):
        assert {name for name in first if first[name] != second[name]} == set()
        assert set(first) == set(NAMED_FORMS) | {"annotated left", "annotated right"}


@pytest.mark.parametrize("name", ["text", "json", "html", "matches-csv", "matrix-csv"])
def test_that_two_reports_differ_only_in_their_date(tmp_path, name):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    first, later = (
        NAMED_FORMS[name].render(evidence_of(comparison, datetime(year, 3, 4, 5, 6, 7, tzinfo=UTC)))
        for year in (2024, 2026)
    )
    written = {"html": b"4 March 2024, 05:06", "json": b"2024-03-04T05:06:07+00:00"}.get(name)
    if written:
        assert first.count(written) == 1
        first = first.replace(written, written.replace(b"2024", b"2026"))
    assert later == first
