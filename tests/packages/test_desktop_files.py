"""Tests of the files that make the program known to a Linux desktop, and of its session files' type."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simcompare import __version__
from simcompare.session.session_data import Session
from simcompare.session.session_file import write_session

ROOT = Path(__file__).resolve().parents[2]

# import path of the tools when dev.py runs
sys.path.insert(0, str(ROOT / "packaging"))

from linux import build_packages  # noqa: E402

ENTRY = build_packages.DATA / f"{build_packages.NAME}.desktop"
FILE_TYPE = build_packages.DATA / f"{build_packages.NAME}.xml"
METAINFO = build_packages.DATA / f"{build_packages.NAME}.metainfo.xml"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def _validate(*command: str | Path) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout if done.returncode else "") == (0, ""), done.stdout + done.stderr


def _entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, delimiters="=")
    parser.optionxform = str  # keys are case-sensitive
    parser.read(ENTRY, encoding="utf-8")
    return parser["Desktop Entry"]


def test_that_the_desktop_entry_is_valid():
    _validate("desktop-file-validate", ENTRY)


def test_that_the_metainfo_is_valid():
    _validate("appstreamcli", "validate", "--no-net", METAINFO)


def test_that_the_files_agree_on_names():
    metainfo = ElementTree.parse(METAINFO).getroot()
    file_type = ElementTree.parse(FILE_TYPE).getroot().find(f"{MIME}mime-type")
    entry = _entry()
    assert file_type is not None
    assert metainfo.findtext("id") == entry["Icon"] == build_packages.NAME
    assert metainfo.findtext("launchable") == ENTRY.name
    assert metainfo.findtext("provides/mediatype") == entry["MimeType"].strip(";") == file_type.get("type")
    assert [item.text for item in metainfo.findall("provides/binary")] == list(build_packages.PROGRAMS)
    assert entry["Exec"].split() == [build_packages.PROGRAMS[1], "%F"]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("simcompare/ui/app.py", f'setDesktopFileName("{build_packages.NAME}")'),
        ("packaging/linux/proofs/common.sh", f"= {ENTRY.name}\n"),
    ],
)
def test_that_the_window_and_the_proofs_have_the_identifier_of_these_files(place: str, text: str):
    assert text in (ROOT / place).read_text(encoding="utf-8")


def test_that_every_text_of_the_entry_is_also_chinese():
    entry = _entry()
    assert all(f"{key}[zh_CN]" in entry for key in ("Name", "GenericName", "Comment", "Keywords"))


def test_that_a_session_begins_as_the_file_type_says(tmp_path: Path):
    session = tmp_path / "class.simcompare"
    write_session(Session(), session)
    content = session.read_bytes()
    matches = ElementTree.parse(FILE_TYPE).getroot().findall(f".//{MIME}match")
    assert [match.get("value") for match in matches] == [r"PK\003\004", "session.json"]
    assert content.startswith(b"PK\3\4")
    assert content[int(matches[1].get("offset", "")) :].startswith(b"session.json")


def test_that_the_icon_is_drawn_in_all_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # PySide6 draws them in the environment that runs the tests
    monkeypatch.setattr(build_packages, "venv_program", lambda *_: Path(sys.executable))
    build_packages.make_share(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    theme = "icons/hicolor"
    assert {f"{theme}/{side}x{side}/apps/{build_packages.NAME}.png" for side in (16, 48, 256)} < names
    assert f"applications/{ENTRY.name}" in names
    assert f"mime/packages/{FILE_TYPE.name}" in names


def test_that_the_packaged_metainfo_has_the_version_and_is_valid(tmp_path: Path):
    metainfo = tmp_path / "metainfo" / METAINFO.name
    build_packages._write_metainfo(metainfo)
    release = ElementTree.parse(metainfo).getroot().find("releases/release")
    assert release is not None
    assert release.get("version") == __version__
    _validate("appstreamcli", "validate", "--no-net", metainfo)


def test_that_the_version_of_the_packages_is_that_of_the_program():
    assert build_packages.project_version() == __version__
