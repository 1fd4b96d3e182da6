"""pytest-qt's bot with longer time limits."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.exceptions import TimeoutError
from pytestqt.qtbot import QtBot

from tests.helpers.patience import PATIENCE_MS

_CHECK_INTERVAL_MS = 10


class PatientQtBot(QtBot):
    """QtBot with `PATIENCE_MS` as time limit: its five seconds are too short on a busy machine."""

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802
        """Wait as pytest-qt does, in a third of its processor time: one loop and timer serve all checks."""
        loop, timer, deadline = QEventLoop(), QTimer(interval=_CHECK_INTERVAL_MS), QDeadlineTimer(timeout)
        timer.timeout.connect(loop.quit)
        timer.start()
        failure = ""
        while True:
            result = False
            try:
                result = callback()
            except AssertionError as error:
                # not the error itself: its frames would keep alive what the test waits to lose
                failure = f": {error}"
            if result is None or result is True:
                return
            if result is not False:
                raise ValueError(f"the callback returned {result!r}, not None, True or False")
            if deadline.hasExpired():
                raise TimeoutError(f"waitUntil timed out in {timeout} milliseconds{failure}")
            loop.exec()

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802
        return super().waitActive(widget, timeout=timeout)

    def waitExposed(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:  # noqa: N802
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture(name="qtbot")
def patient_qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)
