"""A file that was written, shown by the programs of the system."""

import sys
from pathlib import Path

from PySide6.QtCore import QDir, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from simcompare.report.cohort.bundle import INDEX


def open_file(path: Path) -> None:
    """Open a file with the program that the system has for it; of a folder of reports the first page."""
    page = path / INDEX
    path = page if path.is_dir() and page.exists() else path
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: Path) -> None:
    """Open the folder of a file, with the file chosen in it where the system can do that."""
    if sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", QDir.toNativeSeparators(str(path))])
    elif sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", str(path)])
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
