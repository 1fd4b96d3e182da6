"""Installs text recognition, the extra `ocr`, with pip into the environment of the program."""

import importlib
import os
import re
import sys
import sysconfig
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QProcess, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from simcompare.loading.formats.ocr import ocr_engine
from simcompare.support.i18n import _
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import column_of, default_button, keep_size_when_hidden, other_button, row_of
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX, use_look

_WIDTH_PX = 460
_MEGABYTE = 1_000_000
_DOWNLOAD_MB = 120
"""Wheels of rapidocr 3.10 and what it needs, without those that simcompare has: 27 + 28 + 61 + 5 MB."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+(?:[<>=!~]=?[0-9.]+,?)*)\s*;\s*extra\s*==\s*['\"]ocr['\"]")
_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")
_OFFLINE = re.compile(r"NewConnectionError|ConnectTimeout|NameResolution|Max retries|Retrying")
_NO_SPACE = re.compile(r"Errno 28|No space left")
_FORBIDDEN = re.compile(r"Errno 13|Permission denied|externally-managed")


def requirements() -> list[str]:
    """Return the packages of the extra `ocr` with their versions, as the installed program states them."""
    try:
        stated = metadata.requires("simcompare") or []
    except metadata.PackageNotFoundError:
        return []
    return [match[1] for each in stated if (match := _REQUIREMENT.fullmatch(each.strip()))]


def why_not_installable() -> str:
    """Return what to do instead where the program cannot install text recognition; "" where it can."""
    if getattr(sys, "frozen", False) or not requirements() or find_spec("pip") is None:
        return _(
            "This edition of simcompare cannot be extended. Install the edition with text recognition, "
            "or ask for files whose text can be selected."
        )
    folder = Path(sysconfig.get_path("purelib"))
    is_managed = (
        sys.prefix == sys.base_prefix and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
    )
    if is_managed or not os.access(folder, os.W_OK):
        return _(
            "You may not change the folder in which simcompare is installed. Ask whoever looks after this "
            "computer to run: {command}"
        ).format(command='pip install "simcompare[ocr]"')
    return ""


class RecognitionDialog(Dialog):
    """Says how much is downloaded, and installs it once the user agrees; Cancel and Esc stop it."""

    installed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("Install text recognition"), parent, width_px=_WIDTH_PX)
        self._why_not = why_not_installable()
        self._output = ""
        self._done_bytes = self._file_bytes = 0
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail)
        question = _("Read scanned pages and photos of pages?")
        size = _(
            "About {size} MB are downloaded once from the package index of Python. Pages are then "
            "recognised on this computer; nothing is sent anywhere."
        ).format(size=_DOWNLOAD_MB)
        self.question, self.message = WrappedLabel(question, "pairName"), MutedLabel(self._why_not or size)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(_("Progress of the installation"))
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _DOWNLOAD_MB)
        keep_size_when_hidden(self.bar)
        self.bar.hide()
        self.install_button = default_button(_("Download and install"), self._start)
        self.cancel_button = other_button("", self.reject)
        self.install_button.setVisible(not self._why_not)
        self.cancel_button.setText(_("Close") if self._why_not else _("Cancel"))
        self.finished.connect(self._stop)
        buttons = row_of(None, None, self.cancel_button, self.install_button, spacing_px=GRID_PX * 2)
        parts = (self.question, self.message, self.bar, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)

    def _start(self) -> None:
        self._output, self._done_bytes, self._file_bytes = "", 0, 0
        self.install_button.setEnabled(False)
        self.bar.setRange(0, _DOWNLOAD_MB)
        self.bar.setValue(0)
        self.bar.show()
        self._show(_("Looking for the files…"))
        options = ["--no-input", "--disable-pip-version-check", "--retries=1", "--timeout=20"]
        command = ["-m", "pip", "install", *options, "--only-binary=:all:", "--progress-bar=raw"]
        self._process.start(sys.executable, [*command, *requirements()])

    def _read(self) -> None:
        text = bytes(self._process.readAllStandardOutput().data()).decode("utf-8", "replace")
        self._output = (self._output + text)[-20_000:]
        for done, total in _PROGRESS.findall(text):
            self._file_bytes = int(done)
            if done == total:
                self._done_bytes, self._file_bytes = self._done_bytes + int(total), 0
        megabytes = (self._done_bytes + self._file_bytes) // _MEGABYTE
        if "Installing collected packages" in self._output:
            self.bar.setRange(0, 0)
            self._show(_("Installing…"))
        elif megabytes:
            self.bar.setValue(min(megabytes, _DOWNLOAD_MB))
            words = _("Downloading: {done} of about {total} MB")
            self._show(words.format(done=megabytes, total=_DOWNLOAD_MB))

    def _finish(self, code: int, _status: object) -> None:
        importlib.invalidate_caches()
        if code == 0 and ocr_engine.available():
            self.accept()
            self.installed.emit()
        else:
            self._fail()

    def _fail(self, _error: object = None) -> None:
        self.bar.hide()
        self.install_button.setEnabled(True)
        self.install_button.setText(_("Try again"))
        self._show(_failure_in_words(self._output), wrong=True)

    def _stop(self) -> None:
        self._process.blockSignals(True)
        self._process.kill()
        self._process.waitForFinished()

    def _show(self, words: str, *, wrong: bool = False) -> None:
        use_look(self.message, "danger" if wrong else "muted")
        self.message.setText(words)


def _failure_in_words(output: str) -> str:
    if _NO_SPACE.search(output):
        return _("There is too little free space on the disk.")
    if _FORBIDDEN.search(output):
        return _("You may not change the folder in which simcompare is installed.")
    if _OFFLINE.search(output):
        return _("The files cannot be reached. Connect this computer to the network, then try again.")
    lines = [line.partition("ERROR:")[2].strip() for line in output.splitlines() if "ERROR:" in line]
    cause = lines[-1] if lines else _("the installer ended unexpectedly")
    return _("Text recognition was not installed: {cause}").format(cause=cause)
