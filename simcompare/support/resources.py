"""Paths of files that ship with the program, and of the user's data folder."""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

DATA_FOLDER_VARIABLE = "SIMCOMPARE_DATA"
"""Environment variable with another folder for the user's data."""
_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def _resources_root() -> Path:
    """Return the resources folder: beside the package in a checkout, inside it once installed."""
    installed = _PACKAGE / "resources_data"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


def resource_path(*parts: str) -> Path:
    """Return the path of a file or folder of resources/."""
    return _resources_root().joinpath(*parts)


def user_data_path(*parts: str) -> Path:
    """Return a path in the user's data folder and create its parent folders, if they can be created."""
    folder = os.environ.get(DATA_FOLDER_VARIABLE) or platformdirs.user_data_dir("simcompare", appauthor=False)
    path = Path(folder).joinpath(*parts)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path
