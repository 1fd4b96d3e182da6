"""Definition of the bundle and of its setup programs, checked without making them."""

import ast
import codecs
import os
import plistlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
sys.path.insert(0, str(ROOT / "packaging"))

import dev  # noqa: E402
from bundle import build_bundle, elf_files, icu_data, mach_files, older_systems  # noqa: E402
from tools.base import SetupError  # noqa: E402

from simcompare.support.missing_libraries import DEBIAN_PACKAGES  # noqa: E402

_RULES = ("QT_PLUGINS", "UNNEEDED_PLUGINS", "LOCALES", "OF_OLDER_SYSTEMS", "is_needed")
SPEC = ast.parse((BUNDLE / "simcompare.spec").read_text(encoding="utf-8"))


def _defined(*names: str) -> dict[str, Any]:
    """Run the definitions of these names in the spec, which needs PyInstaller as a whole."""
    defined: dict[str, Any] = {"PurePath": PurePath, "sys": sys}
    for node in SPEC.body:
        targets = [target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)]
        if getattr(node, "name", None) in names or set(targets) & set(names):
            exec(compile(ast.Module([node], []), "simcompare.spec", "exec"), defined)
    return defined


def _parts(node: ast.expr) -> list[str] | None:
    """Return ["a", "b"] of the expression ROOT / "a" / "b"."""
    if isinstance(node, ast.Name):
        return [] if node.id == "ROOT" else None
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        before = _parts(node.left)
        return None if before is None else [*before, str(node.right.value)]
    return None


def _paths_in_spec() -> Iterator[Path]:
    for node in ast.walk(SPEC):
        parts = _parts(node) if isinstance(node, ast.BinOp) else None
        if parts and parts[0] != "build":
            yield ROOT.joinpath(*parts)


def test_that_all_paths_of_the_spec_exist():
    paths = set(_paths_in_spec())
    assert ROOT / "resources" in paths
    assert [path for path in paths if not path.exists()] == []


def test_that_the_scripts_of_both_programs_are_there():
    scripts = _defined("SCRIPTS")["SCRIPTS"]
    assert set(scripts) == {"simcompare", "simcompare-gui"}
    assert all((BUNDLE / f"{script}.py").is_file() for script in scripts.values())


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/plugins/styles/qmodernwindowsstyle.dll", True),
        ("PySide6/plugins/imageformats/qsvg.dll", True),
        ("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/plugins/imageformats/qwebp.dll", False),
        ("PySide6/Qt/plugins/egldeviceintegrations/libqeglfs-x11-integration.so", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/translations/qtbase_fr.qm", False),
        ("PySide6/opengl32sw.dll", False),
        ("PySide6/Qt6Core.dll", True),
        ("babel/locale-data/root.dat", True),
        ("babel/locale-data/zh_Hans_CN.dat", True),
        ("babel/locale-data/fr.dat", False),
        ("opencc/clib/share/opencc/t2s.json", True),
        ("opencc/clib/lib64/libopencc.a", False),
        ("docx/templates/default.docx", True),
        ("docx/templates/default-docx-template/word/styles.xml", False),
        ("resources/icons/add.svg", True),
    ],
)
def test_what_is_left_out_of_the_bundle(path: str, needed: bool):
    is_needed = _defined(*_RULES)["is_needed"]
    assert is_needed(path) == needed


@pytest.mark.parametrize(
    ("path", "by_name"),
    [
        ("pypdfium2_raw/libpdfium.so", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/lib/libQt6EglFSDeviceIntegration.so.6", False),
        ("pillow.libs/libavif-c6062d5f.so.16.4.2", False),
        ("libX11.so.6", False),
    ],
)
def test_that_libraries_that_nothing_in_the_bundle_loads_are_left_out(path: str, by_name: bool):
    assert _defined("is_loaded_by_name")["is_loaded_by_name"](path) == by_name


def test_that_the_bundle_for_older_systems_uses_their_libraries_where_copies_are_too_new(
    monkeypatch: pytest.MonkeyPatch,
):
    assert _defined(*_RULES)["is_needed"]("libpng16.so.16")
    monkeypatch.setattr(sys, "argv", ["simcompare.spec", "--older-systems"])
    is_needed = _defined(*_RULES)["is_needed"]
    assert is_needed("libz.so.1")
    assert not is_needed("libpng16.so.16")
    assert not is_needed("libdbus-1.so.3")


def test_that_users_are_told_the_packages_of_libraries_that_the_bundle_for_older_systems_lacks(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sys, "argv", ["simcompare.spec", "--older-systems"])
    left_out = _defined(*_RULES)["OF_OLDER_SYSTEMS"]
    of_dbus = {"libsystemd", "libgcrypt", "libgpg-error", "liblz4"}
    assert left_out - of_dbus == {"libpng16", "libdbus-1"}
    assert left_out - of_dbus < {name.partition(".so")[0] for name in DEBIAN_PACKAGES}


OTOOL = """\
{path}:
Load command 9
      cmd LC_ID_DYLIB
  cmdsize 48
         name @rpath/libz.1.dylib (offset 24)
      current version 99.0.0
Load command 10
      cmd LC_BUILD_VERSION
  cmdsize 32
 platform 1
    minos {version}
      sdk 26.2
   ntools 1
     tool 3
  version 1230.1
"""
OLDER_OTOOL = """\
      cmd LC_VERSION_MIN_MACOSX
  cmdsize 16
  version 10.13
      sdk 10.15
"""


def test_that_files_that_need_a_newer_macos_than_the_application_says_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "Contents" / "Frameworks").mkdir(parents=True)
    (tmp_path / "Contents" / "Info.plist").write_bytes(plistlib.dumps({"LSMinimumSystemVersion": "14.0"}))
    for name in ("libz.dylib", "numpy.so"):
        (tmp_path / "Contents" / "Frameworks" / name).write_bytes(b"\xcf\xfa\xed\xfe code")
    versions = {"libz.dylib": "14.0", "numpy.so": "11.3"}

    def otool(command: list[str]) -> subprocess.CompletedProcess[str]:
        text = OTOOL.format(path=command[-1], version=versions[Path(command[-1]).name])
        return subprocess.CompletedProcess(command, 0, text, "")

    monkeypatch.setattr(mach_files, "quiet", otool)
    mach_files.check_minimum_system(tmp_path)
    versions["numpy.so"] = "15.1"
    with pytest.raises(SetupError, match=r"newer than 14\.0: Contents/Frameworks/numpy\.so \(15\.1\)"):
        mach_files.check_minimum_system(tmp_path)


def test_that_the_oldest_macos_is_also_found_as_older_tools_write_it():
    assert mach_files.minimum_system(OLDER_OTOOL) == (10, 13)
    assert mach_files.minimum_system("") == (0, 0)


@pytest.mark.parametrize("name", ["requirements.txt", "older_systems.txt"])
def test_that_what_makes_the_bundle_has_exact_versions(name: str):
    lines = (BUNDLE / name).read_text(encoding="utf-8").splitlines()
    requirements = [line for line in lines if not line.startswith("#")]
    assert requirements
    assert [line for line in requirements if not re.match(r"[\w.-]+==[\d.]+( |$)", line)] == []


def test_that_the_setup_program_names_files_that_exist_and_needs_no_administrator():
    script = (BUNDLE / "windows_setup.iss").read_text(encoding="utf-8")
    assert (BUNDLE / re.search(r"^LicenseFile=(.+)$", script, re.MULTILINE)[1].replace("\\", "/")).is_file()
    assert "PrivilegesRequired=lowest" in script
    assert set(re.findall(r"\{app\}\\([\w-]+\.exe)", script)) == {"simcompare-gui.exe"}


def test_that_the_setup_program_looks_for_the_mutex_that_the_window_makes():
    script = (BUNDLE / "windows_setup.iss").read_text(encoding="utf-8")
    mutex = re.search(r"^AppMutex=(.+)$", script, re.MULTILINE)[1]
    window = (ROOT / "simcompare" / "ui" / "app.py").read_text(encoding="utf-8")
    assert re.search(r'CreateMutexW\(None, False, "(.+)"\)', window)[1] == mutex


def test_that_the_setup_program_is_in_english_and_chinese():
    script = (BUNDLE / "windows_setup.iss").read_text(encoding="utf-8")
    files = dict(re.findall(r'^Name: "(\w+)"; MessagesFile: "([^"]+)"$', script, re.MULTILINE))
    assert files == {
        "english": "compiler:Default.isl",
        "chinese": "compiler:Default.isl,windows_setup_zh.isl",  # the later file replaces messages
    }
    chinese = (BUNDLE / "windows_setup_zh.isl").read_bytes()
    assert chinese.startswith(codecs.BOM_UTF8)  # else Inno Setup takes it for GBK
    lines = chinese.decode("utf-8-sig").splitlines()
    messages = [line.partition("=") for line in lines if line and line[0] not in ";["]
    assert all(name.isalnum() and text for name, _, text in messages)
    names = [name for name, _, _ in messages]
    assert len(names) == len(set(names))
    assert set(re.findall(r"\{cm:(\w+)", script)) <= set(names)


def test_that_the_bundle_for_older_systems_has_another_qt_and_is_otherwise_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(older_systems, "_CONSTRAINTS", tmp_path / "build" / "constraints.txt")
    ordinary = older_systems.CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    others = older_systems.write_constraints().read_text(encoding="utf-8").splitlines()
    added = {"PySide6_Essentials==6.9.3", "shiboken6==6.9.3"}
    assert set(others) - set(ordinary) == added
    left_out = [line for line in set(ordinary) - set(others) if not line.startswith("#")]
    assert sorted(line.partition("==")[0] for line in left_out) == ["PySide6_Essentials", "shiboken6"]
    asked_for = older_systems.replaced(["numpy>=2", "pyside6-essentials>=6.11.3,<6.12"])
    assert asked_for == ["numpy>=2", *sorted(added)]


@pytest.mark.parametrize("command", ["bundle", "packages"])
def test_that_the_bundle_for_older_systems_is_only_made_on_linux(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(dev, "ensure_system_packages", lambda _: None)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "argv", ["dev.py", command, "--older-systems"])
    assert dev.main() == 2
    assert "is made on Linux" in capsys.readouterr().err


def test_that_files_that_need_a_newer_glibc_are_named():
    older_systems.check_glibc({"simcompare": (2, 9), "_internal/libssl.so": older_systems.GLIBC})
    with pytest.raises(SetupError, match=r"newer than 2\.28: _internal/libm\.so \(2\.29\)"):
        older_systems.check_glibc({"simcompare": (2, 17), "_internal/libm.so": (2, 29)})


def _record_making(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the functions that make something, and return the list of those that are called."""
    made: list[str] = []

    def making(name: str):
        monkeypatch.setattr(dev, name, lambda *_: made.append(name) or ROOT / "LICENSE")

    packages = ("make_setup", "make_disk_image", "make_deb", "make_tarball", "make_wheel", "write_checksums")
    for name in ("make_bundle", "set_up", *packages):
        making(name)
    monkeypatch.setattr(dev, "ensure_system_packages", lambda _: None)
    monkeypatch.setattr(dev.shutil, "which", lambda name: f"/usr/bin/{name}")
    return made


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", ["make_tarball", "make_deb"]),
        ("win32", ["make_setup"]),
        ("darwin", ["make_disk_image"]),
    ],
)
def test_that_each_system_gets_its_packages(
    platform: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
):
    made = _record_making(monkeypatch)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sys, "argv", ["dev.py", "packages"])
    assert dev.main() == 0
    assert made == ["make_bundle", "set_up", *expected, "make_wheel", "write_checksums"]


def test_that_a_system_without_dpkg_gets_the_tarball(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    made = _record_making(monkeypatch)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(dev.shutil, "which", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["dev.py", "packages", "--bundle", str(tmp_path)])
    assert dev.main() == 0
    assert made == ["set_up", "make_tarball", "make_wheel", "write_checksums"]
    assert "No .deb was made" in capsys.readouterr().out


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_that_an_existing_bundle_is_only_taken_on_linux(
    platform: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    made = _record_making(monkeypatch)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sys, "argv", ["dev.py", "packages", "--bundle", str(tmp_path)])
    assert dev.main() == 2
    assert made == []
    assert capsys.readouterr().err.count("\n") == 1


def test_that_no_bundle_is_begun_without_the_program_that_checks_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(elf_files.shutil, "which", lambda _: None)
    monkeypatch.setattr(build_bundle, "bring_up_to_date", lambda *_, **__: pytest.fail("began"))
    with pytest.raises(SetupError, match="binutils"):
        build_bundle.make_bundle()


def test_that_the_packages_for_older_systems_need_no_environment_for_developers(
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[tuple[object, ...]] = []
    monkeypatch.setattr(dev, "make_bundle", lambda older: dev.ROOT / f"bundle-{older}")
    for name in ("make_deb", "make_tarball"):
        monkeypatch.setattr(dev, name, lambda *given: made.append(given) or ROOT / "LICENSE")
    monkeypatch.setattr(dev, "set_up", lambda _: pytest.fail("made .venv"))
    monkeypatch.setattr(dev, "ensure_system_packages", lambda _: None)
    monkeypatch.setattr(dev.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "argv", ["dev.py", "packages", "--older-systems"])
    assert dev.main() == 0
    assert made == [(ROOT / "bundle-True", ROOT / "dist", True)] * 2


_SORTED = """
from PySide6.QtCore import QCollator, QLocale, QStringDecoder
for language in ("zh", "en"):
    collator = QCollator(QLocale(language))
    print(sorted(["张三", "李四", "王五", "éa", "eb", "É", "Zoe", "陈六", "か", "한"], key=collator.sortKey))
print([QStringDecoder(name).isValid() for name in ("GB18030", "Big5", "Shift_JIS")])
print([line.split()[-1] for line in open("/proc/self/maps") if "icudata" in line][:1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the other systems have their own tables")
def test_that_names_are_sorted_as_before_with_fewer_tables_of_icu(tmp_path):
    pyside = Path(pytest.importorskip("PySide6").__file__).parent
    library = next((pyside / "Qt" / "lib").glob("libicudata.so.*"))
    small = tmp_path / library.name
    small.write_bytes(icu_data.reduced(library.read_bytes()))
    assert small.stat().st_size < 0.4 * library.stat().st_size

    def printed(**environment):
        command = [sys.executable, "-c", _SORTED]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | environment
        ).stdout.splitlines()

    before, after = printed(), printed(LD_LIBRARY_PATH=str(tmp_path))
    assert before[:-1] == after[:-1]
    assert str(small) in after[-1]
