"""A file that was written, shown by the programs of the system."""

import sys
from pathlib import Path

from PySide6.QtCore import QDir, QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def open_file(path: Path) -> None:
    """Open a file with the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: Path) -> None:
    """Open the folder of a file, with the file chosen in it where the system can do that."""
    if sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", QDir.toNativeSeparators(str(path))])
    elif sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", str(path)])
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
