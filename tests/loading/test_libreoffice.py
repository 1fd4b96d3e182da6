"""Files that only LibreOffice reads: errors without it, isolation, clean-up in every case."""

import http.server
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from simcompare.loading import load_document, sniff
from simcompare.loading.extraction import Source
from simcompare.loading.formats import libreoffice_converter as libreoffice
from simcompare.loading.formats.libreoffice_converter import PROGRAM_VARIABLE, LibreOfficeNeededError
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.model.document import FlagName
from simcompare.model.errors import DamagedFileError, FileError, ReadingTimeoutError, UnsupportedFormatError
from tests.helpers import essay_files
from tests.helpers.patience import PATIENCE_S

needs_libreoffice = pytest.mark.skipif(essay_files.soffice() is None, reason="LibreOffice is not installed")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="replaces LibreOffice by a shell script")
RIVER = "The river sings all the year round. 河水在唱歌。"
ABIWORD = (
    '<?xml version="1.0" encoding="UTF-8"?><abiword xmlns="http://www.abisource.com/awml.dtd"><section>'
    f"<p>On Rivers</p><p>{RIVER}</p></section></abiword>"
)


@pytest.fixture
def own_temp(tmp_path, monkeypatch):
    """Create temporary files in a folder of the test."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def with_libreoffice(monkeypatch, own_temp):
    monkeypatch.delenv(PROGRAM_VARIABLE)
    return own_temp


@pytest.fixture
def fake_libreoffice(monkeypatch, own_temp, tmp_path):
    """Use a shell script in place of LibreOffice."""

    def put(script):
        program = tmp_path / "soffice"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        monkeypatch.setenv(PROGRAM_VARIABLE, str(program))
        return own_temp

    return put


def _write(path, text=ABIWORD):
    path.write_text(text, encoding="utf-8")
    return path


@needs_libreoffice
def test_that_a_format_that_only_libreoffice_reads_becomes_a_document(tmp_path, with_libreoffice):
    document = load_document(_write(tmp_path / "essay.abw"))
    assert document.text.split("\n") == ["On Rivers", RIVER]
    assert document.receipt.reader == "LibreOffice, docx"
    assert document.receipt.format == "abiword"
    assert not document.receipt.doubtful
    assert not list(with_libreoffice.iterdir())


@needs_libreoffice
def test_that_libreoffice_works_within_the_limits_of_a_reading_process(tmp_path, with_libreoffice):
    with ReaderPool(max_workers=1) as pool:
        document = pool.submit(load_document, _write(tmp_path / "essay.abw")).result()
    assert RIVER in document.text
    # Python's temporary folder for the fork server exists as long as this process
    assert not [path for path in with_libreoffice.iterdir() if not path.name.startswith("pymp-")]


@needs_libreoffice
def test_that_nothing_is_fetched_from_the_network(tmp_path, with_libreoffice):
    asked = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        do_HEAD = do_OPTIONS = do_PROPFIND = do_GET  # noqa: N815 - names of http.server

        def log_message(self, *_args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = f'<p>The river sings.</p><img src="http://127.0.0.1:{server.server_port}/a.png">'
        source = Source(tmp_path / "essay.html", page.encode())
        program = libreoffice.libreoffice_program()
        assert program is not None
        assert libreoffice._converted(source, program, "html", "HTML (StarWriter)")
        server.shutdown()
    assert not asked


def test_that_the_error_recommends_libreoffice_if_it_would_help(tmp_path):
    with pytest.raises(LibreOfficeNeededError, match=r"essay\.abw .*AbiWord.* Install LibreOffice"):
        load_document(_write(tmp_path / "essay.abw"))


@needs_posix
@pytest.mark.parametrize("script", ["exit 1", "exit 0", "kill -9 $$"])
def test_that_a_file_that_libreoffice_cannot_open_is_unsupported(tmp_path, fake_libreoffice, script):
    folder = fake_libreoffice(script)
    with pytest.raises(UnsupportedFormatError, match="AbiWord") as caught:
        load_document(_write(tmp_path / "essay.abw"))
    assert not isinstance(caught.value, LibreOfficeNeededError)
    assert not list(folder.iterdir())


@needs_posix
@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n....",
        b"PK\x03\x04junk",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le") + bytes(600),
        bytes(range(256)) * 20,
    ],
    ids=["picture", "zip", "excel", "unknown"],
)
def test_that_libreoffice_is_not_used_for_files_without_text(tmp_path, fake_libreoffice, data):
    fake_libreoffice(f"touch {tmp_path}/asked")
    path = tmp_path / "essay.doc"
    path.write_bytes(data)
    with pytest.raises(FileError):
        load_document(path)
    assert not (tmp_path / "asked").exists()


@needs_posix
@pytest.mark.parametrize(("suffix", "asked"), [(".wps", True), (".db", False)])
def test_that_an_unknown_compound_file_with_a_text_suffix_is_tried(tmp_path, fake_libreoffice, suffix, asked):
    fake_libreoffice(f'echo "$@" > {tmp_path}/asked')
    path = tmp_path / f"essay{suffix}"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(UnsupportedFormatError):
        load_document(path)
    assert (tmp_path / "asked").exists() is asked


@needs_libreoffice
def test_that_a_damaged_file_that_libreoffice_reads_is_doubtful(tmp_path, with_libreoffice, monkeypatch):
    def fail(source, _options):
        raise DamagedFileError(source.path, cause="it is cut short or broken")

    monkeypatch.setitem(load_document.__globals__, "reader_of", lambda _kind: fail)
    document = load_document(_write(tmp_path / "essay.rtf", r"{\rtf1\ansi The river sings.\par}"))
    assert document.text == "The river sings."
    assert FlagName.RESCUED in {flag.name for flag in document.receipt.flags if flag.doubtful}


@needs_posix
def test_that_a_damaged_file_stays_damaged_where_libreoffice_cannot_read_it_either(
    tmp_path, fake_libreoffice, monkeypatch
):
    def fail(source, _options):
        raise DamagedFileError(source.path, cause="it is cut short or broken")

    fake_libreoffice("exit 0")
    monkeypatch.setitem(load_document.__globals__, "reader_of", lambda _kind: fail)
    with pytest.raises(DamagedFileError, match="cut short"):
        load_document(_write(tmp_path / "essay.rtf", r"{\rtf1\ansi The river sings.\par}"))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit has no effect elsewhere")
@pytest.mark.parametrize(("megabytes", "is_given"), [(100, True), (600, False)])
def test_that_libreoffice_is_given_less_memory_than_a_reader(tmp_path, fake_libreoffice, megabytes, is_given):
    seen = tmp_path / "seen"
    fake_libreoffice(f"{sys.executable} -c 'bytearray({megabytes} * 10**6)' && touch {seen}")
    with pytest.raises(UnsupportedFormatError):
        load_document(_write(tmp_path / "essay.abw"))
    assert seen.exists() == is_given


# Like LibreOffice, it leaves a child process behind; neither ends on SIGTERM.
_HANGS = "trap '' TERM; (trap '' TERM; sleep 987) & echo $$ $! > {0}.tmp; mv {0}.tmp {0}; sleep 987"


def _are_gone(processes, folder):
    for _attempt in range(10 * PATIENCE_S):
        if not any(map(_is_alive, processes)) and not list(folder.iterdir()):
            return True
        time.sleep(0.1)
    return False


def _is_alive(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _started(path):
    for _attempt in range(10 * PATIENCE_S):
        if path.exists() and path.read_text().endswith("\n"):
            return list(map(int, path.read_text().split()))
        time.sleep(0.1)
    raise AssertionError("nothing was started")


@needs_posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
class TestThatNothingIsLeft:
    def test_after_the_time_limit(self, tmp_path, fake_libreoffice, monkeypatch):
        folder = fake_libreoffice(_HANGS.format(tmp_path / "started"))
        started, limit_seconds = tmp_path / "started", 0.25
        while not started.exists():  # starting a program takes long on a busy machine
            limit_seconds *= 4
            monkeypatch.setattr(libreoffice, "_TIMEOUT_SECONDS", limit_seconds)
            with pytest.raises(ReadingTimeoutError):
                load_document(_write(tmp_path / "essay.abw"))
        assert _are_gone(_started(started), folder)

    def test_after_the_pool_stops_its_process(self, tmp_path, fake_libreoffice):
        folder = fake_libreoffice(_HANGS.format(tmp_path / "started"))
        with ReaderPool(max_workers=1) as pool:
            future = pool.submit(load_document, _write(tmp_path / "essay.abw"))
            processes = _started(tmp_path / "started")
            assert future.cancel()
        assert _are_gone(processes, folder)

    def test_after_its_process_is_killed(self, tmp_path, fake_libreoffice, start_program):
        folder = fake_libreoffice(_HANGS.format(tmp_path / "started"))
        _write(tmp_path / "essay.abw")
        code = (
            "import pathlib, sys; from simcompare.loading import load_document; "
            "load_document(pathlib.Path(sys.argv[1]))"
        )
        reading = start_program([sys.executable, "-c", code, tmp_path / "essay.abw"])
        processes = _started(tmp_path / "started")
        os.kill(reading.pid, signal.SIGKILL)
        reading.wait()
        assert _are_gone(processes, folder)


def test_that_folders_of_earlier_conversions_are_removed(tmp_path, own_temp):
    old, new, other = (
        own_temp / name for name in ("simcompare-libreoffice-a", "simcompare-libreoffice-b", "c")
    )
    for folder in (old, new, other):
        folder.mkdir()
        (folder / "document.doc").touch()
    for folder in (old, other):
        os.utime(folder, (0, 0))
    libreoffice._remove_abandoned_folders()
    assert sorted(path.name for path in own_temp.iterdir()) == [other.name, new.name]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (ABIWORD.encode(), "abiword"),
        (b"\xffWPC\x10\x00\x00\x00\x01\x0a", "wordperfect"),
        (b"\x01\xfe\x32\x00\x00", "works"),
        (b"\xdb\xa5\x2d\x00\x00", "word2"),
        (b"\x31\xbe\x00\x00\x00\xab", "write"),
        (b"HWP Document File V3.00 \x1a", "hwp"),
        (b'<?xml version="1.0"?><FictionBook xmlns="x">', "fictionbook"),
        ('<?xml version="1.0"?><uof:UOF uof:language="cn">'.encode("utf-16"), "uof"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512) + b"CHNKWKS", "works"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512) + b"HWP Document File", "hwp"),
        ("郿縣的河".encode("gb18030"), "text"),
        (b"An <abiword> element is not a file of AbiWord.", "text"),
    ],
)
def test_that_the_content_determines_the_format(data, kind):
    assert sniff(data) == kind
