"""Files and folders that the desktop opens with programs of its own."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_on_desktop(path: Path) -> None:
    """Open a file or folder with the program that the system has for it."""
    with _environment_of_the_user():
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


@contextmanager
def _environment_of_the_user() -> Iterator[None]:
    """Leave out, for programs started meanwhile, what the bundle for Linux has added to the environment.

    A browser would load the libraries of the bundle (LD_LIBRARY_PATH), a Qt program its plugins. The
    variables of PyInstaller tell a simcompare, which the user may start from a file manager opened here, that
    LD_LIBRARY_PATH is set. All are put back, as workers need them; one started meanwhile sets its own.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    if sys.platform != "linux" or bundle is None:
        yield
        return
    added = {name: value for name, value in os.environ.items() if name.startswith("_PYI_") or bundle in value}
    for name in added:
        del os.environ[name]
    if "LD_LIBRARY_PATH_ORIG" in os.environ:
        os.environ["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH_ORIG"]
    try:
        yield
    finally:
        os.environ.update(added)
