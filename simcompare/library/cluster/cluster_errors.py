"""Errors of a cluster that the user can resolve."""

import platform
from pathlib import Path
from typing import Self

from simcompare.model.errors import FileError, SimcompareError, cause_of
from simcompare.support.i18n import N_


class ClusterError(SimcompareError):
    """The cluster cannot be used."""


class ClusterPackagesMissingError(ClusterError):
    """The optional packages for clusters are not installed."""

    template = N_(
        "Working on a cluster needs the extra simcompare[dask] on each computer, which only an installation "
        "with pip can have. Install it there, or leave out --scheduler."
    )


class SchedulerAddressError(ClusterError):
    """The address of the scheduler cannot be used. Values: address."""

    template = N_(
        "{address} is no address of a scheduler. Write it as tcp://host:8786, or as tls://host:8786 if "
        "connections are encrypted."
    )


class SchedulerUnavailableError(ClusterError):
    """The scheduler cannot be reached. Values: address."""

    template = N_(
        "The scheduler at {address} does not answer. Check the address and the network, or start it with "
        "“dask scheduler”."
    )


class EncryptionError(ClusterError):
    """The connection is encrypted on one side only. Values: address."""

    template = N_(
        "The connection to the scheduler at {address} cannot be encrypted, or has to be. Set the "
        "certificates in the configuration of Dask (distributed.comm.tls), and write tls:// in the address."
    )


class NoWorkersError(ClusterError):
    """The scheduler has no workers. Values: address."""

    template = N_(
        "The scheduler at {address} has no workers. Start some with “dask worker {address}”, and repeat the "
        "command: what is stored already is not stored twice."
    )


class VersionsDifferError(ClusterError):
    """Another version runs on a computer of the cluster. Values: package, own, other, address."""

    template = N_(
        "{package} has version {own} here and version {other} at {address}. Install the same version on all "
        "computers of the cluster."
    )


class PackageMissingError(ClusterError):
    """A computer of the cluster lacks a package. Values: package, address."""

    template = N_("{package} is not installed at {address}. Install the same version on all computers.")


class ClusterLostError(ClusterError):
    """The connection to the scheduler was lost. Values: address."""

    template = N_(
        "The connection to the scheduler at {address} was lost. Repeat the command when it runs again: what "
        "is stored already is not stored twice."
    )


class WorkersLostError(ClusterError):
    """Workers ended again and again within the same task. Values: address."""

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
    """A worker cannot open a file. Values: host, cause."""

    template = N_(
        "The worker on {host} cannot open {path}: {cause}. Workers need the files under the same paths, on a "
        "drive that all computers share."
    )
