"""Connection to the scheduler of a cluster, and tasks on its workers."""

import asyncio
import logging
import platform
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, Self, TypeVar

from simcompare.model.errors import FileError, SimcompareError, cause_of
from simcompare.support.i18n import N_


class ClusterError(SimcompareError):
    """The cluster cannot be used."""


class ClusterPackagesMissingError(ClusterError):
    template = N_(
        "Working on a cluster needs the extra simcompare[dask] on each computer, which only an installation "
        "with pip can have. Install it there, or leave out --scheduler."
    )


class SchedulerAddressError(ClusterError):
    template = N_(
        "{address} is not the address of a scheduler. Write it as tcp://host:8786, or as tls://host:8786 if "
        "connections are encrypted."
    )


class SchedulerUnavailableError(ClusterError):
    template = N_(
        "The scheduler at {address} does not answer. Check the address and the network, or start it with "
        "“dask scheduler”."
    )


class EncryptionError(ClusterError):
    template = N_(
        "The connection to the scheduler at {address} cannot be encrypted, or has to be. Set the "
        "certificates in the configuration of Dask (distributed.comm.tls), and write tls:// in the address."
    )


class NoWorkersError(ClusterError):
    template = N_(
        "The scheduler at {address} has no workers. Start some with “dask worker {address}”, and repeat the "
        "command: what is stored already is not stored twice."
    )


class VersionsDifferError(ClusterError):
    template = N_(
        "{package} has version {own} here and version {other} at {address}. Install the same version on all "
        "computers of the cluster."
    )


class PackageMissingError(ClusterError):
    template = N_("{package} is not installed at {address}. Install the same version on all computers.")


class ClusterLostError(ClusterError):
    template = N_(
        "The connection to the scheduler at {address} was lost. Repeat the command when it runs again: what "
        "is stored already is not stored twice."
    )


class WorkersLostError(ClusterError):
    template = N_(
        "Several workers of the scheduler at {address} ended during the same task, perhaps because they have "
        "too little memory. See their logs, and repeat the command: what is stored already is not stored "
        "twice."
    )


class HandoverError(ClusterError):
    """The folder of the hand-over cannot be used. Values: folder, host, cause."""

    template = N_(
        "{host} cannot use the folder {folder}, in which results are handed over: {cause}. Name a folder "
        "that this computer and all workers share with --handover."
    )

    @classmethod
    def of(cls, folder: Path, error: OSError) -> Self:
        """Return the error of an error of the system on this computer."""
        return cls(folder=str(folder), host=platform.node(), cause=cause_of(error))


class NotReadOnWorkerError(FileError):
    template = N_(
        "The worker on {host} cannot open {path}: {cause}. Workers need the files under the same paths, on a "
        "drive that all computers share."
    )


Task = TypeVar("Task")
Result = TypeVar("Result")

_CONNECT_SECONDS, _GREET_SECONDS = 5.0, 60.0
"""For the first connection, and for what a scheduler that answers does then."""
_WORKER_SECONDS = 60.0
"""A lost worker is started again by its computer within seconds."""
_FIRST_WORKER_SECONDS = 10.0
_POLL_SECONDS = 2.0
_TASKS_A_THREAD = 3
"""Tasks under way for each thread of a worker, so that none waits for the next one."""
_PACKAGES = ("python", "distributed", "simcompare")
"""Those that must have the same version everywhere."""


class Cluster:
    """A connected cluster: runs functions of modules on its workers."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self.address = address

    @property
    def threads(self) -> int:
        """Number of tasks that run at the same time. Raises ClusterLostError."""
        try:
            return sum(self._client.nthreads().values())
        except OSError as error:
            raise ClusterLostError(address=self.address) from error

    def on_each_worker(self, function: Callable[..., object], *args: object) -> None:
        """Call a function on each worker that there is now, and raise its error; some may end meanwhile."""
        with _lost_connections(self.address):
            returned = self._client.run(function, *args, on_error="return")
        for value in returned.values():
            if isinstance(value, Exception) and not isinstance(value, OSError):
                raise value

    def results(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result], None, None]:
        """Yield each task with function(task), in the order they are done; closing it cancels the others.

        A task whose worker is lost is run by another one. Raises the errors of the function, NoWorkersError,
        WorkersLostError, ClusterLostError.
        """
        remaining = iter(tasks)
        running = _Running[Task](self._client)
        try:
            while True:
                with _lost_connections(self.address):
                    room = max(1, _TASKS_A_THREAD * self.threads) - len(running.tasks)
                    running.begin(function, islice(remaining, max(0, room)))
                    if not running.tasks:
                        return
                    done = self._next_done(running)
                yield done
        finally:
            running.cancel()

    def _next_done(self, running: "_Running[Task]") -> tuple[Task, Any]:
        """Wait until a task is done; raise NoWorkersError if no worker is left for a minute."""
        last_seen = time.monotonic()
        while (done := running.next_done()) is None:
            if self.threads:
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen > _WORKER_SECONDS:
                raise NoWorkersError(address=self.address)
        return done


class _Running(Generic[Task]):
    def __init__(self, client: Any) -> None:
        self._client = client
        self._done: SimpleQueue[Any] = SimpleQueue()
        self.tasks: dict[Any, Task] = {}

    def begin(self, function: Callable[[Task], object], tasks: Iterable[Task]) -> None:
        for task in tasks:
            future = self._client.submit(function, task, pure=False)
            self.tasks[future] = task
            future.add_done_callback(self._done.put)

    def next_done(self) -> tuple[Task, Any] | None:
        """Wait for a task and return it with its result; None after some seconds without any."""
        try:
            future = self._done.get(timeout=_POLL_SECONDS)
        except Empty:
            return None
        return self.tasks.pop(future), future.result()

    def cancel(self) -> None:
        # the connection may be lost
        with suppress(Exception):
            self._client.cancel(list(self.tasks), force=True)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler; TLS is set up by the configuration of Dask.

    Raises ClusterPackagesMissingError, SchedulerAddressError, SchedulerUnavailableError, NoWorkersError,
    PackageMissingError, VersionsDifferError.
    """
    try:
        # optional packages; pyarrow writes what is handed over
        import pyarrow.parquet  # noqa: F401, PLC0415
        from distributed import Client  # noqa: PLC0415
    except ImportError as error:
        raise ClusterPackagesMissingError from error
    _check_scheduler(address)
    with _quiet(), Client(address, timeout=_GREET_SECONDS, set_as_default=False) as client:
        cluster = Cluster(client, address)
        with _lost_connections(address):
            try:
                client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
            except TimeoutError as error:
                raise NoWorkersError(address=cluster.address) from error
            check_versions(client.get_versions(packages=["simcompare"]), address)
        yield cluster


def _check_scheduler(address: str) -> None:
    """Connect once without a Client, which would go on trying in the background."""
    from distributed.comm import connect  # noqa: PLC0415 - an optional package
    from distributed.security import Security  # noqa: PLC0415

    async def connect_once() -> None:
        arguments = Security().get_connection_args("client")
        comm = await connect(address, timeout=_CONNECT_SECONDS, **arguments)
        await comm.close()

    try:
        asyncio.run(connect_once())
    except ValueError as error:
        raise SchedulerAddressError(address=address) from error
    except (TypeError, RuntimeError) as error:
        raise EncryptionError(address=address) from error
    except OSError as error:
        raise SchedulerUnavailableError(address=address) from error


def check_versions(versions: dict[str, Any], address: str) -> None:
    """Compare the versions of the scheduler and of each worker with those here, as Dask gives them.

    Raises PackageMissingError, VersionsDifferError.
    """
    own = versions["client"]["packages"]
    others = {address: versions["scheduler"]} | versions["workers"]
    for place, found in others.items():
        for package in _PACKAGES:
            version = found["packages"].get(package)
            if version is None:
                raise PackageMissingError(package=package, address=place)
            if version != own[package]:
                raise VersionsDifferError(package=package, own=own[package], other=version, address=place)


@contextmanager
def _lost_connections(address: str) -> Iterator[None]:
    """Raise the errors of lost workers and of a lost scheduler as a ClusterError."""
    from distributed.comm import CommClosedError  # noqa: PLC0415 - an optional package
    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    try:
        yield
    except KilledWorker as error:
        raise WorkersLostError(address=address) from error
    except (CancelledError, CommClosedError) as error:
        raise ClusterLostError(address=address) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide what Dask prints and warns, as errors are raised as sentences."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        logging.disable(before)
