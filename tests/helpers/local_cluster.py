"""A Dask cluster of worker processes on this computer."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def running_cluster(workers: int = 2) -> Iterator[str]:
    """Run a scheduler in this process and workers in others, started again if lost; yield its address."""
    from distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
            yield cluster.scheduler_address
