"""Tests of packaging/dev.py and its tools without running them on the system."""

import hashlib
import importlib.metadata
import py_compile
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from simcompare.support.missing_libraries import DEBIAN_PACKAGES

ROOT = Path(__file__).resolve().parents[2]

BOOKWORM = """\
libglib2.0-0 installed
libgl1 installed
xvfb config-files
fonts-noto-cjk installed
"""
NOBLE = """\
libglib2.0-0t64 installed
libgl1 installed
"""


# import path of the tools when dev.py runs
sys.path.insert(0, str(ROOT / "packaging"))

import dev  # noqa: E402
from tools import base, catalogue, environment, stages, surroundings  # noqa: E402
from tools import system_packages as packages  # noqa: E402

# --- system packages


def test_that_a_package_with_only_its_settings_left_counts_as_missing():
    assert packages.missing_packages(["libgl1", "xvfb"], packages.installed_packages(BOOKWORM)) == ["xvfb"]


def test_that_a_library_installed_under_its_t64_name_is_not_missing():
    assert packages.missing_packages(["libglib2.0-0", "libgl1"], packages.installed_packages(NOBLE)) == []


def test_that_an_empty_listing_leaves_everything_missing_in_the_wanted_order():
    assert packages.missing_packages(["b", "a"], packages.installed_packages("")) == ["b", "a"]


@pytest.mark.parametrize(
    ("known", "name"),
    [({"libglib2.0-0"}, "libglib2.0-0"), ({"libglib2.0-0t64"}, "libglib2.0-0t64"), (set(), "libglib2.0-0")],
)
def test_that_a_package_is_installed_by_its_name_in_the_release(known: set[str], name: str):
    assert packages.name_in_release("libglib2.0-0", known.__contains__) == name


def test_that_the_tools_install_the_libraries_that_the_window_names_when_they_are_missing():
    assert set(DEBIAN_PACKAGES.values()) <= {*packages.QT_LIBRARIES, *packages.WINDOW_LIBRARIES}


def test_that_a_release_without_the_browser_gets_the_rest():
    wanted = ["libgl1", "xvfb", *packages.BROWSER]
    assert packages.names_in_release(wanted, {"libgl1", "xvfb"}.__contains__) == ["libgl1", "xvfb"]
    assert packages.names_in_release(wanted, set(wanted).__contains__) == wanted


def test_that_without_root_the_missing_packages_and_the_command_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(packages.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(
        packages, "quiet", lambda command: subprocess.CompletedProcess(command, 0, BOOKWORM, "")
    )
    monkeypatch.setattr(packages, "_root_prefix", lambda: None)
    packages.ensure_system_packages(["libgl1", "xvfb", "xdotool"])
    assert "sudo apt-get install xvfb xdotool" in capsys.readouterr().out


def test_that_a_database_server_installed_in_another_way_is_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    assert not packages.has_database_server(tmp_path)
    (tmp_path / "17" / "bin").mkdir(parents=True)
    (tmp_path / "17" / "bin" / "initdb").touch()
    assert packages.has_database_server(tmp_path)
    monkeypatch.setattr(packages, "has_database_server", lambda: True)
    monkeypatch.setattr(packages.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(
        packages, "quiet", lambda command: subprocess.CompletedProcess(command, 0, BOOKWORM, "")
    )
    packages.ensure_system_packages(["libgl1", *packages.DATABASE_SERVER])
    assert capsys.readouterr().out == ""


def test_that_without_a_database_server_its_tests_are_said_to_be_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(packages, "has_database_server", lambda: False)
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    packages.ensure_system_packages(packages.DATABASE_SERVER)
    assert "tests of a library on a server are skipped" in capsys.readouterr().out


def test_that_without_a_network_nothing_is_installed(monkeypatch: pytest.MonkeyPatch):
    commands: list[list[str]] = []

    def timed_out(command: list[str]) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 124, "", "")

    monkeypatch.setattr(packages, "quiet", timed_out)
    monkeypatch.setattr(packages, "_root_prefix", list)
    assert not packages._apt_install(packages.DATABASE_SERVER)
    assert [command[-1] for command in commands] == ["update"]


def test_that_nothing_is_installed_without_apt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    packages.ensure_system_packages(["xvfb"])
    assert capsys.readouterr().out == ""


# --- the environment


def test_that_programs_of_an_environment_have_the_path_of_the_platform():
    venv = Path("project") / ".venv"
    assert base.venv_program(venv, "python", windows=False) == venv / "bin" / "python"
    assert base.venv_program(venv, "python", windows=True) == venv / "Scripts" / "python.exe"


@pytest.mark.parametrize(
    "other",
    [
        ([b"pyproject, changed", b"constraints"], "3.11.7", Path("here")),
        ([b"pyproject", b"constraints, changed"], "3.11.7", Path("here")),
        ([b"pyprojectconstraints", b""], "3.11.7", Path("here")),
        ([b"pyproject", b"constraints"], "3.13.0", Path("here")),
        ([b"pyproject", b"constraints"], "3.11.7", Path("moved")),
    ],
)
def test_that_a_change_of_any_input_changes_the_stamp(other: tuple[list[bytes], str, Path]):
    assert environment.setup_stamp(*other) != environment.setup_stamp(
        [b"pyproject", b"constraints"], "3.11.7", Path("here")
    )


def test_that_an_environment_is_current_only_with_the_same_stamp(tmp_path: Path):
    stamp = tmp_path / "stamp.txt"
    assert not environment.is_current(stamp, "abc")
    stamp.write_text("abc\n", encoding="utf-8")
    assert environment.is_current(stamp, "abc")
    assert not environment.is_current(stamp, "abd")


def test_that_a_folder_without_python_is_not_a_working_environment(tmp_path: Path):
    assert not environment._works(tmp_path)


@pytest.mark.parametrize("keep_packages", [True, False])
def test_that_an_environment_whose_inputs_changed_keeps_its_packages_only_if_asked(
    keep_packages: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    done: list[str] = []
    monkeypatch.setattr(environment, "_works", lambda _: True)
    monkeypatch.setattr(environment, "_make_venv", lambda _: done.append("made"))
    inputs = tmp_path / "constraints.txt"
    for text in ("numpy==1", "numpy==1", "numpy==2"):
        inputs.write_text(text, encoding="utf-8")
        environment.bring_up_to_date(
            tmp_path, [inputs], lambda: done.append("installed"), keep_packages=keep_packages
        )
    assert done == (["installed"] * 2 if keep_packages else ["made", "installed"] * 2)


def test_that_the_requirements_are_the_project_its_checks_and_its_build():
    names = environment.requirements(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    assert {"numpy", "pytest", "hatchling"} <= {name.split(">")[0] for name in names}


def test_that_every_requirement_has_an_exact_version():
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split(";")[0].strip() for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if "==" not in pin or "@" in pin or "/" in pin] == []
    pinned = {_plain(pin.split("==")[0]) for pin in pins}
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {_plain(requirement) for requirement in environment.requirements(pyproject)} - pinned == set()


def _plain(requirement: str) -> str:
    """Normalised name of a distribution, without version and extras."""
    name = requirement.replace("[", ">").replace("=", ">").replace("<", ">").split(">")[0]
    return name.strip().lower().replace("_", "-").replace(".", "-")


# --- the environment without Qt


@pytest.mark.parametrize("name", ["PySide6_Essentials", "pyside6-essentials", "shiboken6", "pytest-qt"])
def test_that_qt_and_packages_that_need_it_are_left_out(name: str):
    assert surroundings.is_qt(name)


@pytest.mark.parametrize("name", ["pytest", "numpy", "python-docx"])
def test_that_packages_without_qt_are_kept(name: str):
    assert not surroundings.is_qt(name)


def _install(site_packages: Path, name: str, files: dict[str, str]) -> None:
    info = f"{name}-1.0.dist-info"
    everything = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"}
    for path, text in everything.items():
        (site_packages / path).parent.mkdir(parents=True, exist_ok=True)
        (site_packages / path).write_text(text, encoding="utf-8")
    record = "".join(f"{path},,\n" for path in everything)
    (site_packages / info / "RECORD").write_text(f"{record}{info}/RECORD,,\n", encoding="utf-8")


def test_that_the_environment_without_qt_has_all_other_packages(tmp_path: Path):
    source, target = tmp_path / "lib" / "full", tmp_path / "lean"
    _install(source, "numpy", {"numpy/__init__.py": "ZERO = 0\n", "../../bin/f2py": "program"})
    _install(source, "PySide6_Essentials", {"PySide6/__init__.py": ""})
    compiled = Path(py_compile.compile(str(source / "numpy" / "__init__.py")))
    surroundings.link_all_but_qt(source, target)
    assert (target / "numpy" / "__init__.py").read_text(encoding="utf-8") == "ZERO = 0\n"
    assert (target / compiled.relative_to(source)).is_file()
    assert [found.name for found in importlib.metadata.distributions(path=[str(target)])] == ["numpy"]
    assert not (target / "PySide6").exists()


def test_that_without_pytest_qt_its_settings_are_not_an_error():
    options = stages.lax_options(["--strict-markers", "--strict-config", "-ra"])
    assert "--strict-config" not in options
    assert {"addopts=", "--strict-markers", "-ra"} <= set(options)


def test_that_each_test_file_runs_either_with_qt_or_without(tmp_path: Path):
    for path, text in {
        "gui/test_window.py": "",
        "report/test_pdf.py": "pytest.importorskip('PySide6')",
        "report/test_html.py": "",
        "end2end/test_program.py": "import PySide6",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    without, with_qt = stages.split_by_qt(tmp_path)
    assert without == [tmp_path / "report" / "test_html.py"]
    assert with_qt == [tmp_path / "report" / "test_pdf.py"]


def test_that_the_stages_run_every_test_file_once():
    run = Counter(
        file
        for stage in stages.stages()
        if stage.is_pytest and stage.name != "window"
        for path in stage.command
        for file in _test_files(ROOT / path)
    )
    assert run == dict.fromkeys(_test_files(ROOT / "tests"), 1)


def _test_files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.rglob("test_*.py"))
    return [path] if path.match("test_*.py") else []


# --- screens


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_that_the_window_opens_only_where_there_is_a_screen(
    platform: str, environ: dict[str, str], expected: bool
):
    assert surroundings.has_screen(platform, environ) is expected


def test_that_the_samples_of_the_run_command_exist():
    assert [sample for sample in dev.SAMPLES if not (ROOT / sample).is_file()] == []


# --- translations


def test_that_a_catalogue_is_created_once_and_then_updated_without_fuzzy_matches(tmp_path: Path):
    path = tmp_path / "fr" / "LC_MESSAGES" / "simcompare.po"
    path.parent.mkdir(parents=True)
    begin = catalogue.catalogue_commands(tmp_path / "x.pot", path)[1]
    assert (begin[0], begin[-1]) == ("init", "fr")
    path.write_text("", encoding="utf-8")
    update = catalogue.catalogue_commands(tmp_path / "x.pot", path)[1]
    assert update[0] == "update"
    assert "--no-fuzzy-matching" in update


def test_that_a_new_text_has_the_plural_forms_of_its_language():
    new = 'msgid "%d match"\nmsgid_plural "%d matches"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    chinese = '"Plural-Forms: nplurals=1; plural=0;\\n"\n' + new
    assert catalogue.without_second_plurals(chinese) == chinese.replace('msgstr[1] ""\n', "")
    french = '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n' + new
    assert catalogue.without_second_plurals(french) == french


def test_that_a_catalogue_has_no_placeholders_for_names():
    header = '"Last-Translator: FULL NAME <EMAIL@ADDRESS>\\n"\n"Language: zh\\n"\n'
    assert catalogue.without_placeholders(header) == '"Language: zh\\n"\n'


def test_that_the_checksums_are_those_of_the_packages_of_this_version(tmp_path: Path):
    for name in (
        "simcompare_1.2.0_amd64.deb",
        "simcompare-1.2.0-py3-none-any.whl",
        "simcompare-1.1.0.tar.gz",
    ):
        (tmp_path / name).write_bytes(name.encode())
    sums = dev.write_checksums(tmp_path, "1.2.0")
    assert [line.split("  ")[1] for line in sums.read_text().splitlines()] == [
        "simcompare-1.2.0-py3-none-any.whl",
        "simcompare_1.2.0_amd64.deb",
    ]
    digest = hashlib.sha256(b"simcompare_1.2.0_amd64.deb").hexdigest()
    assert f"{digest}  simcompare_1.2.0_amd64.deb\n" in sums.read_text()
