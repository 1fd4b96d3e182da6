"""Program that shows a window from which files can be dragged: python drag_source.py X Y FILE..."""

import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class DragSource(QLabel):
    """Label that starts dragging its files when the mouse moves with a button pressed."""

    def __init__(self, files: list[str]) -> None:
        super().__init__("files")
        self._urls = [QUrl.fromLocalFile(str(Path(file).absolute())) for file in files]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the files."""
        files = QMimeData()
        files.setUrls(self._urls)
        drag = QDrag(self)
        drag.setMimeData(files)
        drag.exec()


application = QApplication([])
source = DragSource(sys.argv[3:])
source.setWindowTitle("drag source")
source.setGeometry(int(sys.argv[1]), int(sys.argv[2]), 120, 120)
source.show()
application.exec()
