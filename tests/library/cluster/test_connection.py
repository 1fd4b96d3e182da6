"""Connecting to a cluster: what is wrong with it is told in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simcompare.cli.main import app
from simcompare.library.cluster import connection
from simcompare.library.cluster.connection import (
    Cluster,
    ClusterLostError,
    EncryptionError,
    NoWorkersError,
    PackageMissingError,
    SchedulerAddressError,
    SchedulerUnavailableError,
    VersionsDifferError,
    check_versions,
    connected,
)
from tests.helpers.local_cluster import running_cluster

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
CLOSED = "tcp://127.0.0.1:9"


def packages(**versions):
    return {
        "packages": {"python": "3.11.7.final.0", "distributed": "2026.8.0", "simcompare": "1.0", **versions}
    }


def versions_of(client, scheduler, worker):
    return {"client": client, "scheduler": scheduler, "workers": {"tcp://10.0.0.7:1": worker}}


def test_that_equal_versions_are_accepted_and_others_are_told():
    check_versions(versions_of(packages(), packages(), packages()), "tcp://head:8786")
    with pytest.raises(VersionsDifferError) as caught:
        check_versions(versions_of(packages(), packages(), packages(simcompare="0.9")), "tcp://head:8786")
    assert str(caught.value).startswith(
        "simcompare has version 1.0 here and version 0.9 at tcp://10.0.0.7:1."
    )
    with pytest.raises(PackageMissingError, match="simcompare is not installed at tcp://head:8786"):
        check_versions(versions_of(packages(), packages(simcompare=None), packages()), "tcp://head:8786")


def test_that_missing_packages_are_told_with_the_command(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "essay.txt").write_text("雾锁石桥。", encoding="utf-8")
    arguments = ["library", "add", "essay.txt", "--library", "one.sqlite", "--scheduler", CLOSED]
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "simcompare[dask]" in result.stderr
    assert not (tmp_path / "one.sqlite").exists()


def test_that_a_scheduler_that_does_not_answer_is_told(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(SchedulerUnavailableError, match=f"The scheduler at {CLOSED} does not answer"),
        connected(CLOSED),
    ):
        pass
    for address in ("nonsense", "http://head:8786"):
        with pytest.raises(SchedulerAddressError, match=f"{address} is not the address"), connected(address):
            pass
    with pytest.raises(EncryptionError, match=r"distributed\.comm\.tls"), connected("tls://127.0.0.1:9"):
        pass


def test_that_a_cluster_without_workers_is_told(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr(connection, "_FIRST_WORKER_SECONDS", 0.2)
    with running_cluster(workers=0) as address, pytest.raises(NoWorkersError) as caught, connected(address):
        pass
    assert f"Start some with “dask worker {address}”" in str(caught.value)


class LostClient:
    """A client whose scheduler has ended, as Dask has it."""

    def nthreads(self):
        raise OSError("Timed out trying to connect to tcp://head:8786 after 5 s")

    def cancel(self, futures, **_options):
        raise AssertionError("there is no scheduler")


def test_that_a_scheduler_that_ends_is_told():
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    results = Cluster(LostClient(), "tcp://head:8786").results(len, ["task"])
    with pytest.raises(ClusterLostError, match="The connection to the scheduler at tcp://head:8786 was lost"):
        next(results)


def test_that_a_search_without_a_scheduler_does_not_load_dask(tmp_path):
    arguments = ["library", "search", "--sentence", "雾锁石桥", "--library", "none.sqlite"]
    code = (
        f"import sys; from simcompare.cli.main import app; status = app({arguments}, standalone_mode=False); "
        "sys.exit(status != 1 or bool({'distributed', 'dask', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=ENVIRONMENT, check=False)
    assert done.returncode == 0
