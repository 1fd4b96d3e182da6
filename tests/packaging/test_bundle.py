"""Definition of the bundle and of its setup programs, checked without making them."""

import ast
import codecs
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
sys.path.insert(0, str(ROOT / "packaging"))

import dev  # noqa: E402

SPEC = ast.parse((BUNDLE / "simcompare.spec").read_text(encoding="utf-8"))


def _defined(*names: str) -> dict[str, Any]:
    """Run the definitions of these names in the spec, which needs PyInstaller as a whole."""
    defined: dict[str, Any] = {"PurePath": PurePath}
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
        ("resources/icons/add.svg", True),
    ],
)
def test_what_is_left_out_of_the_bundle(path: str, needed: bool):
    is_needed = _defined("QT_PLUGINS", "UNNEEDED_PLUGINS", "LOCALES", "is_needed")["is_needed"]
    assert is_needed(path) == needed


def test_that_what_makes_the_bundle_has_exact_versions():
    lines = (BUNDLE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    requirements = [line for line in lines if not line.startswith("#")]
    assert requirements
    assert [line for line in requirements if not re.match(r"[\w.-]+==[\d.]+( |$)", line)] == []


def test_that_the_setup_program_names_files_that_exist_and_needs_no_administrator():
    script = (BUNDLE / "windows_setup.iss").read_text(encoding="utf-8")
    assert (BUNDLE / re.search(r"^LicenseFile=(.+)$", script, re.MULTILINE)[1].replace("\\", "/")).is_file()
    assert "PrivilegesRequired=lowest" in script
    assert set(re.findall(r"\{app\}\\([\w-]+\.exe)", script)) == {"simcompare-gui.exe"}


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


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_that_each_system_gets_its_packages(
    platform: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    package = ROOT / "LICENSE"
    made: list[str] = []

    def making(name: str):
        monkeypatch.setattr(dev, name, lambda *_: made.append(name) or package)

    for name in ("make_setup", "make_disk_image", "make_deb", "make_tarball", "set_up"):
        making(name)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sys, "argv", ["dev.py", "packages", "--bundle", str(tmp_path)])
    assert dev.main() == 0
    expected = {
        "linux": ["set_up", "make_deb", "make_tarball"],
        "win32": ["make_setup"],
        "darwin": ["make_disk_image"],
    }
    assert made == expected[platform]
