"""Conversion by LibreOffice, if installed, of formats without a reader here: it saves a copy as .docx.

It runs separately from the user's own LibreOffice, without macros and network, in a folder that is always
removed: at the end of the read, at the time limit, or when this process ends.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from simcompare.loading.extraction import Extraction, ReadingOptions, Source, is_visible
from simcompare.loading.formats.reader_registry import reader_of
from simcompare.loading.sniffing import FORMAT_NAMES
from simcompare.model.document import Flag, FlagName
from simcompare.model.errors import FileError, ReadingTimeoutError, UnsupportedFormatError
from simcompare.support.i18n import N_

PROGRAM_VARIABLE = "SIMCOMPARE_LIBREOFFICE"
"""Environment variable with the program to use; an empty value disables LibreOffice."""

# By sniffed format: usual suffix and LibreOffice filter name. Without the filter name LibreOffice opens
# unknown data as plain text.
_FILTERS = {
    "works": ("wps", "MS_Works"),
    "wordperfect": ("wpd", "WordPerfect"),
    "word2": ("doc", "MS WinWord 5"),
    "write": ("wri", "MS_Write"),
    "hwp": ("hwp", "writer_MIZI_Hwp_97"),
    "iwork": ("pages", "Apple Pages"),
    "abiword": ("abw", "AbiWord"),
    "fictionbook": ("fb2", "FictionBook 2"),
    "starwriter": ("sdw", "StarOffice_Writer"),
    "uof": ("uof", "UOF text"),
    "doc": ("doc", "MS Word 97"),
    "rtf": ("rtf", "Rich Text Format"),
}
# Compound files of an unknown program may be texts, depending on their suffix.
_BY_SUFFIX = {".wps": "works", ".sdw": "starwriter", ".doc": "doc", ".dot": "doc", ".hwp": "hwp"}
_PROGRAM_PATHS = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "/usr/lib/libreoffice/program/soffice",
    "/usr/lib64/libreoffice/program/soffice",
    "/usr/local/bin/soffice",
    "C:/Program Files/LibreOffice/program/soffice.com",
    "C:/Program Files (x86)/LibreOffice/program/soffice.com",
)
# A cold start takes up to 10 seconds, more on a busy machine; ReaderPool waits longer.
_TIMEOUT_SECONDS = 60.0
_MAX_RESULT_BYTES = 100_000_000
_FOLDER_PREFIX = "simcompare-libreoffice-"
_ABANDONED_AFTER_SECONDS = 3600
# Limits in case no process is left to stop it: 60 seconds of CPU time, and 500 MB per written file.
# The worker's own limit of memory depends on the size of the file. An essay needs less than 250 MB of data;
# 3 MB of nested RTF took 870 MB.
_RUN_WITH_LIMITS = 'ulimit -S -v 1100000; ulimit -S -d 400000; ulimit -t 60; ulimit -f 1000000; exec "$@"'
# Watcher: if its input ends without a second line, the parent process has died and it cleans up.
_CLEAN_UP_AFTER_PARENT = (
    'read -r group; if read -r end; then exit 0; fi; [ -z "$group" ] || kill -9 "-$group"; '
    'rm -rf "$1"; sleep 1; rm -rf "$1"'
)
_SETTINGS: dict[str, dict[str, bool | int | str]] = {
    "Office.Common/Security/Scripting": {
        "MacroSecurityLevel": 3,
        "DisableMacrosExecution": True,
        "DisableActiveContent": True,
        "BlockUntrustedRefererLinks": True,
    },
    "Office.Common/Misc": {"FirstRun": False},
    "Office.Java/VirtualMachine": {"Enable": False},
    "Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments": {"AutoCheckEnabled": False},
    "Office.Recovery/AutoSave": {"Enabled": False},
    "Office.Writer/Content/Update": {"Link": 2},
    # A proxy that does not exist: nothing can be fetched.
    "Inet/Settings": {
        "ooInetProxyType": 2,
        "ooInetHTTPProxyName": "127.0.0.1",
        "ooInetHTTPProxyPort": 9,
        "ooInetHTTPSProxyName": "127.0.0.1",
        "ooInetHTTPSProxyPort": 9,
        "ooInetNoProxy": "",
    },
}


class LibreOfficeNeededError(UnsupportedFormatError):
    template = N_(
        "Reading {name} ({format}) requires LibreOffice. Install LibreOffice "
        "(www.libreoffice.org, free of charge), or save the file as Word (.docx), PDF, HTML or plain text."
    )


def can_convert(source: Source, kind: str) -> bool:
    """Return whether LibreOffice may read a file of this format as a text."""
    return _effective_format(source, kind) in _FILTERS


def read_by_libreoffice(source: Source, kind: str, options: ReadingOptions) -> Extraction:
    """Convert the file to .docx with LibreOffice and read the copy.

    Raises LibreOfficeNeededError if it is not installed, UnsupportedFormatError if it cannot open the
    file either, ReadingTimeoutError, and the errors of reading the copy.
    """
    program = libreoffice_program()
    if program is None:
        raise LibreOfficeNeededError(source.path, format=FORMAT_NAMES[kind])
    data = _converted(source, program, *_FILTERS[_effective_format(source, kind)])
    if data is None:
        raise UnsupportedFormatError(source.path, format=FORMAT_NAMES[kind])
    # imports the Word reader only when needed
    from simcompare.loading.formats.docx.docx_reader import read_docx  # noqa: PLC0415

    extraction = read_docx(Source(source.path, data), options, reader_of)
    # the copy names LibreOffice as the program
    origin = replace(extraction.origin, program="")
    return replace(extraction, reader="LibreOffice, docx", origin=origin)


def rescue(source: Source, kind: str, options: ReadingOptions) -> Extraction | None:
    """Read a damaged file with LibreOffice; return None if that fails too."""
    if libreoffice_program() is None:
        return None
    try:
        extraction = read_by_libreoffice(source, kind, options)
    except FileError:
        return None
    has_text = any(is_visible(piece.text) for piece in extraction.pieces)
    return replace(extraction, flags=[*extraction.flags, Flag(FlagName.RESCUED)]) if has_text else None


def libreoffice_program() -> str | None:
    """Return the path of LibreOffice's program, or None if it is not installed."""
    named = os.environ.get(PROGRAM_VARIABLE)
    return _installed_program() if named is None else named or None


@lru_cache(maxsize=1)
def _installed_program() -> str | None:
    on_path = shutil.which("soffice") or shutil.which("libreoffice")
    places = (
        *_PROGRAM_PATHS,
        *map(str, sorted(Path("/opt").glob("libreoffice*/program/soffice"), reverse=True)),
    )
    return on_path or next((place for place in places if os.access(place, os.X_OK)), None)


def _effective_format(source: Source, kind: str) -> str:
    return _BY_SUFFIX.get(source.path.suffix.lower(), kind) if kind == "ole" else kind


def _converted(source: Source, program: str, suffix: str, name: str) -> bytes | None:
    """Return the file as .docx bytes, or None if LibreOffice cannot convert it."""
    _remove_abandoned_folders()
    with _private_folder() as folder:
        (folder / "profile" / "user").mkdir(parents=True)
        (folder / "profile" / "user" / "registrymodifications.xcu").write_text(_settings(), "utf-8")
        (folder / "tmp").mkdir()
        original = folder / f"document.{suffix}"
        original.write_bytes(source.data)
        command = [
            *(program, f"-env:UserInstallation={(folder / 'profile').as_uri()}"),
            *("--headless", "--norestore", "--nolockcheck", "--nologo", "--nodefault"),
            *(f"--infilter={name}", "--convert-to", "docx:MS Word 2007 XML"),
            *("--outdir", str(folder / "out"), str(original)),
        ]
        try:
            _run(command, folder)
            return _result_bytes(folder / "out" / "document.docx")
        except subprocess.TimeoutExpired as error:
            raise ReadingTimeoutError(source.path, seconds=f"{_TIMEOUT_SECONDS:g}") from error
        except OSError:
            return None


def _result_bytes(path: Path) -> bytes | None:
    if not path.is_file() or not 0 < path.stat().st_size <= _MAX_RESULT_BYTES:
        return None
    return path.read_bytes()


@contextmanager
def _private_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned_folders() -> None:
    """Remove folders of conversions whose processes were killed before they could clean up."""
    oldest = time.time() - _ABANDONED_AFTER_SECONDS
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _settings() -> str:
    """Return the settings of a profile in which nothing is run, fetched or recovered."""
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{str(value).lower()}</value></prop></item>"
        for path, values in _SETTINGS.items()
        for name, value in values.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"{items}</oor:items>"
    )


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of the process: no home, no display, no network."""
    nowhere = "http://127.0.0.1:9"
    own = {"HOME": str(folder), "TMPDIR": str(folder / "tmp"), "SAL_USE_VCLPLUGIN": "svp"}
    if sys.platform == "win32":
        own = {"TEMP": str(folder / "tmp"), "TMP": str(folder / "tmp")}
        kept = dict(os.environ)
    else:
        names = ("PATH", "LANG", "LC_ALL", "LC_CTYPE")
        kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, **own, "http_proxy": nowhere, "https_proxy": nowhere}


if sys.platform == "win32":

    def _run(command: list[str], folder: Path) -> None:
        """Run LibreOffice to its end or the time limit, then end all processes that it started."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(folder),
            creationflags=subprocess.CREATE_NO_WINDOW,
        )
        try:
            process.wait(_TIMEOUT_SECONDS)
        finally:
            no_window = subprocess.CREATE_NO_WINDOW
            ending = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(ending, capture_output=True, check=False, creationflags=no_window)
            process.wait()

else:

    def _run(command: list[str], folder: Path) -> None:
        """Run LibreOffice to its end or the time limit, then end all processes that it started."""
        with _watch(folder) as watcher:
            process = subprocess.Popen(
                ["/bin/sh", "-c", _RUN_WITH_LIMITS, "sh", *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(folder),
                cwd=folder,
                start_new_session=True,
            )
            try:
                _send(watcher, f"{process.pid}\n")
                process.wait(_TIMEOUT_SECONDS)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    @contextmanager
    def _watch(folder: Path) -> Iterator["subprocess.Popen[str]"]:
        """Start a process that cleans up if this one is killed."""
        watcher = subprocess.Popen(
            ["/bin/sh", "-c", _CLEAN_UP_AFTER_PARENT, "sh", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(folder),
            text=True,
            start_new_session=True,
        )
        try:
            yield watcher
        finally:
            _send(watcher, "done\n")
            watcher.communicate()

    def _send(watcher: "subprocess.Popen[str]", line: str) -> None:
        if watcher.stdin is not None:
            watcher.stdin.write(line)
            watcher.stdin.flush()
