"""An environment that has everything but Qt, for the tests that must do without."""

import importlib.metadata
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.base import VENV, SetupError, call, site_packages, venv_program

NO_QT_VENV = VENV / "noqt"
_QT_DISTRIBUTION = re.compile(r"pyside6|shiboken6|pytest[-_]qt", re.IGNORECASE)


def is_qt(distribution: str) -> bool:
    """Tell whether a distribution is Qt or stands on it."""
    return _QT_DISTRIBUTION.match(distribution) is not None


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target)


def link_all_but_qt(source: Path, target: Path) -> None:
    """Give the site-packages `target` every distribution of `source` but Qt's, as hard links."""
    for distribution in importlib.metadata.distributions(path=[str(source)]):
        if is_qt(distribution.name):
            continue
        for file in distribution.files or ():
            # What leads out of site-packages are programs, which the tests do not start.
            if ".." not in file.parts and (source / file).is_file() and not (target / file).exists():
                _link(source / file, target / file)


@contextmanager
def without_qt() -> Iterator[dict[str, str]]:
    """Make an environment that has everything but Qt.

    Linking takes a second, where a second pip install would take a minute; and PySide6 is really absent,
    which a blocked import would only pretend.
    """
    if call([sys.executable, "-m", "venv", "--clear", "--without-pip", NO_QT_VENV]) != 0:
        raise SetupError("Python could not make the environment without Qt.")
    link_all_but_qt(site_packages(VENV), site_packages(NO_QT_VENV))
    check = "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, ['PySide6', 'shiboken6'])))"
    if call([venv_program(NO_QT_VENV, "python"), "-c", check]) != 0:
        raise SetupError("The environment without Qt has Qt.")
    yield {}
