"""Fixtures: a cluster of two worker processes on this computer, and files of essays."""

import os

import pytest

from simcompare.library.cluster import connection
from simcompare.library.cluster.connection import connected
from tests.helpers.documents import unrelated_essays
from tests.helpers.local_cluster import running_cluster
from tests.helpers.patience import PATIENCE_S

SENTENCES = 8


@pytest.fixture(autouse=True)
def patient_connection(monkeypatch):
    """Wait longer for the scheduler and its first worker, as other programs may keep the machine busy."""
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", PATIENCE_S)
    monkeypatch.setattr(connection, "_FIRST_WORKER_SECONDS", PATIENCE_S)


@pytest.fixture(scope="session")
def scheduler():
    """The address of the scheduler of a cluster with two workers."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    pytest.importorskip("pyarrow", reason="the extra dask is not installed")
    with running_cluster() as address:
        yield address


@pytest.fixture
def cluster(scheduler):
    """A connection to that cluster."""
    with connected(scheduler) as cluster:
        yield cluster


@pytest.fixture
def class_3(tmp_path, monkeypatch):
    """The folder class-3 of twelve essays, in the working folder."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "class-3"
    folder.mkdir()
    for number, essay in enumerate(unrelated_essays(12, SENTENCES)):
        (folder / f"essay-{number:02}.txt").write_text("\n".join(essay), encoding="utf-8")
    return folder


def worker_process(_task: object) -> int:
    """The id of the process of a worker that runs this."""
    return os.getpid()
